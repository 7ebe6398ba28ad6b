// What an iteration reads of the memory that the one before it has written travels in a local, so that the loop has a
// running value like any other.
//
//   for (i = 1; i < n; ++i) y[i] = a * y[i - 1] + x[i];
//   → if (1 < n) { float y_value = y[1 - 1]; for (i = 1; i < n; ++i) { y_value = a * y_value + x[i]; y[i] = y_value; }
//   }
#include <algorithm>

#include "tool/transforms/code/accesses.h"
#include "tool/transforms/code/language_text.h"
#include "tool/transforms/code/loop_text.h"
#include "tool/transforms/code/loop_transformation.h"

namespace hone::frontend {
namespace {

// One assignment to an array, which nothing else in the loop writes, and reads of it one iteration back.
struct Carried {
  const clang::BinaryOperator* assignment = nullptr;
  Access place;                            // that it writes
  std::vector<const clang::Expr*> before;  // what reads the place before it
};

// An update of what is there already adds to it.
bool sets_or_adds(const clang::BinaryOperator* assignment) {
  return assignment->getOpcode() == clang::BO_Assign || assignment->getOpcode() == clang::BO_AddAssign;
}

std::optional<Carried> assignment_of(const clang::ASTContext& ast, const Loop& loop) {
  std::optional<Carried> found;
  for (const clang::Stmt* statement : statements_of(loop.body)) {
    const auto* assignment = llvm::dyn_cast<clang::BinaryOperator>(statement);
    if (!assignment || !assignment->isAssignmentOp()) continue;
    for (const Access& access : accesses_in(ast, assignment->getLHS())) {
      if (access.expression != assignment->getLHS()->IgnoreParens() || !access.base || !access.index) continue;
      if (access.stride(loop.variable) != Stride::one || !access.member.empty()) continue;
      if (found || !sets_or_adds(assignment)) return std::nullopt;
      found = Carried{assignment, access, {}};
    }
  }
  return found;
}

// Does every other access to the array read what the iteration before wrote, and no later than it is written anew?
bool set_reads(const clang::ASTContext& ast, const Loop& loop, Carried& carried) {
  bool late = false;
  for (const clang::Stmt* statement : statements_of(loop.body)) {
    for (const Access& access : accesses_in(ast, statement)) {
      if (access.base != carried.place.base || access.expression == carried.place.expression) continue;
      if (late || access.writes || !access.index || !access.member.empty()) return false;
      if (!(*carried.place.index - *access.index == IndexPolynomial::constant(1))) return false;
      carried.before.push_back(access.expression);
    }
    late |= statement == carried.assignment;
  }
  return !carried.before.empty();
}

std::optional<Carried> carried_by(const KernelContext& context, const Loop& loop) {
  const Effects effects = effects_of(loop.body);
  if (!loop.innermost() || loop.step != 1 || effects.leaves || effects.continues) return std::nullopt;
  auto carried = assignment_of(context.ast, loop);
  if (!carried || !carried->place.expression->getType()->isArithmeticType()) return std::nullopt;
  return set_reads(context.ast, loop, *carried) ? carried : std::nullopt;
}

class Carry final : public LoopTransformation {
 public:
  std::string_view name() const override { return "carry"; }

 protected:
  bool fits(const KernelContext& context, LoopNest&, const Loop& loop) const override {
    return carried_by(context, loop).has_value();
  }

  std::optional<std::string> rewritten(const KernelContext& context, LoopNest&, const Loop& loop,
                                       const std::vector<int>&) const override {
    const auto carried = carried_by(context, loop);
    const std::string type = plain_type(context.ast, carried->place.expression->getType());
    const std::string name = fresh_name(context, carried->place.base->getNameAsString() + "_value");
    Substitution first(context.ast), inside(context.ast);
    first.rename(carried->before.front(), loop.variable, loop.lower_text);
    const std::string start = first.text(carried->before.front());
    for (const clang::Expr* read : carried->before) inside.replace(read, name);
    const std::string place = text_of(context.ast, carried->assignment->getLHS());
    const bool adds = carried->assignment->getOpcode() == clang::BO_AddAssign;
    const std::string value = inside.text(carried->assignment->getRHS());
    inside.replace(carried->assignment,
                   name + " = " + (adds ? place + " + (" + value + ")" : value) + ";\n" + place + " = " + name + ";");
    std::string body;
    for (const clang::Stmt* statement : statements_of(loop.body)) body += inside.text(statement) + "\n";
    if (type.empty() || place.empty() || first.spoiled() || inside.spoiled()) return std::nullopt;
    // A loop that never runs must not read the place: it may not exist.
    return "if (" + loop.lower_text + " < " + loop.upper_text + ") " +
           braces(type + " " + name + " = " + start + ";\n" + header(loop) + braces(body));
  }
};

}  // namespace

std::unique_ptr<Transformation> make_carry() {
  return std::make_unique<Carry>();
}

}  // namespace hone::frontend
