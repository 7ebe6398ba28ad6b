// An element that sums up what earlier elements of its kind bring: each of these adds its part to all later ones as
// soon as it is known, so that the innermost loop runs along the elements. The order of each sum stays.
//   for j { w = x[j]; for k < j  w -= m[k][j] * x[k];  x[j] = w / d[j]; }
//   → for j { x[j] = x[j] / d[j]; for later > j  x[later] -= m[j][later] * x[j]; }
#include "tool/transforms/code/accesses.h"
#include "tool/transforms/code/loop_text.h"
#include "tool/transforms/code/loop_transformation.h"

namespace hone::frontend {
namespace {

// What the loop over elements consists of.
struct ElementSum {
  const Loop* earlier = nullptr;            // over those that contribute
  const clang::VarDecl* running = nullptr;  // the sum's local; null: it is summed up in place
  const clang::Expr* place = nullptr;       // the element in memory
  const clang::Expr* start = nullptr;       // what the sum starts with; null: the element itself
  const clang::BinaryOperator* update = nullptr;
  const clang::BinaryOperator* last = nullptr;  // what makes the element of the sum; null: nothing more
};

std::optional<Access> access_of(const clang::ASTContext& ast, const clang::Expr* expression) {
  auto accesses = accesses_in(ast, expression);
  if (accesses.empty() || !accesses[0].base || !accesses[0].index) return std::nullopt;
  if (accesses[0].expression != expression->IgnoreParenImpCasts()) return std::nullopt;
  return accesses[0];
}

bool same_place(const clang::ASTContext& ast, const clang::Expr* left, const clang::Expr* right) {
  auto one = access_of(ast, left), other = access_of(ast, right);
  return one && other && one->base == other->base && one->member == other->member && *one->index == *other->index;
}

bool equal_values(const clang::ASTContext& ast, const clang::Expr* left, const IndexPolynomial& right) {
  auto value = IndexPolynomial::of(ast, left);
  return value && *value == right;
}

// `loop` runs over all elements in front of that of `elements`.
bool over_earlier(const clang::ASTContext& ast, const Loop& elements, const Loop& loop) {
  auto first = IndexPolynomial::of(ast, elements.lower);
  auto end = IndexPolynomial::variable(elements.variable);
  if (loop.inclusive) end = end - IndexPolynomial::constant(1);
  return loop.counted && elements.step == 1 && loop.step == 1 && first && equal_values(ast, loop.lower, *first) &&
         equal_values(ast, loop.upper, end);
}

const clang::BinaryOperator* assignment_in(const clang::Stmt* statement) {
  auto* assignment = llvm::dyn_cast<clang::BinaryOperator>(statement);
  return assignment && assignment->isAssignmentOp() ? assignment : nullptr;
}

bool is_local(const clang::Expr* expression, const clang::VarDecl* variable) {
  auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(expression->IgnoreParenImpCasts());
  return reference && reference->getDecl() == variable;
}

// `value` reads the array of `place` at most at `place`.
bool reads_place_alone(const clang::ASTContext& ast, const clang::Expr* value, const Access& place) {
  for (const Access& access : accesses_in(ast, value))
    if (!access.base || (access.base == place.base && !(access.index && *access.index == *place.index))) return false;
  return true;
}

// The place of the sum is read as that of an earlier element, or in other rows of the array.
bool reads_earlier(const clang::ASTContext& ast, const ElementSum& sum, const Loop& elements) {
  auto place = access_of(ast, sum.place);
  auto stride = place ? place->index->stride(elements.variable) : std::nullopt;
  if (!stride || stride->as_constant() == 0 || place->index->depends_on(sum.earlier->variable)) return false;
  const IndexPolynomial earlier = *place->index + *stride * (IndexPolynomial::variable(sum.earlier->variable) -
                                                             IndexPolynomial::variable(elements.variable));
  for (const Access& access : accesses_in(ast, sum.update->getRHS())) {
    if (!access.base) return false;
    if (access.base != place->base) continue;
    if (!access.index) return false;
    const IndexPolynomial apart =
        *access.index - (access.index->depends_on(elements.variable) ? *place->index : earlier);
    for (const auto& [monomial, factor] : apart.terms())
      if (monomial.size() < 2) return false;  // not by whole rows
  }
  return true;
}

std::optional<ElementSum> element_sum(const clang::ASTContext& ast, LoopNest& nest, const Loop& loop) {
  if (!loop.counted || !loop.owns_variable || loop.children.size() != 1) return std::nullopt;
  ElementSum sum;
  auto statements = statements_of(loop.body);
  std::size_t at = 0;
  const clang::BinaryOperator* set = nullptr;
  if (!statements.empty() && !nest.of(statements[0])) {
    auto* declared = llvm::dyn_cast<clang::DeclStmt>(statements[0]);
    set = assignment_in(statements[0]);
    if (declared && declared->isSingleDecl()) sum.running = llvm::dyn_cast<clang::VarDecl>(declared->getSingleDecl());
    if (sum.running ? !sum.running->hasInit() : !set || set->getOpcode() != clang::BO_Assign) return std::nullopt;
    sum.start = sum.running ? sum.running->getInit() : set->getRHS();
    ++at;
  }
  if (at >= statements.size() || !(sum.earlier = nest.of(statements[at]))) return std::nullopt;
  auto inside = statements_of(sum.earlier->body);
  if (!over_earlier(ast, loop, *sum.earlier) || inside.size() != 1) return std::nullopt;
  sum.update = assignment_in(inside[0]);
  if (!sum.update || (sum.update->getOpcode() != clang::BO_AddAssign && sum.update->getOpcode() != clang::BO_SubAssign))
    return std::nullopt;
  if (++at < statements.size()) sum.last = assignment_in(statements[at++]);
  if (at != statements.size() || (sum.running && !sum.last)) return std::nullopt;
  sum.place = sum.running || sum.last ? sum.last->getLHS() : sum.update->getLHS();
  const bool running = sum.running
                           ? is_local(sum.update->getLHS(), sum.running) && sum.last->getOpcode() == clang::BO_Assign
                           : same_place(ast, sum.update->getLHS(), sum.place);
  if (!running || (set && !same_place(ast, set->getLHS(), sum.place))) return std::nullopt;
  if (sum.running && !ast.hasSameUnqualifiedType(sum.running->getType(), sum.place->getType())) return std::nullopt;
  if (sum.start && same_place(ast, sum.start, sum.place)) sum.start = nullptr;
  return sum;
}

bool pushable(const clang::ASTContext& ast, const ElementSum& sum, const Loop& loop) {
  auto place = access_of(ast, sum.place);
  if (!place || !reads_earlier(ast, sum, loop)) return false;
  if (sum.start && !reads_place_alone(ast, sum.start, *place)) return false;
  return !effects_of(loop.body).leaves && !effects_of(loop.body).calls_unknown &&
         (!sum.running || !mentions(sum.update->getRHS(), sum.running));
}

class Push final : public LoopTransformation {
 public:
  std::string_view name() const override { return "push"; }

