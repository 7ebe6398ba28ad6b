// A tile of an outer loop's iterations runs in lockstep, innermost: `width` copies of each local live in arrays, the
// loops inside run once for all of them, and the statements between become loops over the lanes that compilers
// vectorise.
//
//   for j { s = 0; for k s += A[k]*B[k][j]; C[j] = s; }
//   → for j0 { float s[W]; for l s[l] = 0; for k for l s[l] += A[k]*B[k][j0+l]; for l C[j0+l] = s[l]; }
#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "tool/transforms/code/dependences.h"
#include "tool/transforms/code/language_text.h"
#include "tool/transforms/code/loop_text.h"
#include "tool/transforms/code/loop_transformation.h"

namespace hone::frontend {
namespace {

constexpr long long most_table_bytes = 128 << 10;  // of the stack, twice: for whole strips, and for the rest

class Lanes {
 public:
  Lanes(const KernelContext& context, LoopNest& nest, const Loop& loop, long long width, long long steps)
      : context_(context), nest_(nest), loop_(loop), width_(width), steps_(steps), variant_(variant_variables(loop)) {
    lane_ = fresh_name(context, "lane");
    strip_ = fresh_name(context, loop.variable->getNameAsString() + (context.compact ? "0" : "_strip"));
    for (const auto* variable : declared_in(loop.body))
      if (std::ranges::any_of(nest.loops(), [&](const Loop& inner) {
            return inner.counted && !inner.owns_variable && inner.variable == variable;
          }))
        counters_.push_back(variable);
  }

  std::optional<std::string> text() {
    if (!assign(statements_of(loop_.body)) || loops_ == 0) return std::nullopt;
    choose_storage();
    if (refused_) return std::nullopt;
    if (context_.compact && !is_c(context_.ast)) return as_function();
    std::string whole =
        strips_header(loop_, strip_, width_) + braces(block(statements_of(loop_.body), std::to_string(width_)));
    const auto trips = loop_.constant_trips(context_.ast);
    if (!trips || *trips % width_ != 0)
      whole += "\n" + rest_header(loop_, strip_, width_) + braces(block(statements_of(loop_.body), left()));
    if (refused_) return std::nullopt;
    return braces(whole);
  }

 private:
  // How many iterations the rest has.
  std::string left() const {
    return loop_.step == 1 ? loop_.upper_text + " - " + strip_
                           : "(" + loop_.upper_text + " - " + strip_ + " + " + std::to_string(loop_.step - 1) + ") / " +
                                 std::to_string(loop_.step);
  }

  // The strip's text once, for whole strips, whose width the compiler knows as it is inlined, and for the rest.
  std::optional<std::string> as_function() {
    const std::string strip = fresh_name(context_, loop_.variable->getNameAsString() + "_lanes");
    const std::string width = fresh_name(context_, "width");
    direct_ = loop_.step == 1;
    const std::string function = "const auto " + strip + " = [&](" + loop_.type + " " + strip_ + ", " + loop_.type +
                                 " " + width + ") __attribute__((always_inline)) " +
                                 braces(block(statements_of(loop_.body), width)) + ";\n";
    if (refused_) return std::nullopt;
    return braces(function + calls_of_strips(loop_, strip_, strip, width_, left()));
  }

  // A loop that runs once for all lanes: its bounds are the same for each.
  const Loop* shared_loop(const clang::Stmt* statement) const {
    const Loop* inner = nest_.of(statement);
    if (!inner || !inner->counted || variant_.contains(inner->variable)) return nullptr;
    if (mentions_any(inner->lower, variant_) || mentions_any(inner->upper, variant_)) return nullptr;
    return inner;
  }

  // A block, or a branch that all lanes take together, with shared loops inside; null for anything else.
  const clang::IfStmt* shared_branch(const clang::Stmt* statement) const {
    auto* branch = llvm::dyn_cast<clang::IfStmt>(statement);
    if (!branch || branch->getElse() || branch->getInit() || branch->getConditionVariable()) return nullptr;
    if (holds_shared_loop(branch->getThen()) && invariant(branch->getCond())) return branch;
    return is_on_device() && is_shared(branch->getCond()) ? branch : nullptr;
  }

