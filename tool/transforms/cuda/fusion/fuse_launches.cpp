// Two launches, one behind the other, as one: what both read is loaded once, and a launch costs microseconds. What the
// first kernel writes for the second is written all the same, since the caller may want it.
#include <algorithm>
#include <set>
#include <string>

#include "tool/transforms/code/loop_text.h"
#include "tool/transforms/cuda/device_text.h"
#include "tool/transforms/cuda/fusion/launch_pair.h"
#include "tool/transforms/cuda/own_kernels.h"

namespace hone::frontend {
namespace {

class Fusion {
 public:
  Fusion(const KernelContext& context, const LaunchPair& pair)
      : context_(context), pair_(pair), edits_(context), renamed_(context.ast) {}

  std::optional<std::string> candidate() {
    const clang::FunctionDecl *first = context_.kernel, *second = pair_.second_context.kernel;
    if (first->getNumParams() == 0 || second->getNumParams() == 0) return std::nullopt;
    std::string parameters, arguments;
    for (const clang::ParmVarDecl* parameter : second->parameters())
      if (!take(parameter, parameters, arguments)) return std::nullopt;
    const auto last = range_of(context_.ast, first->getParamDecl(first->getNumParams() - 1)->getSourceRange());
    const auto gone = definition_range(context_, second);
    if (!last || !gone) return std::nullopt;
    edits_.insert(last->end, parameters);
    take_items();
    const Substitution plain(context_.ast);
    replace_body(edits_, context_, other_indices(pair_.first, "") + both_works(plain));
    edits_.replace(*gone, "");
    // At the second one's place: what stands between them may be what it is handed.
    const clang::CUDAKernelCallExpr *first_call = pair_.first.launch.call, *second_call = pair_.second.launch.call;
    Substitution call(context_.ast);
    call.insert_after(first_call->getArg(first_call->getNumArgs() - 1), arguments);
    edits_.replace(second_call, call.text(first_call));
    edits_.replace(first_call, "");
    if (plain.spoiled() || call.spoiled() || renamed_.spoiled()) return std::nullopt;
    return edits_.candidate();
  }

 private:
  // The second kernel's items are the first one's.
  void take_items() {
    for (const ItemIndex& item : pair_.second.items) rename(item.variable, pair_.first.along(item.dimension)->name);
  }

  void rename(const clang::ValueDecl* variable, const std::string& name) {
    for (const auto* part : {&pair_.second.before, &pair_.second.work})
      for (const clang::Stmt* statement : *part) renamed_.rename(statement, variable, name);
    for (const ItemCondition& condition : pair_.second.conditions) renamed_.rename(condition.test, variable, name);
  }

  // Under one condition where both have the same: other moves know that form.
  std::string both_works(const Substitution& plain) {
    const DeviceKernel &one = pair_.first, &other = pair_.second;
    const std::string condition = text_of(plain, one.conditions);
    const std::string second = item_text(renamed_, other);
    const bool simple = one.before.empty() && other.before.empty();
    if (!simple || condition != text_of(renamed_, other.conditions) || clash())
      return (one.before.empty() ? item_text(plain, one) : braces(item_text(plain, one))) + "\n" +
             (other.before.empty() ? second : braces(second));
    const std::string works = text_of(plain, one.work) + text_of(renamed_, other.work);
    return condition.empty() ? works : "if (" + condition + ") " + braces(works);
  }

  // Does the second kernel's work declare, or mean, another thing by a name that the first one's declares?
  bool clash() const {
    std::set<std::string> names;
    for (const clang::Stmt* statement : pair_.first.work)
      for (const clang::VarDecl* variable : declared_in(statement)) names.insert(variable->getNameAsString());
    return std::ranges::any_of(pair_.second.work, [&](const clang::Stmt* statement) {
      return std::ranges::any_of(declared_in(statement), [&](const clang::VarDecl* variable) {
        return names.contains(variable->getNameAsString());
      });
    });
  }

  // A parameter of the second kernel: the first one's, or one more.
  bool take(const clang::ParmVarDecl* parameter, std::string& parameters, std::string& arguments) {
    const auto range = range_of(context_.ast, parameter->getSourceRange());
    if (!range || !parameter->getIdentifier()) return false;
    const auto known = std::ranges::find(pair_.shared, parameter,
                                         &std::pair<const clang::ParmVarDecl*, const clang::ParmVarDecl*>::first);
    const std::string name = known != pair_.shared.end() ? known->second->getNameAsString() : unused(parameter);
    Substitution declared(context_.ast);
    declared.replace_name(parameter, name);
    if (known == pair_.shared.end()) {
      parameters += ", " + declared.text(*range);
      const auto value = range_of(
          context_.ast, pair_.second.launch.call->getArg(parameter->getFunctionScopeIndex())->getSourceRange());
      if (!value) return false;
      arguments += ", " + declared.text(*value);
    } else if (!same_or_looser(known->second->getType(), parameter->getType())) {
      // The first kernel only reads what the second one writes.
      if (!same_or_looser(parameter->getType(), known->second->getType())) return false;
      edits_.replace(range_of(context_.ast, known->second->getSourceRange()), declared.text(*range));
    }
    rename(parameter, name);
    return !declared.spoiled();
  }

  // Whether a parameter of type `one` can stand for one of type `other`: equal, or its elements may be written, too.
  bool same_or_looser(clang::QualType one, clang::QualType other) const {
    one = one.getCanonicalType().getUnqualifiedType();
    other = other.getCanonicalType().getUnqualifiedType();
    if (one == other) return true;
    return one->isPointerType() && other->isPointerType() && !one->getPointeeType().isConstQualified() &&
           other->getPointeeType().isConstQualified() &&
           one->getPointeeType() == other->getPointeeType().getUnqualifiedType();
  }

  // Its own name, unless the first kernel or another of these has it.
  std::string unused(const clang::ParmVarDecl* parameter) {
    const std::string name = parameter->getNameAsString();
    const bool taken = std::ranges::any_of(
        context_.kernel->parameters(), [&](const clang::ParmVarDecl* one) { return one->getNameAsString() == name; });
    return taken ? fresh_name(context_, name + "_next") : name;
  }

  const KernelContext& context_;
  const LaunchPair& pair_;
  Edits edits_;
  Substitution renamed_;
};

class FuseLaunches final : public Transformation {
 public:
  std::string_view name() const override { return "fuse_launches"; }

  unsigned sites(const KernelContext& context) const override { return launch_pair_of(context) ? 1 : 0; }

  std::optional<std::string> apply(const KernelContext& context, unsigned, const std::vector<int>&) const override {
    const auto pair = launch_pair_of(context);
    return pair ? Fusion(context, *pair).candidate() : std::nullopt;
  }
};

}  // namespace

std::unique_ptr<Transformation> make_fuse_launches() {
  return std::make_unique<FuseLaunches>();
}

}  // namespace hone::frontend
