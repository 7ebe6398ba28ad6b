#include "tool/frontend/unit/launch_text.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>

#include <vector>

#include "tool/frontend/arguments/clause_text.h"
#include "tool/frontend/describe/placement.h"
#include "tool/frontend/parse/naming.h"
#include "tool/frontend/parse/source_tokens.h"
#include "tool/frontend/parse/template_parameter.h"
#include "tool/frontend/unit/variant_launch.h"

namespace hone::frontend {
namespace {

using namespace clang;

constexpr std::size_t kDigitsOfKey = 8;  // keeps names short; 32 bits tell a file's kernels apart

std::string name_of(const ParmVarDecl& parameter) {
  const std::string own = parameter.getNameAsString();
  return own.empty() ? "hone_argument_" + std::to_string(parameter.getFunctionScopeIndex()) : own;
}

// "float *x, int n"
std::string parameters_of(const FunctionDecl& kernel) {
  std::string text;
  for (const ParmVarDecl* parameter : kernel.parameters())
    text += (text.empty() ? "" : ", ") +
            spelled(parameter->getType().getUnqualifiedType(), kernel.getASTContext(), name_of(*parameter));
  return text;
}

std::string with(const std::string& list, const std::string& further) {
  return list.empty() ? further : list + ", " + further;
}

std::string dimensions(const std::vector<annotations::Expression>& sizes) {
  std::string text;
  for (const annotations::Expression& size : sizes)
    text += (text.empty() ? "" : ", ") + ("static_cast<unsigned>(" + size.text + ")");
  return "dim3(" + text + ")";
}

std::string list_of(const std::vector<annotations::Expression>& sizes) {
  std::string text;
  for (const annotations::Expression& size : sizes) text += (text.empty() ? "" : ", ") + size.text;
  return text;
}

// As a person would write it between <<< and >>>.
std::string argument(const std::vector<annotations::Expression>& sizes) {
  return sizes.size() == 1 ? sizes.front().text : "dim3(" + list_of(sizes) + ")";
}

// More than every kernel may have without asking.
std::string asked_for(const std::string& shared, const std::string& kernel) {
  constexpr double kFree = 48 << 10;
  if (const auto bytes = plain_number(shared); bytes && *bytes <= kFree) return "";
  return "  if ((" + shared + ") > 49152)\n    cudaFuncSetAttribute(" + kernel +
         ", cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(" + shared + "));\n";
}

}  // namespace

std::string arguments_of(const FunctionDecl& function) {
  std::string text;
  for (const ParmVarDecl* parameter : function.parameters()) text += (text.empty() ? "" : ", ") + name_of(*parameter);
  return text;
}

std::string own_launch_name(const FunctionDecl& kernel) {
  return std::string(kOwnLaunchPrefix) + kernel.getNameAsString();
}

OwnLaunch own_launch_of(const FunctionDecl& kernel, const annotations::Launch& launch, const std::string& why_not) {
  OwnLaunch own;
  own.name = own_launch_name(kernel);
  own.signature = "static void " + own.name + "(" + with(parameters_of(kernel), "cudaStream_t stream") + ")";
  const std::string shared = launch.shared ? launch.shared->text : "0";
  own.definition = own.signature + " {\n" + asked_for(shared, kernel.getNameAsString()) + "  " +
                   kernel.getNameAsString() + "<<<" + argument(launch.grid) + ", " + argument(launch.block) + ", " +
                   shared + ", stream>>>(" + arguments_of(kernel) + ");\n}\n";
  own.replaced = "grid(" + list_of(launch.grid) + "), block(" + list_of(launch.block) + ")" +
                 (launch.shared ? ", shared(" + shared + ")" : "");
  own.why_not = why_not;
  return own;
}

LaunchSites starter_of(const FunctionDecl& kernel, const annotations::Launch& launch, const std::string& key) {
  const std::string qualifier = enclosing_qualifier(kernel), kernel_name = kernel.getNameAsString();
  const std::string name = "hone_start_" + kernel_name + "_" + key.substr(0, kDigitsOfKey);
  // What stands in an unnamed namespace, as the glue itself does, has only the nearest name that is its own.
  const std::string here = kernel.isInAnonymousNamespace() ? "" : qualifier;
  const std::string arguments = arguments_of(kernel), shared = launch.shared ? launch.shared->text : "0";
  LaunchSites launches;
  launches.starter = qualifier + name;
  launches.glue = "namespace {\nstruct " + name +
                  " {\n  dim3 hone_grid, hone_block;\n  unsigned long hone_shared;\n  cudaStream_t hone_stream;\n  " +
                  name + R"((dim3 hone_g, dim3 hone_b, unsigned long hone_s = 0, cudaStream_t hone_on = 0)
      : hone_grid(hone_g), hone_block(hone_b), hone_shared(hone_s), hone_stream(hone_on) {}
  static bool hone_same(const dim3& hone_a, const dim3& hone_b) {
    return hone_a.x == hone_b.x && hone_a.y == hone_b.y && hone_a.z == hone_b.z;
  }
  bool hone_empty() const { return hone_grid.x == 0 || hone_grid.y == 0 || hone_grid.z == 0; }
)" + "  void operator()(" +
                  parameters_of(kernel) + ") const {\n    if (!hone_empty() && hone_same(hone_grid, " +
                  dimensions(launch.grid) + ") && hone_same(hone_block, " + dimensions(launch.block) +
                  ") &&\n        hone_shared == static_cast<unsigned long>(" + shared + "))\n      " + here +
                  own_launch_name(kernel) + "(" + with(arguments, "hone_stream") + ");\n    else\n      " + here +
                  kernel_name + "<<<hone_grid, hone_block, hone_shared, hone_stream>>>(" + arguments +
                  ");\n  }\n};\n}\n";
  return launches;
}

bool brings_launch(const KernelSpec& spec, const std::string& variant) {
  if (spec.own_launch.name.empty()) return false;
  const SourceTokens tokens(variant, permissive_language());
  for (std::size_t i = 0; i < tokens.size(); ++i)
    if (tokens.is(i, spec.own_launch.name)) return true;
  return false;
}

std::string why_not_here(const KernelSpec& spec, const std::string& variant) {
  if (spec.own_launch.why_not.empty() || !brings_launch(spec, variant)) return "";
  return "it launches kernels of its own, and " + spec.own_launch.why_not;
}

}  // namespace hone::frontend
