#include "tool/frontend/parse/outline.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>

#include <algorithm>

namespace hone::frontend {

using namespace clang;

Outline::Outline(const TranslationUnit& unit) : unit_(unit) {
  walk(*unit.context().getTranslationUnitDecl());
}

std::size_t Outline::active_token(std::size_t offset) const {
  const SourceTokens& tokens = unit_.tokens();
  std::size_t index = tokens.code_at_or_after(offset);
  while (index < tokens.size() && (tokens[index].directive || unit_.is_skipped(unit_.main_file(), tokens[index].begin)))
    ++index;
  return index;
}

std::size_t Outline::behind_operators(std::size_t token) const {
  const SourceTokens& tokens = unit_.tokens();
  const auto makes_annotation = [&](std::size_t index) {
    return std::ranges::any_of(unit_.annotations(),
                               [&](const Annotation& a) { return a.is_operator && a.begin == tokens[index].begin; });
  };
  while (token < tokens.size() && (tokens.is(token, "_Pragma") || makes_annotation(token))) {
    std::size_t behind = token + 1;
    if (tokens.is(behind, "(")) behind = tokens.behind_brackets(behind);
    if (behind >= tokens.size()) return tokens.size();
    token = active_token(tokens[behind].begin);
  }
  return token;
}

int Outline::item_at(std::size_t offset) const {
  auto after = std::ranges::upper_bound(items_, offset, {}, &Item::begin);
  if (after == items_.begin()) return -1;
  const auto found = after - 1;
  return offset < found->end ? static_cast<int>(found - items_.begin()) : -1;
}

const Scope* Outline::outermost_scope(std::size_t offset) const {
  for (const Scope& scope : scopes_)  // in file order: the first that fits is the outermost
    if (scope.open <= offset && offset < scope.close) return &scope;
  return nullptr;
}

void Outline::add_scope(SourceLocation begin, SourceLocation close) {
  const SourceTokens& tokens = unit_.tokens();
  std::size_t open = tokens.at_or_after(unit_.offset(begin));
  if (!begin.isMacroID())
    while (open < tokens.size() && !tokens.is(open, "{")) ++open;
  if (open == tokens.size()) return;
  boundary_ = std::max(boundary_, tokens[open].end);
  scopes_.push_back({unit_.offset(begin), tokens[open].end, unit_.offset(close)});
}

namespace {

// `void f(auto x)` is a template whose list stands nowhere.
SourceRange range_of(const Decl& declaration) {
  const auto* pattern = llvm::dyn_cast<FunctionTemplateDecl>(&declaration);
  if (pattern && pattern->getBeginLoc().isInvalid()) return pattern->getTemplatedDecl()->getSourceRange();
  return declaration.getSourceRange();
}

}  // namespace

void Outline::walk(const DeclContext& context) {
  for (const Decl* declaration : context.decls()) {
    if (declaration->isImplicit() || !unit_.in_main_file(range_of(*declaration).getBegin())) continue;
    if (const auto* space = llvm::dyn_cast<NamespaceDecl>(declaration)) {
      add_scope(space->getBeginLoc(), space->getRBraceLoc());
      walk(*space);
      boundary_ = std::max(boundary_, unit_.offset(space->getRBraceLoc()) + 1);
    } else if (const auto* linkage = llvm::dyn_cast<LinkageSpecDecl>(declaration)) {
      if (linkage->hasBraces()) {
        add_scope(linkage->getBeginLoc(), linkage->getRBraceLoc());
        walk(*linkage);
        boundary_ = std::max(boundary_, unit_.offset(linkage->getRBraceLoc()) + 1);
      } else {
        for (const Decl* inner : linkage->decls()) add(*inner, {linkage->getBeginLoc(), inner->getEndLoc()});
      }
    } else if (!llvm::isa<EmptyDecl>(declaration)) {
      add(*declaration, range_of(*declaration));
    }
  }
}

std::size_t Outline::end_of(const Decl& declaration, SourceRange range, bool& function_body) const {
  const SourceTokens& tokens = unit_.tokens();
  const SourceLocation end = unit_.sources().getExpansionRange(range.getEnd()).getEnd();
  std::size_t index = std::min(tokens.at_or_after(unit_.offset(end)), tokens.size() - 1);
  const FunctionDecl* function = declaration.getAsFunction();
  function_body = function && function->doesThisDeclarationHaveABody();
  if (function_body) return tokens[index].end;
  // A macro that makes declarations needs no semicolon; everything else runs up to one.
  const bool from_macro = range.getBegin().isMacroID() && range.getEnd().isMacroID();
  for (std::size_t i = index + 1; i < tokens.size(); ++i) {
    if (tokens[i].directive) continue;
    if (tokens[i].kind == tok::semi) return tokens[i].end;
    if (from_macro || tokens[i].kind == tok::r_brace) break;
    if (tokens[i].kind == tok::l_paren || tokens[i].kind == tok::l_brace || tokens[i].kind == tok::l_square)
      i = tokens.behind_brackets(i) - 1;
  }
  return tokens[index].end;
}

void Outline::add(const Decl& declaration, SourceRange range) {
  if (range.isInvalid() || unit_.tokens().size() == 0) return;
  const std::size_t core = unit_.offset(range.getBegin());
  bool function_body = false;
  const std::size_t end = end_of(declaration, range, function_body);
  if (!items_.empty() && core < items_.back().end) {  // shares its text with the one before
    items_.back().declarations.push_back(&declaration);
    items_.back().end = std::max(items_.back().end, end);
    boundary_ = std::max(boundary_, items_.back().end);
    return;
  }
  std::size_t first = active_token(boundary_);
  while (first < unit_.tokens().size() && unit_.tokens()[first].kind == tok::semi)
    first = active_token(unit_.tokens()[first].end);
  first = behind_operators(first);
  const std::size_t begin = first < unit_.tokens().size() ? std::min(unit_.tokens()[first].begin, core) : core;
  items_.push_back({begin, end, {&declaration}, function_body});
  boundary_ = end;
}

}  // namespace hone::frontend
