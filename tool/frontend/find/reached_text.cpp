#include "tool/frontend/find/reached_text.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/MacroInfo.h>
#include <clang/Lex/Preprocessor.h>

#include <algorithm>
#include <map>

#include "tool/frontend/parse/compiler_macros.h"

namespace hone::frontend {
namespace {

using namespace clang;

// Clang would call an unnamed enum by its file and line.
std::string name_of(const NamedDecl& named) {
  PrintingPolicy policy = named.getASTContext().getPrintingPolicy();
  policy.AnonymousTagLocations = false;
  std::string name;
  llvm::raw_string_ostream stream(name);
  named.printQualifiedName(stream, policy);
  return name;
}

std::string label_of(const Decl& declaration) {
  const auto* named = llvm::dyn_cast<NamedDecl>(&declaration);
  const std::string name = named ? name_of(*named) : "";
  return name.empty() ? declaration.getDeclKindName() : name;
}

std::string macro_text(const Preprocessor& preprocessor, const MacroUse& use) {
  std::string text;
  if (use.macro->isFunctionLike()) {
    text = "(";
    for (const IdentifierInfo* parameter : use.macro->params())
      text += (text.size() > 1 ? "," : "") + parameter->getName().str();
    text += use.macro->isVariadic() ? "...)" : ")";
  }
  for (const Token& token : use.macro->tokens()) text += " " + preprocessor.getSpelling(token);
  return text;
}

// As Clang opened the file: "" for the main one, whose lines the caller may have put together of several files.
void take_place(const TranslationUnit& unit, SourceLocation location, ReachedText& reached) {
  const SourceManager& sources = unit.sources();
  const FullSourceLoc at(sources.getExpansionLoc(location), sources);
  if (at.isInvalid() || !at.getFileEntry()) return;
  reached.line = at.getExpansionLineNumber();
  if (at.getFileID() == sources.getMainFileID()) return;
  const llvm::StringRef real = at.getFileEntry()->tryGetRealPathName();
  reached.file = real.empty() ? sources.getFilename(at).str() : real.str();
}

// The names that declarations bring, and what each stands for; redeclarations are one thing.
class Names {
 public:
  // False where a name stands for two things, or names come in that this does not see.
  bool add(const Decl& declaration) {
    const auto* named = llvm::dyn_cast<NamedDecl>(&declaration);
    if (!named || !llvm::isa<FunctionDecl, VarDecl, TagDecl, TypedefNameDecl, FunctionTemplateDecl, ClassTemplateDecl,
                             VarTemplateDecl, TypeAliasTemplateDecl, ConceptDecl>(named))
      return false;
    if (const auto* enumeration = llvm::dyn_cast<EnumDecl>(named); enumeration && !enumeration->isScoped())
      for (const EnumConstantDecl* enumerator : enumeration->enumerators())
        if (!add(enumerator->getNameAsString(), enumerator->getCanonicalDecl())) return false;
    const std::string name = named->getNameAsString();
    return name.empty() || add(name, named->getCanonicalDecl());
  }
  bool add(const std::string& name, const void* meaning) {
    return meanings_.emplace(name, meaning).first->second == meaning;
  }

 private:
  std::map<std::string, const void*> meanings_;
};

bool order_means_nothing(const Outline& outline, const Closure& closure) {
  Names names;
  const auto add = [&](const Decl* declaration) { return names.add(*declaration); };
  return std::ranges::all_of(closure.in_headers, add) &&
         std::ranges::all_of(closure.items,
                             [&](int item) {
                               return std::ranges::all_of(outline.items()[static_cast<std::size_t>(item)].declarations,
                                                          add);
                             }) &&
         std::ranges::all_of(closure.macros, [&](const MacroUse& use) { return names.add(use.name, use.macro); });
}

// Does an #if in [begin, end) ask what compilers answer differently?
bool asks_for_compiler(const SourceTokens& tokens, std::size_t begin, std::size_t end) {
  bool condition = false;
  for (std::size_t i = tokens.at_or_after(begin); i + 1 < tokens.size() && tokens[i].begin < end; ++i) {
    if (!tokens[i].directive || tokens[i].line_start) {
      condition = tokens[i].directive && (tokens.is(i + 1, "if") || tokens.is(i + 1, "ifdef") ||
                                          tokens.is(i + 1, "ifndef") || tokens.spelling(i + 1).starts_with("elif"));
      if (condition) ++i;  // the word
      continue;
    }
    if (!condition || tokens[i].kind != tok::raw_identifier) continue;
    const std::string word = tokens.spelling(i);
    if (is_compiler_macro(word) || !is_settled_macro(word)) return true;
  }
  return false;
}

}  // namespace

std::string canonical_tokens(const TranslationUnit& unit, FileID file, std::size_t begin, std::size_t end) {
  const SourceTokens& tokens = unit.tokens_of(file);
  const bool whole = unit.parsed().language().CUDA || asks_for_compiler(tokens, begin, end);
  std::string text;
  bool kept = false;  // the directive at hand
  for (std::size_t i = tokens.at_or_after(begin); i < tokens.size() && tokens[i].begin < end; ++i) {
    if (!whole && unit.is_skipped(file, tokens[i].begin)) continue;
    if (tokens[i].directive) {
      const bool pragma = tokens.is(i + 1, "pragma");
      if (tokens[i].line_start) kept = (pragma || whole) && !(pragma && tokens.is(i + 2, "hone"));
      if (!kept) continue;
    }
    if (tokens[i].line_start && (tokens[i].directive || (i > 0 && tokens[i - 1].directive)) && !text.empty())
      text += "\n";
    else if (!text.empty())
      text += " ";
    text += tokens.spelling(i);
  }
  return text;
}

std::vector<ReachedText> reached_texts(const TranslationUnit& unit, const Outline& outline, const Closure& closure,
                                       int kernel_item) {
  std::vector<ReachedText> texts;
  for (const Decl* declaration : closure.in_headers) {
    const SourceRange range = declaration->getSourceRange();
    const FileID file = unit.sources().getFileID(unit.sources().getExpansionLoc(range.getBegin()));
    texts.push_back({"reaches " + label_of(*declaration),
                     canonical_tokens(unit, file, unit.offset(range.getBegin()), unit.offset(range.getEnd()) + 1)});
    take_place(unit, declaration->getLocation(), texts.back());
  }
  for (const int index : closure.items) {
    if (index == kernel_item) continue;
    const Item& item = outline.items()[static_cast<std::size_t>(index)];
    texts.push_back({"reaches " + label_of(*item.declarations.front()),
                     canonical_tokens(unit, unit.main_file(), item.begin, item.end)});
    take_place(unit, item.declarations.front()->getLocation(), texts.back());
  }
  for (const MacroUse& use : closure.macros) {
    texts.push_back({"macro " + use.name, macro_text(unit.parsed().preprocessor(), use)});
    take_place(unit, use.macro->getDefinitionLoc(), texts.back());
  }
  if (order_means_nothing(outline, closure)) std::ranges::sort(texts);
  return texts;
}

}  // namespace hone::frontend
