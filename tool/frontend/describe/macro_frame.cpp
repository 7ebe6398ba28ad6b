#include "tool/frontend/describe/macro_frame.h"

#include <clang/Lex/Lexer.h>
#include <clang/Lex/Preprocessor.h>

#include <set>

namespace hone::frontend {
namespace {

using namespace clang;

class Framer {
 public:
  Framer(const TranslationUnit& unit, std::size_t from, std::size_t to)
      : preprocessor_(unit.parsed().preprocessor()), from_(place(unit, from)), to_(place(unit, to)) {}

  void add(const std::string& name) {
    if (!seen_.insert(name).second) return;
    const IdentifierInfo* word = preprocessor_.getIdentifierInfo(name);
    const MacroInfo* here = at(word, from_);
    const MacroInfo* there = at(word, to_);
    if ((here && here->isBuiltinMacro()) || (there && there->isBuiltinMacro())) return;
    if (here)
      for (const Token& token : here->tokens())
        if (const IdentifierInfo* inner = token.getIdentifierInfo()) add(inner->getName().str());
    if (here == there || (here && there && here->isIdenticalTo(*there, preprocessor_, /*Syntactically=*/true))) return;
    frame_.in_front += directives(name, here);
    frame_.behind += directives(name, there);
  }

  MacroFrame frame() { return std::move(frame_); }

 private:
  static SourceLocation place(const TranslationUnit& unit, std::size_t at) {
    return unit.sources().getLocForStartOfFile(unit.sources().getMainFileID()).getLocWithOffset(static_cast<int>(at));
  }

  const MacroInfo* at(const IdentifierInfo* word, SourceLocation location) const {
    return preprocessor_.getMacroDefinitionAtLoc(word, location).getMacroInfo();
  }

  std::string directives(const std::string& name, const MacroInfo* macro) const {
    std::string lines = "#undef " + name + "\n";
    if (!macro) return lines;
    const auto range = CharSourceRange::getTokenRange(macro->getDefinitionLoc(), macro->getDefinitionEndLoc());
    return lines + "#define " +
           Lexer::getSourceText(range, preprocessor_.getSourceManager(), preprocessor_.getLangOpts()).str() + "\n";
  }

  Preprocessor& preprocessor_;
  const SourceLocation from_, to_;
  std::set<std::string> seen_;
  MacroFrame frame_;
};

}  // namespace

MacroFrame frame_for_move(const TranslationUnit& unit, std::size_t begin, std::size_t end, std::size_t to) {
  Framer framer(unit, begin, to);
  const SourceTokens& tokens = unit.tokens();
  for (std::size_t i = tokens.at_or_after(begin); i < tokens.size() && tokens[i].begin < end; ++i)
    if (tokens[i].kind == tok::raw_identifier) framer.add(tokens.spelling(i));
  return framer.frame();
}

}  // namespace hone::frontend
