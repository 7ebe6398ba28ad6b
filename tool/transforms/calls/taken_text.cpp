#include "tool/transforms/calls/taken_text.h"

#include <clang/Lex/Lexer.h>
#include <clang/Lex/Preprocessor.h>

#include <set>
#include <string>
#include <utility>

#include "tool/transforms/code/loop_nest.h"

namespace hone::frontend {
namespace {

class TakenText {
 public:
  TakenText(const KernelContext& context, const Callee& callee) : context_(context), callee_(callee) {
    for (const auto* one : all_of<clang::Stmt>(callee.body)) {
      const auto [file, offset] = sources().getDecomposedExpansionLoc(one->getBeginLoc());
      if (one != callee.body && file == callee.file) code_.insert(offset);
    }
  }

  std::optional<std::vector<TextRange>> left_out() {
    const llvm::StringRef text = sources().getBufferData(callee_.file);
    clang::Lexer lexer(sources().getLocForStartOfFile(callee_.file), context_.ast.getLangOpts(), text.begin(),
                       text.begin() + callee_.inside.begin, text.end());
    clang::Token token;
    std::size_t from = callee_.inside.begin;  // of what stands between two directives
    bool ended = lexer.LexFromRawLexer(token);
    while (!ended && offset(token) < callee_.inside.end) {
      if (!token.is(clang::tok::hash) || !token.isAtStartOfLine()) {
        tokens_.push_back(token);
        ended = lexer.LexFromRawLexer(token);
        continue;
      }
      const std::size_t line = text.rfind('\n', offset(token)) + 1;
      if (!close(from, line)) return std::nullopt;
      lexer.LexFromRawLexer(token);
      if (!token.is(clang::tok::raw_identifier) || !enter(token.getRawIdentifier())) return std::nullopt;
      do ended = lexer.LexFromRawLexer(token);
      while (!ended && !token.isAtStartOfLine());
      from = ended ? callee_.inside.end : text.rfind('\n', offset(token)) + 1;
      left_out_.push_back({line, std::min(from, callee_.inside.end)});
    }
    if (!close(from, callee_.inside.end) || depth_ != 0 || braces_ != 0) return std::nullopt;
    return std::move(left_out_);
  }

 private:
  const clang::SourceManager& sources() const { return context_.sources(); }
  std::size_t offset(const clang::Token& token) const { return sources().getFileOffset(token.getLocation()); }

  bool enter(llvm::StringRef directive) {
    if (directive.starts_with("if")) ++depth_;
    if (directive == "endif") --depth_;
    return depth_ >= 0 && (directive.starts_with("if") || directive.starts_with("el") || directive == "endif");
  }

  // [begin, end) has no directive. What is taken has code that the compiler read there.
  bool close(std::size_t begin, std::size_t end) {
    const std::vector<clang::Token> tokens = std::exchange(tokens_, {});
    if (tokens.empty()) return true;
    const auto code = code_.lower_bound(begin);
    if (depth_ > 0 && (code == code_.end() || *code >= end)) {
      left_out_.push_back({begin, end});
      return true;
    }
    for (const clang::Token& token : tokens) {
      if (token.is(clang::tok::raw_identifier) && !is_settled(token.getRawIdentifier())) return false;
      braces_ += token.is(clang::tok::l_brace) ? 1 : token.is(clang::tok::r_brace) ? -1 : 0;
    }
    return true;
  }

  bool is_settled(llvm::StringRef name) const {
    clang::IdentifierInfo& identifier = context_.ast.Idents.get(name);
    if (!identifier.hadMacroDefinition()) return true;
    const clang::MacroInfo* macro = context_.preprocessor ? context_.preprocessor->getMacroInfo(&identifier) : nullptr;
    // Its first word may be a macro: __device__, FORCE_INLINE.
    const clang::SourceLocation begin = sources().getExpansionLoc(callee_.function->getBeginLoc());
    return macro && !macro->isBuiltinMacro() && sources().isBeforeInTranslationUnit(macro->getDefinitionLoc(), begin);
  }

  const KernelContext& context_;
  const Callee& callee_;
  std::set<std::size_t> code_;        // where statements and expressions begin
  std::vector<clang::Token> tokens_;  // since the last directive
  std::vector<TextRange> left_out_;
  int depth_ = 0, braces_ = 0;
};

}  // namespace

std::optional<std::vector<TextRange>> left_out_of(const KernelContext& context, const Callee& callee) {
  return TakenText(context, callee).left_out();
}

}  // namespace hone::frontend
