// A local that is set again, once and for all of what comes later, becomes another one: each then stands for one value,
// which other transformations look through.
//
//   int i = x + dx;                              int i = x + dx;
//   if (i < 0) i = 0; else if (i > n) i = n;  →  const int i_2 = (i < 0) ? (0) : (i > n) ? (n) : i;
//   y[i] = …                                     y[i_2] = …
//
// All such locals of the kernel's loops at once.
#include <algorithm>
#include <map>

#include "tool/transforms/calls/quiet.h"
#include "tool/transforms/calls/stable_value.h"
#include "tool/transforms/canonical/operation.h"
#include "tool/transforms/code/language_text.h"
#include "tool/transforms/code/loop_text.h"

namespace hone::frontend {
namespace {

constexpr std::size_t most_settings = 4;  // of one local

struct Choice;

// What a statement sets a local to.
struct Setting {
  const clang::VarDecl* local = nullptr;
  const clang::Stmt* statement = nullptr;
  const clang::Expr* value = nullptr;  // of a plain assignment
  std::vector<Choice> choices;         // else by conditions, in order,
  std::vector<Setting> otherwise;      // and what remains: none: as it was
};

struct Choice {
  const clang::Expr* condition;
  Setting setting;
};

bool is_plain(const clang::Expr* value) {
  return is_quiet(value) && !effects_of(value).calls_unknown;
}

std::optional<Setting> setting_of(const clang::Stmt* statement, const clang::VarDecl* local) {
  if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(statement)) {
    if (branch->getInit() || branch->getConditionVariable() || branch->isConstexpr() || !is_plain(branch->getCond()))
      return std::nullopt;
    const auto inside = statements_of(branch->getThen());
    const auto then = inside.size() == 1 ? setting_of(inside[0], local) : std::nullopt;
    if (!then || !then->value) return std::nullopt;
    Setting setting{local, statement, nullptr, {{branch->getCond(), *then}}, {}};
    if (!branch->getElse()) return setting;
    const auto others = statements_of(branch->getElse());
    const auto rest = others.size() == 1 ? setting_of(others[0], local) : std::nullopt;
    if (!rest) return std::nullopt;
    setting.otherwise.push_back(*rest);
    return setting;
  }
  const auto* expression = llvm::dyn_cast<clang::Expr>(statement);
  const auto operation = expression ? operation_of(expression) : Operation();
  if (operation.kind != clang::OO_Equal || named_variable(operation.left) != local || !is_plain(operation.right))
    return std::nullopt;
  return Setting{local, statement, operation.right, {}, {}};
}

struct Local {
  const clang::VarDecl* variable = nullptr;
  std::vector<Setting> settings;
};

class Finder {
 public:
  explicit Finder(const KernelContext& context) : context_(context), stable_(context) {
    const LoopNest nest(context);
    for (const Loop& loop : nest.loops())
      if (!loop.parent && !loop.in_lambda)
        for (const auto* block : all_of<clang::CompoundStmt>(loop.body)) add(*block);
  }

  std::vector<Local> locals;

 private:
  void add(const clang::CompoundStmt& block) {
    for (const clang::Stmt* statement : block.body()) {
      const auto* declared = llvm::dyn_cast<clang::DeclStmt>(statement);
      if (!declared) continue;
      for (const clang::Decl* one : declared->decls()) {
        const auto* local = llvm::dyn_cast<clang::VarDecl>(one);
        if (!local || !is_candidate(*local)) continue;
        if (auto found = settings_of(*local, block)) locals.push_back({local, std::move(*found)});
      }
    }
  }

  bool is_candidate(const clang::VarDecl& local) const {
    const clang::QualType type = local.getType();
    return local.hasInit() && local.hasLocalStorage() && stable_.is_private(&local) && type->isArithmeticType() &&
           !type.isConstQualified() && !plain_type(context_.ast, type).empty();
  }

