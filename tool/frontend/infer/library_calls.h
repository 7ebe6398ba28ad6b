// What calls say that everybody knows: memcpy() and its kin, qsort(), vectors' loads and stores, assert(). Pure.
#pragma once

#include <optional>
#include <vector>

namespace clang {
class CallExpr;
class Expr;
}  // namespace clang

namespace hone::frontend {

// What a call reads or writes, from `pointer` on: as many elements or bytes as `count` says, or `bytes`.
struct Transfer {
  const clang::Expr* pointer = nullptr;
  bool reads = false, writes = false;
  const clang::Expr* count = nullptr;
  bool in_bytes = true;
  double bytes = 0;
};
// nullopt: nobody knows the function.
std::optional<std::vector<Transfer>> transfers_of(const clang::CallExpr& call);

// e of `assert(e)`; null: it is none.
const clang::Expr* asserted_by(const clang::Expr& expression);

}  // namespace hone::frontend
