// Loops around one guarded statement (the taps of a filter) ask each question as soon as its answer is known, not in
// the innermost loop only, and a loop of which only every second iteration is wanted goes in steps of two:
//
//   for di for dj { a = i + 1 - di; b = j + 1 - dj; if (a < 0 || a % 2 != 0 || b >= h) continue; … }
//   → for (di = (i + 1) % 2; …; di += 2) { a = …; if (a >= 0) for dj { b = …; if (b < h) … } }
//
// What the body declares moves along. Locals that it changes before the statement become constants of their own.
#include <algorithm>
#include <map>
#include <set>

#include "tool/transforms/code/accesses.h"
#include "tool/transforms/code/device_kernel.h"
#include "tool/transforms/code/loop_text.h"
#include "tool/transforms/code/loop_transformation.h"

namespace hone::frontend {
namespace {

bool only_continues(const clang::Stmt* statement) {
  const auto inside = statements_of(statement);
  return inside.size() == 1 && llvm::isa<clang::ContinueStmt>(inside[0]);
}

bool is_plain(const clang::IfStmt* branch) {
  return !branch->getElse() && !branch->getInit() && !branch->getConditionVariable();
}

void split_condition(const clang::Expr* test, bool negated, std::vector<ItemCondition>& into) {
  const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(test->IgnoreParenImpCasts());
  if (!binary || binary->getOpcode() != (negated ? clang::BO_LOr : clang::BO_LAnd)) {
    into.push_back({test, negated});
    return;
  }
  split_condition(binary->getLHS(), negated, into);
  split_condition(binary->getRHS(), negated, into);
}

// A step that a loop may take in place of one.
struct LongStep {
  std::string start;
  long long step = 1;
};

// One loop with what is known as soon as it has its number.
struct RaisedLevel {
  const Loop* loop = nullptr;
  std::vector<std::string> declarations, questions;
  std::optional<LongStep> stride;
};

class GuardedNest {
 public:
  GuardedNest(const KernelContext& context, const Loop& top) : context_(context) {
    for (const Loop* loop = &top; loop; loop = inner_of(*loop)) {
      level_of_[loop->variable] = levels_.size();
      levels_.push_back({loop, {}, {}, {}});
    }
  }

  // False: it is of another form, or nothing can be raised.
  bool read() {
    if (levels_.size() < 2) return false;
    for (std::size_t level = 0; level < levels_.size(); ++level)
      if (!levels_[level].loop->owns_variable || !read(statements_of(levels_[level].loop->body), level)) return false;
    return raised_ && !effects_.empty() && !spoiled_;
  }

  std::string text() const {
    std::string text, ends;
    for (const RaisedLevel& level : levels_) {
      const Loop& loop = *level.loop;
      const std::string name = loop.variable->getNameAsString();
      text += level.stride ? "for (" + loop.type + " " + name + " = " + level.stride->start + "; " + name + " < " +
                                 loop.upper_text + "; " + name + " += " + std::to_string(level.stride->step) + ") {\n"
                           : header(loop) + "{\n";
      for (const std::string& declaration : level.declarations) text += declaration;
      ends += "}\n";
      if (level.questions.empty()) continue;
      std::string asked;
      for (const std::string& question : level.questions) asked += (asked.empty() ? "" : " && ") + question;
      text += "if (" + asked + ") {\n";
      ends += "}\n";
    }
    return text + effects_ + ends;
  }

 private:
  // The loop that ends the body of a counted one; null: there is none.
  static const Loop* inner_of(const Loop& loop) {
    if (loop.children.size() != 1 || !loop.children.front()->counted) return nullptr;
    const auto statements = statements_of(loop.body);
    return statements.back() == loop.children.front()->statement ? loop.children.front() : nullptr;
  }