  // Where lanes are copies, and what they have in common is computed once.
  bool is_on_device() const { return context_.launcher != nullptr; }

  // The same for all lanes, wherever in the body it is computed.
  bool is_shared(const clang::Expr* expression) const {
    const auto references = all_of<clang::DeclRefExpr>(expression);
    return !mentions_any(expression, variant_) && invariant_in(expression, Loop{}, true) &&
           std::ranges::none_of(references, [&](const clang::DeclRefExpr* reference) {
             return !is_counted(reference->getDecl()) && writes_variable(loop_.body, reference->getDecl());
           });
  }

  bool is_counted(const clang::ValueDecl* variable) const {
    return std::ranges::any_of(nest_.loops(),
                               [&](const Loop& loop) { return loop.counted && loop.variable == variable; });
  }

  // Declares nothing but what is the same for all lanes.
  bool shared_declaration(const clang::Stmt* statement) const {
    const auto* declared = llvm::dyn_cast<clang::DeclStmt>(statement);
    return declared && std::ranges::all_of(declared->decls(), [&](const clang::Decl* inner) {
             const auto* variable = llvm::dyn_cast<clang::VarDecl>(inner);
             return variable && !variant_.contains(variable) && !is_counter(variable) && variable->hasInit() &&
                    (is_on_device() || variable->getType()->isArithmeticType()) && is_shared(variable->getInit());
           });
  }

  bool invariant(const clang::Expr* expression) const {
    return !mentions_any(expression, variant_) && invariant_in(expression, loop_);
  }

  bool holds_shared_loop(const clang::Stmt* statement) const {
    for (const clang::Stmt* inner : statements_of(statement))
      if (structured(inner)) return true;
    return false;
  }

  // Not part of a lane loop itself: its parts are.
  bool structured(const clang::Stmt* statement) const {
    if (llvm::isa<clang::CompoundStmt>(statement)) return holds_shared_loop(statement);
    return shared_loop(statement) || shared_branch(statement);
  }

  // Numbers the runs of statements between shared loops. False: control flow that lanes cannot follow.
  bool assign(const std::vector<const clang::Stmt*>& statements) {
    ++segment_;
    for (std::size_t at = 0; at < statements.size(); ++at) {
      const clang::Stmt* statement = statements[at];
      Effects effects = effects_of(statement);
      if (effects.leaves) return false;
      if (structured(statement)) {
        const Loop* inner = shared_loop(statement);
        const clang::IfStmt* branch = shared_branch(statement);
        loops_ += inner != nullptr;
        if (!inner && effects.continues) return false;
        if (!assign(statements_of(inner ? inner->body : branch ? branch->getThen() : statement))) return false;
        ++segment_;
        continue;
      }
      if (shared_declaration(statement)) continue;
      if (effects.continues)
        for (std::size_t later = at + 1; later < statements.size(); ++later)
          if (structured(statements[later])) return false;
      segment_of_[statement] = segment_;
      for (auto* variable : declared_in(statement))
        if (!is_counter(variable)) home_[variable] = segment_;
      for (auto* reference : all_of<clang::DeclRefExpr>(statement)) used_in_[reference->getDecl()].insert(segment_);
    }
    return true;
  }

  // Locals that live on from one run of statements into another: in arrays, or computed again where that is cheap.
  void choose_storage() {
    spread_uses();
    for (const auto& [variable, home] : home_) {
      bool crosses = false;
      for (unsigned segment : used_in_[variable]) crosses |= segment != home;
      if (!crosses) continue;
      auto type = variable->getType();
      if (is_repeatable(variable)) {
        again_.insert(variable);
      } else if (!type->isReferenceType() && (!plain_type(context_.ast, type).empty() || is_table(variable))) {
        arrays_[variable] = fresh_name(context_, variable->getNameAsString() + "_lanes");
      } else {
        refused_ = true;
      }
    }
  }

