#include <clang/AST/Decl.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Preprocessor.h>

#include <algorithm>
#include <map>

#include "tool/frontend/find/brought_out.h"

namespace hone::frontend {
namespace {

using namespace clang;

// An expansion in the main file, and the tokens that it gives.
struct Expansion {
  std::size_t end = 0;
  std::string text;
};

using Expansions = std::map<std::size_t, Expansion>;  // by where they begin

class MacroReader {
 public:
  MacroReader(const TranslationUnit& unit, const Outline& outline) : unit_(unit), outline_(outline) {}

  Expansions run() {
    for (const Annotation& annotation : unit_.annotations()) look_at(annotation);
    return std::move(expansions_);
  }

 private:
  void look_at(const Annotation& annotation) {
    const std::size_t token = outline_.behind_operators(outline_.active_token(annotation.end));
    if (token >= unit_.tokens().size()) return;
    const int index = outline_.item_at(unit_.tokens()[token].begin);
    if (index < 0) return;
    const Item& item = outline_.items()[static_cast<std::size_t>(index)];
    const FunctionDecl* function = item.declarations.front()->getAsFunction();
    if (item.declarations.size() != 1 || !function || !function->doesThisDeclarationHaveABody() ||
        item.begin != unit_.tokens()[token].begin)
      return;
    const Stmt& body = *function->getBody();
    for (const SourceLocation place : {function->getLocation(), body.getBeginLoc(), body.getEndLoc()})
      if (place.isMacroID()) add(place);
  }

  void add(SourceLocation place) {
    const SourceManager& sources = unit_.sources();
    const CharSourceRange range = sources.getExpansionRange(place);
    const std::size_t last = unit_.tokens().at_or_after(unit_.offset(range.getEnd()));
    if (last < unit_.tokens().size()) expansions_[unit_.offset(range.getBegin())].end = unit_.tokens()[last].end;
  }

  const TranslationUnit& unit_;
  const Outline& outline_;
  Expansions expansions_;
};

// Adds what the preprocessor makes of each.
Result<void> read_tokens(Parser& parser, const std::string& text, Expansions& expansions) {
  auto parsed = parser.preprocess(text, [&](Preprocessor& preprocessor) {
    preprocessor.setTokenWatcher([&preprocessor, &expansions](const Token& token) {
      const SourceManager& sources = preprocessor.getSourceManager();
      if (!token.getLocation().isMacroID() || token.isAnnotation()) return;
      const auto [file, offset] = sources.getDecomposedExpansionLoc(token.getLocation());
      if (file != sources.getMainFileID()) return;
      const auto found = expansions.find(offset);
      if (found == expansions.end()) return;
      std::string& out = found->second.text;
      out += (out.empty() ? "" : " ") + preprocessor.getSpelling(token);
    });
  });
  if (!parsed) return tl::unexpected(parsed.error());
  return {};
}

}  // namespace

BroughtOut bring_out_of_macros(const TranslationUnit& unit, const Outline& outline, Parser& parser) {
  BroughtOut out;
  Expansions expansions = MacroReader(unit, outline).run();
  if (expansions.empty() || !read_tokens(parser, unit.text(), expansions)) return out;
  for (const auto& [begin, expansion] : expansions) {
    if (expansion.text.empty()) continue;
    const auto from = unit.text().begin() + static_cast<std::ptrdiff_t>(begin);
    const auto to = unit.text().begin() + static_cast<std::ptrdiff_t>(expansion.end);
    const auto lines = static_cast<std::size_t>(std::count(from, to, '\n'));
    out.edits.push_back({begin, expansion.end, expansion.text + std::string(lines, '\n'), begin});
  }
  return out;
}

}  // namespace hone::frontend
