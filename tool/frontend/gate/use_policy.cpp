#include "tool/frontend/gate/use_policy.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/Basic/SourceManager.h>

#include <algorithm>
#include <string>

#include "tool/frontend/gate/candidate_place.h"
#include "tool/frontend/gate/cuda_policy.h"
#include "tool/frontend/gate/policy_words.h"
#include "tool/frontend/gate/ptx_words.h"
#include "tool/frontend/parse/device_code.h"
#include "tool/model/workload_kernel.h"

namespace hone::frontend {
namespace {

using namespace clang;

// What a compiler knows of a call's arguments depends on the caller.
bool asks_for_surroundings(const std::string& name) {
  return name == "__builtin_constant_p" || name == "__builtin_is_constant_evaluated" ||
         name == "is_constant_evaluated" || name == "__builtin_object_size" || name == "__builtin_dynamic_object_size";
}

// Built in (__syncthreads): Clang says that it stands where somebody used it first.
bool is_builtin(const NamedDecl& declared) {
  const auto* function = llvm::dyn_cast<FunctionDecl>(&declared);
  return function && function->isImplicit() && function->getBuiltinID() != 0;
}

// Empty objects that only choose an overload: std::nothrow, std::execution::par.
bool is_tag(const VarDecl& variable) {
  const CXXRecordDecl* record = variable.getType()->getAsCXXRecordDecl();
  return record && record->hasDefinition() && record->isEmpty();
}

// A variable that clauses name: "weights", "app::grid.w".
bool is_given(const VarDecl& variable, const KernelSpec& spec) {
  if (!spec.built || !variable.isFileVarDecl()) return false;
  const std::string qualified = variable.getQualifiedNameAsString();
  return std::ranges::any_of(spec.parameters, [&](const Parameter& datum) {
    std::string root = datum.name.substr(0, datum.name.find_first_of(".-[("));
    if (root.starts_with("::")) root.erase(0, 2);
    return root == qualified || root == variable.getNameAsString();
  });
}

// cuda::std::chrono::system_clock::now() reads the device's timer.
bool reads_clock(const NamedDecl& used, const std::string& name) {
  return name == "now" && used.getQualifiedNameAsString().find("chrono::") != std::string::npos;
}

// Of cuda::ptx, which has a function for each instruction.
bool is_ptx(const FunctionDecl& function) {
  const std::string name = function.getQualifiedNameAsString();
  return name.starts_with("cuda::") && name.find("::ptx::") != std::string::npos;
}

bool is_declared_only(const SourceManager& sources, const NamedDecl& used) {
  const auto* function = llvm::dyn_cast<FunctionDecl>(&used);
  return function && in_candidate(sources, function->getLocation()) && !function->isDefined() &&
         !function->isImplicit() && !function->isDefaulted() && !function->isDeleted() &&
         !function->getTemplateInstantiationPattern() && !function->isDependentContext() && !function->isPureVirtual();
}

}  // namespace

std::string UsePolicy::object(const NamedDecl& used, bool on_device) const {
  const std::string name = used.getNameAsString();
  if (name.starts_with("hone_") && name != spec_.own_launch.name)
    return "'" + name + "' is the judge's name, not a candidate's";
  if (used.getQualifiedNameAsString().starts_with("hone::"))
    return "'" + used.getQualifiedNameAsString() + "' belongs to the judge's workload, not to a candidate";
  if (name == "__builtin_shuffle") return "";
  if (original_.names.contains(used.getQualifiedNameAsString())) return "";
  if (used.getASTContext().getLangOpts().CUDA && sources_.isInSystemHeader(used.getLocation()))
    if (std::string why = object_to_cuda(used, name, on_device); !why.empty()) return why;
  if (asks_for_surroundings(name))
    return "'" + name + "' gives another answer where the kernel is linked than where it is judged";
  if (is_forbidden_builtin(name)) return "'" + name + "' is not allowed: a kernel only computes";
  for (const Decl* one : used.redecls())
    if (const auto* declared = llvm::dyn_cast<NamedDecl>(one))
      if (std::string why = object_to_home(used, *declared); !why.empty()) return why;
  return is_declared_only(sources_, used)
             ? "'" + name + "' is declared but not defined; a candidate brings its own helpers"
             : "";
}

std::string UsePolicy::object_to_cuda(const NamedDecl& used, const std::string& name, bool on_device) const {
  if (reads_clock(used, name)) return "'" + used.getQualifiedNameAsString() + "' is not allowed: it reads a clock";
  if (llvm::isa<CXXMethodDecl>(used)) return "";  // of a type that is fine by itself
  const auto* function = llvm::dyn_cast<FunctionDecl>(&used);
  if (function && !spec_.cuda && drives_device(*function))
    return "'" + name + "' is not allowed: this kernel works on the processor";
  if (function)
    if (std::string why = is_ptx(*function) ? object_to_ptx_function(name) : object_to_runtime_call(name); !why.empty())
      return why;
  return !function || on_device ? object_to_device_name(name) : "";
}

// By where one of its declarations stands.
std::string UsePolicy::object_to_home(const NamedDecl& used, const NamedDecl& declared) const {
  const SourceLocation home = sources_.getExpansionLoc(declared.getLocation());
  if (home.isInvalid() || in_candidate(sources_, home) || is_builtin(declared)) return "";
  return sources_.isInSystemHeader(home) ? object_to_library(used, sources_.getFilename(home).str())
                                         : object_to_users(used);
}

std::string UsePolicy::object_to_library(const NamedDecl& used, const std::string& header) const {
  if (llvm::isa<FieldDecl, IndirectFieldDecl>(used)) return "";  // of an object that somebody else made
  const auto* variable = llvm::dyn_cast<VarDecl>(&used);
  if (variable && variable->hasGlobalStorage() && !variable->isConstexpr() && !variable->getType().isConstQualified() &&
      !variable->getType()->isReferenceType() && !is_tag(*variable))
    return "'" + used.getQualifiedNameAsString() + "' is state of the library; a kernel only computes";
  const auto* function = llvm::dyn_cast<FunctionDecl>(&used);
  const bool known = function && original_.folders.contains(folder_of(sources_, *function)) &&
                     header.find("/usr/include/") == std::string::npos;
  const auto* owner = llvm::dyn_cast<CXXRecordDecl>(used.getDeclContext());
  const bool threads = spec_.threads > 1;
  const bool forbidden = is_forbidden_use(header, used.getNameAsString(), threads) ||
                         (owner && is_forbidden_use(header, owner->getNameAsString(), threads));
  if (!forbidden || known) return "";
  return "'" + used.getQualifiedNameAsString() +
         "' is not allowed: a kernel computes, it does no I/O and asks the system for nothing";
}

// The user's own: what the original reaches belongs to what the request key stands for; the rest may change unseen.
std::string UsePolicy::object_to_users(const NamedDecl& used) const {
  const std::string name = used.getNameAsString();
  const auto* variable = llvm::dyn_cast<VarDecl>(&used);
  if (variable && variable->hasGlobalStorage() && !variable->isConstexpr() && !variable->getType().isConstQualified() &&
      !is_given(*variable, spec_))
    return "'" + name + "' is a variable that other code can change";
  const auto* function = llvm::dyn_cast<FunctionDecl>(&used);
  if (!function || function->isCXXClassMember() || is_kernel(*function, spec_)) return "";
  if (function->getFormalLinkage() != Linkage::Internal && !function->hasBody())
    return "'" + name + "' is defined in another file; a candidate brings its own helpers";
  if (sources_.getFileID(sources_.getExpansionLoc(function->getLocation())) != sources_.getMainFileID())
    return "'" + used.getQualifiedNameAsString() +
           "' is not used by the original: an edit of it would go unnoticed; a candidate brings its own helpers";
  if (has_workload(spec_))  // which is in the unit, with all that it calls
    return "'" + used.getQualifiedNameAsString() + "' is not used by the original; a candidate brings its own helpers";
  return "";
}

}  // namespace hone::frontend