 protected:
  bool fits(const KernelContext& context, LoopNest& nest, const Loop& loop) const override {
    auto sum = element_sum(context.ast, nest, loop);
    return sum && pushable(context.ast, *sum, loop);
  }

  std::optional<std::string> rewritten(const KernelContext& context, LoopNest& nest, const Loop& loop,
                                       const std::vector<int>&) const override {
    const auto sum = element_sum(context.ast, nest, loop);
    const std::string element = loop.variable->getNameAsString(), later = fresh_name(context, element + "_later");
    const std::string place = text_of(context.ast, sum->place);
    Substitution finish(context.ast), push(context.ast), target(context.ast);
    push.rename(sum->update->getRHS(), sum->earlier->variable, element);
    push.rename(sum->update->getRHS(), loop.variable, later);
    target.rename(sum->place, loop.variable, later);
    std::string text, inside;
    if (sum->start) text = header(loop) + place + " = " + text_of(context.ast, sum->start) + ";\n";
    if (sum->last) {
      if (sum->running) finish.rename(sum->last, sum->running, place);
      if (!sum->running || !is_local(sum->last->getRHS(), sum->running)) inside = finish.text(sum->last) + "\n";
    }
    inside += "for (" + loop.type + " " + later + " = " + element + " + 1; " + later + " < " + loop.upper_text +
              "; ++" + later + ") " + target.text(sum->place) + " " + sum->update->getOpcodeStr().str() + " " +
              push.text(sum->update->getRHS()) + ";";
    if (place.empty() || finish.spoiled() || push.spoiled() || target.spoiled()) return std::nullopt;
    return braces(text + header(loop) + braces(inside));
  }
};

}  // namespace

std::unique_ptr<Transformation> make_push() {
  return std::make_unique<Push>();
}

}  // namespace hone::frontend