  bool read(const std::vector<const clang::Stmt*>& statements, std::size_t level) {
    const bool innermost = level + 1 == levels_.size();
    for (std::size_t at = 0; at < statements.size(); ++at) {
      if (!innermost && at + 1 == statements.size()) return true;
      if (read_value(statements[at])) continue;
      if (!innermost) return false;
      const auto* branch = llvm::dyn_cast<clang::IfStmt>(statements[at]);
      if (branch && is_plain(branch) && is_pure(branch->getCond()) && only_continues(branch->getThen())) {
        ask(branch->getCond(), true);
        continue;
      }
      const bool last = at + 1 == statements.size();
      if (branch && last && is_plain(branch) && is_pure(branch->getCond())) {
        ask(branch->getCond(), false);
        return read_effects(statements_of(branch->getThen()));
      }
      return read_effects({statements.begin() + static_cast<std::ptrdiff_t>(at), statements.end()});
    }
    return false;
  }

  bool read_effects(const std::vector<const clang::Stmt*>& statements) {
    for (const clang::Stmt* statement : statements) {
      for (const auto& [variable, level] : level_of_)
        if (writes_variable(statement, variable)) return false;
      effects_ += written(statement) + "\n";
    }
    return true;
  }

  bool is_pure(const clang::Stmt* statement) const {
    return accesses_in(context_.ast, statement).empty() && all_of<clang::CallExpr>(statement).empty();
  }

  // A declaration, or a change of what was declared.
  bool read_value(const clang::Stmt* statement) {
    if (const auto* declared = llvm::dyn_cast<clang::DeclStmt>(statement))
      return std::ranges::all_of(declared->decls(), [&](const clang::Decl* each) {
        const auto* variable = llvm::dyn_cast<clang::VarDecl>(each);
        if (!variable || !variable->hasInit() || !variable->getType()->isIntegerType() || !is_pure(variable->getInit()))
          return false;
        value_of_[variable] = variable->getInit();
        return define(variable, variable->getNameAsString(), written(variable->getInit()), level(variable->getInit()));
      });
    const auto* assignment = llvm::dyn_cast<clang::BinaryOperator>(statement);
    if (!assignment || !assignment->isAssignmentOp() || !is_pure(statement)) return false;
    const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(assignment->getLHS()->IgnoreParens());
    const auto* variable = reference ? llvm::dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
    if (!variable || !value_of_.contains(variable)) return false;
    value_of_[variable] = nullptr;
    const std::string right = "(" + written(assignment->getRHS()) + ")";
    const std::string sign = clang::BinaryOperator::getOpcodeStr(assignment->getOpcode()).str();
    const std::string value = assignment->getOpcode() == clang::BO_Assign
                                  ? right
                                  : name_of(variable) + " " + sign.substr(0, sign.size() - 1) + " " + right;
    const std::size_t known = std::max(level(assignment->getRHS()), level(assignment->getLHS()));
    std::string name = fresh_name(context_, variable->getNameAsString() + "_now");
    while (!taken_.insert(name).second) name += "_2";
    return define(variable, name, value, known);
  }

  bool define(const clang::VarDecl* variable, const std::string& name, const std::string& value, std::size_t known) {
    const std::string type = plain_type(context_.ast, variable->getType());
    if (type.empty()) return false;
    levels_[known].declarations.push_back("const " + type + " " + name + " = " + value + ";\n");
    names_[variable] = name;
    level_of_[variable] = known;
    return true;
  }

  void ask(const clang::Expr* test, bool negated) {
    std::vector<ItemCondition> conditions;
    split_condition(test, negated, conditions);
    for (const ItemCondition& condition : conditions) {
      RaisedLevel& known = levels_[level(condition.test)];
      if (!known.stride && (known.stride = stride_of(condition, *known.loop))) {
        raised_ = true;
        continue;
      }
      raised_ |= known.loop != levels_.back().loop;
      known.questions.push_back(text_of(renamed(condition.test), condition));
    }
  }

