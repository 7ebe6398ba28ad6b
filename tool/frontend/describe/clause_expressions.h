// What the harness computes for the judge: the clauses' expressions, as Clang reads them. Borrows the AST.
#pragma once

#include <vector>

namespace clang {
class Expr;
class FunctionDecl;
}  // namespace clang

namespace hone::frontend {

// By ExpressionId, of the harness's function that computes them: it stores one with each of its calls, in order.
std::vector<const clang::Expr*> clause_expressions(const clang::FunctionDecl& clauses);

}  // namespace hone::frontend