  bool is_repeatable(const clang::VarDecl* variable) const {
    const auto type = variable->getType();
    const bool changes = !type->isReferenceType() && writes_variable(loop_.body, variable);
    return !changes && variable->hasInit() &&
           (type->isReferenceType() || type->isPointerType() || type->isIntegerType());
  }

  // What is computed again takes what it is computed from along.
  void spread_uses() {
    for (bool grew = true; grew;) {
      grew = false;
      for (const auto& [variable, home] : home_) {
        if (!is_repeatable(variable)) continue;
        const auto uses = used_in_[variable];
        for (const auto* reference : all_of<clang::DeclRefExpr>(variable->getInit()))
          for (const unsigned segment : uses) grew |= used_in_[reference->getDecl()].insert(segment).second;
      }
    }
  }

  std::string lane() const { return direct_ ? loop_.variable->getNameAsString() + " - " + strip_ : lane_; }

  // An array of numbers whose elements alone are named: as one that unroll_jam writes, of which each copy has one.
  bool is_table(const clang::VarDecl* variable) const {
    const auto* type = context_.ast.getAsConstantArrayType(variable->getType());
    if (!type || !type->getElementType()->isArithmeticType() || variable->hasInit()) return false;
    if (context_.ast.getTypeSizeInChars(variable->getType()).getQuantity() * width_ > most_table_bytes) return false;
    return elements_in(loop_.body, variable).size() == mentions_in(loop_.body, variable);
  }

  static bool names(const clang::Expr* expression, const clang::VarDecl* variable) {
    const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(expression->IgnoreParenImpCasts());
    return reference && reference->getDecl() == variable;
  }

  static std::vector<const clang::ArraySubscriptExpr*> elements_in(const clang::Stmt* node,
                                                                   const clang::VarDecl* variable) {
    auto found = all_of<clang::ArraySubscriptExpr>(node);
    std::erase_if(found, [&](const auto* element) { return !names(element->getBase(), variable); });
    return found;
  }

  static std::size_t mentions_in(const clang::Stmt* node, const clang::VarDecl* variable) {
    const auto all = all_of<clang::DeclRefExpr>(node);
    return static_cast<std::size_t>(std::ranges::count_if(all, [&](auto* one) { return names(one, variable); }));
  }

  std::string lane_text(const clang::Stmt* node) {
    Substitution substitution(context_.ast);
    for (const auto& [variable, array] : arrays_) {
      const bool table = variable->getType()->isArrayType();
      substitution.rename(node, variable, table ? array : array + "[" + lane() + "]");
      if (!table) continue;
      for (const auto* element : elements_in(node, variable)) substitution.insert_after(element, "[" + lane() + "]");
    }
    std::string text = substitution.text(node);
    refused_ |= substitution.spoiled();
    return text;
  }

  // The declarations to compute again in front of `pending`, in source order, with what they depend on.
  std::string repeated(const std::vector<const clang::Stmt*>& pending, const std::set<const clang::VarDecl*>& here) {
    std::set<const clang::VarDecl*> needed;
    auto need = [&](const clang::Stmt* statement) {
      bool grew = false;
      for (auto* variable : again_)
        if (!here.contains(variable) && mentions(statement, variable)) grew |= needed.insert(variable).second;
      return grew;
    };
    for (const clang::Stmt* statement : pending) need(statement);
    for (bool grew = true; grew;) {
      grew = false;
      for (auto* variable : std::set<const clang::VarDecl*>(needed)) grew |= need(variable->getInit());
    }
    std::string text;
    for (auto* variable : declared_in(loop_.body)) {
      if (!needed.contains(variable)) continue;
      const std::string constant = constant_like(context_.ast, variable);
      refused_ |= constant.empty();
      text += constant + " = " + lane_text(variable->getInit()) + ";\n";
    }
    return text;
  }