  // E % m == 0, where a step of the loop is one of E.
  std::optional<LongStep> stride_of(const ItemCondition& condition, const Loop& loop) const {
    const auto* test = llvm::dyn_cast<clang::BinaryOperator>(condition.test->IgnoreParenImpCasts());
    if (!test || loop.step != 1 || test->getOpcode() != (condition.negated ? clang::BO_NE : clang::BO_EQ))
      return std::nullopt;
    const auto* rest = llvm::dyn_cast<clang::BinaryOperator>(test->getLHS()->IgnoreParenImpCasts());
    const auto zero = IndexPolynomial::of(context_.ast, test->getRHS());
    if (!rest || rest->getOpcode() != clang::BO_Rem || !zero || zero->as_constant() != 0) return std::nullopt;
    const auto by = IndexPolynomial::of(context_.ast, rest->getRHS());
    const long long modulus = by ? by->as_constant().value_or(0) : 0;
    const clang::Expr* value = value_behind(rest->getLHS());
    if (modulus < 2 || !value || !value->getType()->isSignedIntegerType()) return std::nullopt;
    const auto polynomial = IndexPolynomial::of(context_.ast, value);
    const auto along = polynomial ? polynomial->stride(loop.variable) : std::nullopt;
    const auto sign = along ? along->as_constant() : std::nullopt;
    if (!sign || (*sign != 1 && *sign != -1) || !known_outside(value, loop)) return std::nullopt;
    Substitution at_start = renamed(value);
    at_start.rename(value, loop.variable, loop.lower_text);
    const std::string m = std::to_string(modulus), first = "(" + at_start.text(value) + ") % " + m;
    const std::string offset = *sign < 0 ? "(" + first + " + " + m + ") % " + m : "(" + m + " - " + first + ") % " + m;
    return LongStep{loop.lower_text == "0" ? offset : loop.lower_text + " + " + offset, modulus};
  }

  // What a local of the nest was declared as, unless it changed since.
  const clang::Expr* value_behind(const clang::Expr* expression) const {
    const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(expression->IgnoreParenImpCasts());
    const auto value = reference ? value_of_.find(reference->getDecl()) : value_of_.end();
    return value == value_of_.end() ? expression->IgnoreParenImpCasts() : value->second;
  }

  bool known_outside(const clang::Expr* value, const Loop& loop) const {
    const auto references = all_of<clang::DeclRefExpr>(value);
    return std::ranges::all_of(references, [&](const clang::DeclRefExpr* reference) {
      const auto known = level_of_.find(reference->getDecl());
      return reference->getDecl() == loop.variable || known == level_of_.end() ||
             known->second < level_of_.at(loop.variable);
    });
  }

  std::size_t level(const clang::Stmt* statement) const {
    std::size_t known = 0;
    for (const auto* reference : all_of<clang::DeclRefExpr>(statement))
      if (const auto at = level_of_.find(reference->getDecl()); at != level_of_.end())
        known = std::max(known, at->second);
    return known;
  }

  std::string name_of(const clang::VarDecl* variable) const {
    const auto name = names_.find(variable);
    return name == names_.end() ? variable->getNameAsString() : name->second;
  }

  Substitution renamed(const clang::Stmt* statement) const {
    Substitution changes(context_.ast);
    for (const auto& [variable, name] : names_)
      if (name != variable->getNameAsString()) changes.rename(statement, variable, name);
    return changes;
  }

  std::string written(const clang::Stmt* statement) {
    const Substitution changes = renamed(statement);
    const std::string text = changes.text(statement);
    spoiled_ |= changes.spoiled();
    return text;
  }

  const KernelContext& context_;
  std::vector<RaisedLevel> levels_;
  std::map<const clang::ValueDecl*, std::size_t> level_of_;
  std::map<const clang::ValueDecl*, const clang::Expr*> value_of_;
  std::map<const clang::VarDecl*, std::string> names_;
  std::set<std::string> taken_;
  std::string effects_;
  bool raised_ = false, spoiled_ = false;
};

class RaiseConditions final : public LoopTransformation {
 public:
  std::string_view name() const override { return "raise_conditions"; }

 protected:
  bool fits(const KernelContext& context, LoopNest& nest, const Loop& loop) const override {
    if (loop.parent && loop.parent->counted && fits(context, nest, *loop.parent)) return false;
    return GuardedNest(context, loop).read();
  }

  std::optional<std::string> rewritten(const KernelContext& context, LoopNest&, const Loop& loop,
                                       const std::vector<int>&) const override {
    GuardedNest nest(context, loop);
    return nest.read() ? std::optional(nest.text()) : std::nullopt;
  }
};

}  // namespace

std::unique_ptr<Transformation> make_raise_conditions() {
  return std::make_unique<RaiseConditions>();
}

}  // namespace hone::frontend