  // nullopt: it is never set again, or in another way.
  std::optional<std::vector<Setting>> settings_of(const clang::VarDecl& local, const clang::CompoundStmt& block) const {
    std::vector<Setting> settings;
    for (const clang::Stmt* statement : block.body()) {
      if (!writes_variable(statement, &local)) continue;
      const auto setting = setting_of(statement, &local);
      if (!setting || !range_of(context_.ast, statement)) return std::nullopt;
      settings.push_back(*setting);
    }
    return settings.empty() || settings.size() > most_settings ? std::nullopt : std::optional(std::move(settings));
  }

  const KernelContext& context_;
  StableValues stable_;
};

class Writer {
 public:
  explicit Writer(const KernelContext& context) : context_(context), edits_(context), names_(context) {}

  std::optional<std::string> write(const std::vector<Local>& locals) {
    for (const Local& local : locals) rename(local);
    for (const Local& local : locals)
      for (std::size_t number = 0; number < local.settings.size(); ++number) set(local, number);
    return edits_.candidate();
  }

 private:
  // Each use by the name that the value has there.
  void rename(const Local& local) {
    std::vector<std::string>& names = names_of_[local.variable];
    names.push_back(local.variable->getNameAsString());
    while (names.size() <= local.settings.size())
      names.push_back(names_.make(local.variable->getNameAsString() + "_" + std::to_string(names.size() + 1)));
    for (const auto* use : all_of<clang::DeclRefExpr>(context_.kernel->getBody())) {
      if (use->getDecl() != local.variable) continue;
      const auto behind = std::ranges::count_if(local.settings, [&](const Setting& setting) {
        return context_.sources().isBeforeInTranslationUnit(setting.statement->getEndLoc(), use->getBeginLoc()) &&
               !holds(setting.statement, use);
      });
      uses_.replace(range_of(context_.ast, use->getSourceRange()), names[static_cast<std::size_t>(behind)]);
      edits_.replace(range_of(context_.ast, use->getSourceRange()), names[static_cast<std::size_t>(behind)]);
    }
  }

  void set(const Local& local, std::size_t number) {
    const auto& names = names_of_.at(local.variable);
    edits_.replace(local.settings[number].statement, "const " + plain_type(context_.ast, local.variable->getType()) +
                                                         " " + names[number + 1] + " = " +
                                                         text(local.settings[number], names[number]) + ";");
  }

  std::string text(const clang::Expr* expression) const {
    const auto range = range_of(context_.ast, expression->getSourceRange());
    return range ? uses_.text(*range) : uses_.text(expression);
  }

  std::string text(const Setting& setting, const std::string& before) const {
    if (setting.value) return text(setting.value);
    std::string chosen;
    for (const auto& [condition, value] : setting.choices)
      chosen += "(" + text(condition) + ") ? " + chosen_value(value, before) + " : ";
    return chosen + (setting.otherwise.empty() ? before : chosen_value(setting.otherwise.front(), before));
  }

  // In the local's own type: values of two types would be converted to one of theirs first.
  std::string chosen_value(const Setting& setting, const std::string& before) const {
    const std::string written = text(setting, before);
    if (!setting.value) return "(" + written + ")";
    const clang::QualType type = setting.local->getType(), own = setting.value->IgnoreParenImpCasts()->getType();
    if (own.getCanonicalType().getUnqualifiedType() == type.getCanonicalType().getUnqualifiedType())
      return "(" + written + ")";
    return converted(context_.ast, plain_type(context_.ast, type), written);
  }

  const KernelContext& context_;
  Edits edits_;
  Substitution uses_{context_.ast};
  NewNames names_;
  std::map<const clang::VarDecl*, std::vector<std::string>> names_of_;
};

class SingleAssignment final : public Transformation {
 public:
  std::string_view name() const override { return "single_assignment"; }

  unsigned sites(const KernelContext& context) const override { return Finder(context).locals.empty() ? 0 : 1; }

  std::optional<std::string> apply(const KernelContext& context, unsigned, const std::vector<int>&) const override {
    const Finder finder(context);
    return finder.locals.empty() ? std::nullopt : Writer(context).write(finder.locals);
  }
};

}  // namespace

std::unique_ptr<Transformation> make_single_assignment() {
  return std::make_unique<SingleAssignment>();
}

}  // namespace hone::frontend