  bool is_counter(const clang::VarDecl* variable) const { return std::ranges::count(counters_, variable) > 0; }

  // The counters that loops of a lane loop begin with.
  std::string counters_in(const std::vector<const clang::Stmt*>& pending) const {
    std::string text;
    for (const clang::VarDecl* variable : counters_)
      if (std::ranges::any_of(pending, [&](const clang::Stmt* statement) { return sets_counter(statement, variable); }))
        text += plain_type(context_.ast, variable->getType()) + " " + variable->getNameAsString() + ";\n";
    return text;
  }

  // A declaration inside a lane loop: of variables in arrays only their initialization is left, of counters nothing.
  std::string declaration(const clang::DeclStmt* statement) {
    bool any = false;
    for (const clang::Decl* inner : statement->decls()) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(inner);
      any |= variable && (arrays_.contains(variable) || is_counter(variable));
    }
    if (!any) return lane_text(statement);
    std::string text;
    for (const clang::Decl* inner : statement->decls()) {
      auto* variable = llvm::dyn_cast<clang::VarDecl>(inner);
      if (!variable) return refused_ = true, std::string();
      if (is_counter(variable)) continue;
      auto array = arrays_.find(variable);
      const clang::Expr* init = variable->getInit();
      bool implicit = init && llvm::isa<clang::CXXConstructExpr>(init->IgnoreImplicit());
      if (array == arrays_.end()) {
        std::string type = plain_type(context_.ast, variable->getType());
        if (type.empty() || variable->getType()->isReferenceType()) return refused_ = true, std::string();
        text += type + " " + variable->getNameAsString() + (init && !implicit ? " = " + lane_text(init) : "") + ";\n";
      } else if (begins_with_zeros(variable)) {
        continue;
      } else if (init && !implicit) {
        text += array->second + "[" + lane() + "] = " + lane_text(init) + ";\n";
      } else if (implicit && !variable->getType()->isScalarType()) {
        refused_ |= llvm::cast<clang::CXXConstructExpr>(init->IgnoreImplicit())->getNumArgs() != 0;
      }
    }
    return text;
  }

  std::string lanes_loop(const std::vector<const clang::Stmt*>& pending, const std::string& lanes) {
    if (pending.empty()) return {};
    std::set<const clang::VarDecl*> here;
    std::string inside;
    for (const clang::Stmt* statement : pending) {
      for (auto* variable : declared_in(statement)) here.insert(variable);
      auto* declared = llvm::dyn_cast<clang::DeclStmt>(statement);
      std::string text = declared ? declaration(declared) : lane_text(statement);
      if (!text.empty()) inside += text + (text.back() == '\n' ? "" : "\n");
    }
    if (inside.empty()) return {};
    inside = counters_in(pending) + inside;
    if (direct_) {
      const std::string again = repeated(pending, here);
      const bool one = again.empty() && pending.size() == 1 && std::ranges::count(inside, ';') == 1;
      return header(loop_, strip_, strip_ + " + " + lanes) + (one ? inside : braces(again + inside) + "\n");
    }
    std::string offset = loop_.step == 1 ? lane_ : lane_ + " * " + std::to_string(loop_.step);
    std::string index =
        "const " + loop_.type + " " + loop_.variable->getNameAsString() + " = " + strip_ + " + " + offset + ";\n";
    const bool counted = is_on_device() && std::ranges::all_of(lanes, [](unsigned char c) { return std::isdigit(c); });
    return std::string(counted ? "#pragma unroll\n" : "") + "for (" + loop_.type + " " + lane_ + " = 0; " + lane_ +
           " < " + lanes + "; ++" + lane_ + ") " + braces(index + repeated(pending, here) + inside) + "\n";
  }

  // Copies of a few steps have more loads in common than those of one step.
  std::string unrolled(const Loop& inner) const {
    constexpr long long most_steps = 8;
    const auto steps = steps_in(inner);
    const bool few = steps && *steps <= (inner.innermost() ? std::max(most_steps, steps_) : steps_);
    return is_on_device() && few ? "#pragma unroll\n" : "";
  }

