// The words of code that works as a block: the thread's own number, barriers, shared arrays, distances that double.
//
// Contract: true for what is certain, false for everything else. Never changes anything. Borrows the AST.
#pragma once

#include <functional>
#include <optional>

#include "tool/transforms/code/device_kernel.h"

namespace hone::frontend {

const clang::Expr* bare(const clang::Expr* expression);  // without parentheses and implicit casts
// The binary operation that a statement is; null: it is none.
const clang::BinaryOperator* binary_of(const clang::Stmt* statement);
const clang::VarDecl* local_of(const clang::Expr* expression);  // null: it is no reference to a local
bool is_variable(const clang::Expr* expression, const clang::ValueDecl* variable);
bool is_number(const clang::ASTContext& ast, const clang::Expr* expression, long long value);

// threadIdx.x, or a local that holds it and nothing else.
bool is_thread(const KernelContext& context, const clang::Expr* expression);
// __syncthreads();
bool is_barrier(const clang::Stmt* statement);
// Declared __shared__, or a pointer to what is.
bool is_shared(const KernelContext& context, const clang::ValueDecl* declaration);

// v /= 2, v = v >> 1, …
bool halves(const clang::ASTContext& ast, const clang::Stmt* statement, const clang::VarDecl* variable);
bool doubles(const clang::ASTContext& ast, const clang::Stmt* statement, const clang::VarDecl* variable);
// The larger side of a < b or b > a whose smaller one passes; null: another comparison.
const clang::Expr* bound_over(const clang::Expr* test, const std::function<bool(const clang::Expr*)>& lesser);

// An integer expression's value for blocks of so many threads along x; nullopt: it is not known.
std::optional<long long> value_for_block(const clang::ASTContext& ast, const clang::Expr* expression,
                                         std::optional<long long> block);
// The threads along x of blocks that have no others, where the launch says so in numbers.
std::optional<long long> threads_along_x(const KernelContext& context);

}  // namespace hone::frontend
