#include "tool/transforms/calls/returns.h"

#include <algorithm>

#include "tool/transforms/code/loop_nest.h"

namespace hone::frontend {
namespace {

bool returns(const clang::Stmt* statement) {
  return !all_of<clang::ReturnStmt>(statement).empty();
}

bool always_returns(const clang::Stmt* statement) {
  if (!statement) return false;
  if (llvm::isa<clang::ReturnStmt>(statement)) return true;
  if (const auto* block = llvm::dyn_cast<clang::CompoundStmt>(statement))
    return !block->body_empty() && always_returns(block->body_back());
  const auto* branch = llvm::dyn_cast<clang::IfStmt>(statement);
  return branch && always_returns(branch->getThen()) && always_returns(branch->getElse());
}

// `return;` alone.
bool returns_nothing(const clang::Stmt* branch) {
  const auto statements = statements_of(branch);
  const auto* end = statements.size() == 1 ? llvm::dyn_cast<clang::ReturnStmt>(statements.front()) : nullptr;
  return end && !end->getRetValue();
}

// Inside of something that `break` would leave.
bool returns_from_within(const clang::Stmt* statement, bool within = false) {
  if (!statement) return false;
  if (llvm::isa<clang::ReturnStmt>(statement)) return within;
  within |=
      llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt, clang::SwitchStmt>(statement);
  return std::ranges::any_of(statement->children(),
                             [&](const clang::Stmt* child) { return returns_from_within(child, within); });
}

// What stands last in a statement's text.
const clang::Stmt* last_part_of(const clang::Stmt* node) {
  for (;;) {
    const clang::Stmt* inner = nullptr;
    if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(node)) inner = loop->getBody();
    if (const auto* loop = llvm::dyn_cast<clang::WhileStmt>(node)) inner = loop->getBody();
    if (const auto* loop = llvm::dyn_cast<clang::CXXForRangeStmt>(node)) inner = loop->getBody();
    if (const auto* choice = llvm::dyn_cast<clang::SwitchStmt>(node)) inner = choice->getBody();
    if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(node))
      inner = branch->getElse() ? branch->getElse() : branch->getThen();
    if (!inner) return node;
    node = inner;
  }
}

}  // namespace

std::optional<TextRange> ReturnWriter::range(const clang::Stmt* statement) const {
  const clang::Stmt* last = last_part_of(statement);
  auto range = range_in(context_.ast, callee_.file, clang::SourceRange(statement->getBeginLoc(), last->getEndLoc()));
  if (!range || llvm::isa<clang::CompoundStmt, clang::DeclStmt, clang::NullStmt>(last)) return range;
  const auto& sources = context_.sources();
  const auto here = sources.getLocForStartOfFile(callee_.file).getLocWithOffset(static_cast<int>(range->end));
  clang::Token token;
  if (!clang::Lexer::getRawToken(here, token, sources, context_.ast.getLangOpts(), /*IgnoreWhiteSpace=*/true) &&
      token.is(clang::tok::semi))
    range->end = sources.getFileOffset(token.getEndLoc());
  return range;
}

const clang::ReturnStmt* ReturnWriter::last() const {
  const auto statements = statements_of(callee_.body);
  return statements.empty() ? nullptr : llvm::dyn_cast<clang::ReturnStmt>(statements.back());
}

Ending ReturnWriter::ending() const {
  const auto all = all_of<clang::ReturnStmt>(callee_.body);
  if (all.empty()) return Ending::open;
  if (all.size() == 1 && all.front() == last()) return Ending::value;
  return returns_from_within(callee_.body) ? Ending::impossible : Ending::structured;
}

void ReturnWriter::replace_return(Substitution& text, const clang::ReturnStmt* one, const EndWith& end_with) const {
  text.replace(range(one), "{ " + end_with(one->getRetValue()) + " }");
}

Ending ReturnWriter::close(Substitution& text, const EndWith& end_with) const {
  Substitution closed = text;
  if (close_list(closed, statements_of(callee_.body), callee_.inside.end, end_with) && !closed.spoiled()) {
    text = closed;
    return Ending::structured;
  }
  if (returns_from_within(callee_.body)) return Ending::impossible;
  for (const auto* one : all_of<clang::ReturnStmt>(callee_.body))
    replace_return(text, one, [&](const clang::Expr* value) { return end_with(value) + " break;"; });
  return text.spoiled() ? Ending::impossible : Ending::once;
}

// `end`: where the text of the list ends.
bool ReturnWriter::close_list(Substitution& text, const Statements& list, std::size_t end,
                              const EndWith& end_with) const {
  const auto found = std::ranges::find_if(list, returns);
  if (found == list.end()) return true;
  const Statements rest(found + 1, list.end());
  if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(*found)) return close_if(text, *branch, rest, end, end_with);
  return rest.empty() && close_branch(text, *found, end_with);
}

bool ReturnWriter::close_branch(Substitution& text, const clang::Stmt* branch, const EndWith& end_with) const {
  if (const auto* one = llvm::dyn_cast<clang::ReturnStmt>(branch)) {
    replace_return(text, one, end_with);
    return true;
  }
  const auto place = range(branch);
  if (!place) return false;
  if (const auto* block = llvm::dyn_cast<clang::CompoundStmt>(branch))
    return close_list(text, statements_of(block), place->end - 1, end_with);
  const auto* inner = llvm::dyn_cast<clang::IfStmt>(branch);
  if (!inner) return !returns(branch);
  text.insert(place->begin, "{ ");
  const bool closed = close_if(text, *inner, {}, place->end, end_with);
  text.insert(place->end, " }");
  return closed;
}

bool ReturnWriter::close_if(Substitution& text, const clang::IfStmt& branch, const Statements& rest, std::size_t end,
                            const EndWith& end_with) const {
  const auto place = range(&branch);
  if (!place || branch.getInit() || branch.getConditionVariable()) return false;
  if (rest.empty())
    return close_branch(text, branch.getThen(), end_with) &&
           (!branch.getElse() || close_branch(text, branch.getElse(), end_with));
  if (!branch.getElse() && returns_nothing(branch.getThen())) return skip_rest(text, branch, rest, end, end_with);
  if (!always_returns(branch.getThen()) || !close_branch(text, branch.getThen(), end_with)) return false;
  Statements remaining = rest;
  if (branch.getElse()) {
    const auto other = range(branch.getElse());
    if (!other) return false;
    text.insert(other->begin, "{ ");
    remaining.insert(remaining.begin(), branch.getElse());
  } else {
    text.insert(place->end, " else {");
  }
  // What is inserted at one place stands in this order: inner ends come first.
  const bool closed = close_list(text, remaining, end, end_with);
  text.insert(end, " }\n");
  return closed;
}

// if (n < 1) return; …   becomes   if (!(n < 1)) { … }
bool ReturnWriter::skip_rest(Substitution& text, const clang::IfStmt& branch, const Statements& rest, std::size_t end,
                             const EndWith& end_with) const {
  const auto condition = range_in(context_.ast, callee_.file, branch.getCond()->getSourceRange());
  const auto leaving = range(branch.getThen());
  if (!condition || !leaving) return false;
  text.insert(condition->begin, "!(");
  text.insert(condition->end, ")");
  text.replace(leaving, "{");
  const bool closed = close_list(text, rest, end, end_with);
  text.insert(end, " }\n");
  return closed;
}

}  // namespace hone::frontend
