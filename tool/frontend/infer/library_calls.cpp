#include "tool/frontend/infer/library_calls.h"

#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>

#include <string>
#include <string_view>

namespace hone::frontend {
namespace {

using namespace clang;
using Transfers = std::optional<std::vector<Transfer>>;

// qsort(elements, n, …)
Transfers of_sort(const CallExpr& call, std::string_view name) {
  if (name != "qsort" || call.getNumArgs() != 4) return std::nullopt;
  return {{{.pointer = call.getArg(0), .reads = true, .writes = true, .count = call.getArg(1), .in_bytes = false}}};
}

// _mm256_loadu_ps(x + i), _mm_store_si128(…): as many bytes as the register has.
Transfers of_vector(const CallExpr& call, std::string_view name) {
  const auto has = [&](std::string_view word) { return name.find(word) != name.npos; };
  const bool loads = has("_load_") || has("_loadu_"), stores = has("_store_") || has("_storeu_") || has("_stream_");
  if (!name.starts_with("_mm") || !(loads || stores) || call.getNumArgs() == 0) return std::nullopt;
  const double bytes = name.starts_with("_mm512") ? 64 : name.starts_with("_mm256") ? 32 : 16;
  return {{{.pointer = call.getArg(0), .reads = loads, .writes = !loads, .bytes = bytes}}};
}

// memcpy(to, from, n * sizeof(T)) and its kin.
Transfers of_copy(const CallExpr& call, std::string_view name) {
  if (name.starts_with("__builtin_")) name.remove_prefix(10);
  const bool copies = name == "memcpy" || name == "memmove";
  if ((!copies && name != "memset") || call.getNumArgs() < 3) return std::nullopt;
  std::vector<Transfer> transfers{{.pointer = call.getArg(0), .writes = true, .count = call.getArg(2)}};
  if (copies) transfers.push_back({.pointer = call.getArg(1), .reads = true, .count = call.getArg(2)});
  return transfers;
}

}  // namespace

std::optional<std::vector<Transfer>> transfers_of(const CallExpr& call) {
  const FunctionDecl* callee = call.getDirectCallee();
  const std::string name = callee ? callee->getNameAsString() : "";
  for (const auto known : {of_copy, of_sort, of_vector})
    if (auto transfers = known(call, name)) return transfers;
  return std::nullopt;
}

// `(static_cast<bool>(e) ? void(0) : __assert_fail(…))`
const Expr* asserted_by(const Expr& expression) {
  const auto* either = llvm::dyn_cast<ConditionalOperator>(expression.IgnoreParenImpCasts());
  const auto* call = either ? llvm::dyn_cast<CallExpr>(either->getFalseExpr()->IgnoreParenCasts()) : nullptr;
  const FunctionDecl* ends = call ? call->getDirectCallee() : nullptr;
  return ends && ends->isNoReturn() ? either->getCond()->IgnoreParenCasts() : nullptr;
}

}  // namespace hone::frontend
