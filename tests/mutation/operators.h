// What may be done wrong at each kind of place: one function for a node, which adds the mutants of that place.
#pragma once

#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/Stmt.h>

#include "tests/mutation/changes.h"

namespace hone::mutation {

// expressions.cpp
void change_operator(const clang::BinaryOperator& node, Changes& changes);
void change_operands(const clang::BinaryOperator& node, Changes& changes);
void change_sign(const clang::UnaryOperator& node, Changes& changes);
void change_precedence(const clang::ParenExpr& node, Changes& changes);
void change_choice(const clang::ConditionalOperator& node, Changes& changes);
void change_index(const clang::ArraySubscriptExpr& node, Changes& changes);
void change_call(const clang::CallExpr& node, Changes& changes);
// Another parameter of the same type in its place.
void change_name(const clang::DeclRefExpr& node, Changes& changes);

// constants.cpp
void change_integer(const clang::IntegerLiteral& node, Changes& changes);
void change_character(const clang::CharacterLiteral& node, Changes& changes);
void change_float(const clang::FloatingLiteral& node, Changes& changes);
void change_truth(const clang::CXXBoolLiteralExpr& node, Changes& changes);

// statements.cpp
void change_branch(const clang::IfStmt& node, Changes& changes);
void change_loop(const clang::ForStmt& node, Changes& changes);
void change_block(const clang::CompoundStmt& node, Changes& changes);
void drop_statement(const clang::Stmt& node, Changes& changes);
void change_return(const clang::ReturnStmt& node, Changes& changes);

// declarations.cpp
void change_variable(const clang::VarDecl& node, Changes& changes);
void change_cast(const clang::ExplicitCastExpr& node, Changes& changes);

}  // namespace hone::mutation