  // Of all loops of a nest together, where they are known.
  std::optional<long long> steps_in(const Loop& inner) const {
    auto steps = inner.constant_trips(context_.ast);
    for (const Loop* child : inner.children) {
      const auto more = steps_in(*child);
      steps = steps && more ? std::optional(*steps * *more) : std::nullopt;
    }
    return steps;
  }

  // Zeros are what most sums begin with: the compact form needs no loop for them.
  bool begins_with_zeros(const clang::VarDecl* variable) const {
    if (!context_.compact || !variable->getInit() || variable->getType()->isArrayType()) return false;
    const clang::Expr* init = variable->getInit()->IgnoreParenImpCasts();
    if (const auto* number = llvm::dyn_cast<clang::FloatingLiteral>(init)) return number->getValue().isPosZero();
    const auto* number = llvm::dyn_cast<clang::IntegerLiteral>(init);
    return number && number->getValue() == 0;
  }

  std::string element_type(const clang::VarDecl* variable) const {
    const auto* table = context_.ast.getAsConstantArrayType(variable->getType());
    const clang::QualType type = table ? table->getElementType() : variable->getType();
    return type->isBooleanType() && is_flag(variable) ? flag_type() : plain_type(context_.ast, type);
  }

  // Is it set to truths alone, and asked for its truth alone? Then a wider type does the same.
  bool is_flag(const clang::VarDecl* variable) const {
    const auto is_truth = [](const clang::Expr* value) {
      return value->IgnoreParenImpCasts()->getType()->isBooleanType();
    };
    if (variable->getType()->isArrayType() || (variable->getInit() && !is_truth(variable->getInit()))) return false;
    std::size_t known = 0;
    for (const auto* one : all_of<clang::BinaryOperator>(loop_.body)) {
      const auto op = one->getOpcode();
      const bool sets =
          op == clang::BO_Assign || op == clang::BO_XorAssign || op == clang::BO_AndAssign || op == clang::BO_OrAssign;
      if (sets && names(one->getLHS(), variable) && is_truth(one->getRHS())) ++known;
      if (op == clang::BO_Assign && names(one->getRHS(), variable)) ++known;
      if (one->isLogicalOp()) known += names(one->getLHS(), variable) + names(one->getRHS(), variable);
    }
    for (const auto* one : all_of<clang::UnaryOperator>(loop_.body))
      known += one->getOpcode() == clang::UO_LNot && names(one->getSubExpr(), variable);
    for (const auto* one : all_of<clang::IfStmt>(loop_.body)) known += names(one->getCond(), variable);
    for (const auto* one : all_of<clang::ConditionalOperator>(loop_.body)) known += names(one->getCond(), variable);
    return known == mentions_in(loop_.body, variable);
  }

  // As wide as the numbers beside it: vectors of one width need no conversions.
  const char* flag_type() const {
    const bool wide = std::ranges::any_of(all_of<clang::Expr>(loop_.body), [&](const clang::Expr* part) {
      return part->getType()->isSpecificBuiltinType(clang::BuiltinType::Double);
    });
    return wide ? "long long" : "int";
  }

  std::string extents(const clang::VarDecl* variable) const {
    const auto* table = context_.ast.getAsConstantArrayType(variable->getType());
    const std::string outer = table ? "[" + std::to_string(table->getZExtSize()) + "]" : "";
    return outer + "[" + std::to_string(width_) + "]" + (begins_with_zeros(variable) ? " = {0}" : "");
  }

  // In braces, unless it is a single statement that a person would write without.
  std::string body_of_shared(const std::vector<const clang::Stmt*>& statements, const std::string& lanes) {
    unsigned pieces = 0;
    const std::string text = block(statements, lanes, pieces);
    return context_.compact && pieces == 1 ? text : braces(text) + "\n";
  }

