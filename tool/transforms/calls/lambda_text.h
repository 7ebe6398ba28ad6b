// A lambda's text in place of its call.
//
//   auto at = [&](int i, int j) { return a[i * n + j]; };   at(i, j + 1)   →   (a[i * n + (j + 1)])
//
// Contract: only of lambdas whose body is one value, where the names in it mean the same at the call, and where what it
// has copied is what it would see. Pure. Borrows the AST.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tool/transforms/code/edits.h"

namespace hone::frontend {

using Texts = std::vector<std::string>;
using Types = std::vector<clang::QualType>;
// What a function object gives for arguments, as an expression.
using Operation = std::function<std::string(const Texts&)>;

bool is_alike(clang::QualType a, clang::QualType b);  // but for const and references

// Whether its body may stand where the lambda does.
bool is_transparent(const clang::LambdaExpr& lambda);
// Whether it takes arguments of these types as they are.
bool takes(const clang::LambdaExpr& lambda, const Types& arguments);
void replace_parameter(Substitution& text, const clang::Stmt* within, const clang::ParmVarDecl* parameter,
                       const std::string& with);

// The value of a lambda that is called where it stands.
std::optional<Operation> of_lambda(const KernelContext& context, const clang::LambdaExpr& lambda,
                                   const Types& arguments);

// A call of a local variable that holds a lambda.
std::optional<std::string> called_lambda(const KernelContext& context, const clang::CallExpr& call);

}  // namespace hone::frontend