  std::string block(const std::vector<const clang::Stmt*>& statements, const std::string& lanes) {
    unsigned pieces = 0;
    return block(statements, lanes, pieces);
  }

  std::string block(const std::vector<const clang::Stmt*>& statements, const std::string& lanes, unsigned& pieces) {
    std::string text;
    std::map<std::string, std::string> declared_arrays;  // by their type
    for (const clang::Stmt* statement : statements) {
      auto* declared = llvm::dyn_cast<clang::DeclStmt>(statement);
      if (!declared) continue;
      for (const clang::Decl* inner : declared->decls()) {
        auto array = arrays_.find(llvm::dyn_cast<clang::VarDecl>(inner));
        if (array == arrays_.end()) continue;
        const std::string type = element_type(array->first), name = array->second + extents(array->first);
        if (context_.compact && !type.ends_with("*"))
          declared_arrays[type] += ", " + name;
        else
          text += type + " " + name + ";\n";
        ++pieces;
      }
    }
    for (const auto& [type, names] : declared_arrays) text += type + names.substr(1) + ";\n";
    std::vector<const clang::Stmt*> pending;
    for (const clang::Stmt* statement : statements) {
      if (shared_declaration(statement)) {
        text += lane_text(statement) + "\n";
        continue;
      }
      if (!structured(statement)) {
        pending.push_back(statement);
        continue;
      }
      const std::string in_front = lanes_loop(pending, lanes);
      text += in_front;
      pieces += in_front.empty() ? 1 : 2;
      pending.clear();
      const Loop* inner = shared_loop(statement);
      const clang::IfStmt* branch = shared_branch(statement);
      if (inner) text += (is_on_device() ? unrolled(*inner) : unrolling_of(context_, *inner)) + header(*inner);
      if (branch) text += "if (" + lane_text(branch->getCond()) + ") ";
      text += body_of_shared(statements_of(inner ? inner->body : branch ? branch->getThen() : statement), lanes);
    }
    const std::string rest = lanes_loop(pending, lanes);
    pieces += !rest.empty();
    return text + rest;
  }

  const KernelContext& context_;
  LoopNest& nest_;
  const Loop& loop_;
  long long width_;
  long long steps_;  // on a device: loops of so many together are unrolled
  std::set<const clang::ValueDecl*> variant_;
  // What the body declares in front of loops that count by it. Each loop over lanes, and each shared one, has its own.
  std::vector<const clang::VarDecl*> counters_;
  std::string lane_, strip_;
  unsigned segment_ = 0, loops_ = 0;
  bool refused_ = false;
  bool direct_ = false;  // lanes count by the loop's own variable
  std::map<const clang::Stmt*, unsigned> segment_of_;
  std::map<const clang::VarDecl*, unsigned> home_;
  std::map<const clang::ValueDecl*, std::set<unsigned>> used_in_;
  std::map<const clang::VarDecl*, std::string> arrays_;
  std::set<const clang::VarDecl*> again_;
};

class VectoriseOuter final : public LoopTransformation {
 public:
  std::string_view name() const override { return "vectorise_outer"; }
  std::vector<std::vector<int>> argument_choices(const KernelContext&, unsigned) const override {
    return {{32, 16, 64, 128, 8, 256}};
  }

 protected:
  bool fits(const KernelContext& context, LoopNest&, const Loop& loop) const override {
    return !loop.innermost() && !moves_pointers(loop) && (context.launcher || !iterations_meet(context.ast, loop));
  }
  std::optional<std::string> rewritten(const KernelContext& context, LoopNest& nest, const Loop& loop,
                                       const std::vector<int>& arguments) const override {
    return Lanes(context, nest, loop, argument(arguments, 0, 32, 2, 4096), argument(arguments, 1, 0, 0, 1024)).text();
  }
};

}  // namespace

std::unique_ptr<Transformation> make_vectorise_outer() {
  return std::make_unique<VectoriseOuter>();
}

}  // namespace hone::frontend
