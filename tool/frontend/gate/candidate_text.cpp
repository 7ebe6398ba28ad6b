#include "tool/frontend/gate/candidate_text.h"

#include <clang/Basic/SourceLocation.h>
#include <clang/Lex/Lexer.h>
#include <clang/Lex/Token.h>
#include <llvm/Support/ConvertUTF.h>

#include <algorithm>
#include <array>
#include <set>
#include <vector>

#include "tool/frontend/parse/source_tokens.h"

namespace hone::frontend {
namespace {

using namespace clang;

constexpr std::size_t kMostBytes = 256u << 10;
constexpr std::size_t kMostTokens = 60'000;
constexpr std::size_t kDeepestNesting = 100;  // Clang itself ends at 256
constexpr std::size_t kLongestPrefix = 64;    // of operators in front of one operand: Clang recurses

// Characters that change how text around them is shown: a reviewer and a compiler would read different programs.
bool reorders_text(char32_t c) {
  return (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069) || c == 0x200E || c == 0x200F || c == 0x061C;
}

// The code point at `at`, and how many bytes it takes; bytes that are no UTF-8 stand for themselves.
std::pair<char32_t, std::size_t> code_point(std::string_view text, std::size_t at) {
  const auto* begin = reinterpret_cast<const llvm::UTF8*>(text.data() + at);
  const auto* cursor = begin;
  llvm::UTF32 value = 0;
  const auto* end = reinterpret_cast<const llvm::UTF8*>(text.data() + text.size());
  if (llvm::convertUTF8Sequence(&cursor, end, &value, llvm::strictConversion) != llvm::conversionOK)
    return {static_cast<unsigned char>(text[at]), 1};
  return {value, static_cast<std::size_t>(cursor - begin)};
}

std::optional<std::string> wrong_character(std::string_view text, std::size_t at, std::size_t& length) {
  length = 1;
  const auto byte = static_cast<unsigned char>(text[at]);
  if (byte == 0) return "it holds a NUL byte";
  if (byte == '\r' && (at + 1 == text.size() || text[at + 1] != '\n'))
    return "it holds a carriage return without a line feed; end lines with \\n";
  if (byte < 0x20 && byte != '\t' && byte != '\n' && byte != '\r' && byte != '\f' && byte != '\v')
    return "it holds a control character";
  if (byte < 0x80) return std::nullopt;
  const auto [point, bytes] = code_point(text, at);
  length = bytes;
  if (reorders_text(point)) return "it holds a character that reorders text (bidirectional control); take it out";
  return std::nullopt;
}

std::optional<Objection> object_to_characters(std::string_view text) {
  unsigned line = 1;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t length = 1;
    if (auto why = wrong_character(text, at, length))
      return Objection{DiagnosticCode::candidate_text, line, *std::move(why)};
    if (text[at] == '\n') ++line;
    at += length;
  }
  return std::nullopt;
}

bool is_trigraph(std::string_view text, std::size_t at) {
  return at + 2 < text.size() && text[at] == '?' && text[at + 1] == '?' &&
         std::string_view("=/'()!<>-").find(text[at + 2]) != std::string_view::npos;
}

struct Branch {
  std::vector<std::size_t> open;  // brackets that were open in front of the #if
  bool has_else = false;
};

// Walks one part of a candidate (its includes, or its definition) with comments kept as tokens.
class PartReader {
 public:
  PartReader(const std::string& text, unsigned first_line, const LangOptions& language)
      : text_(text),
        first_line_(first_line),
        lexer_(SourceLocation(), language, text_.data(), text_.data(), text_.data() + text_.size()) {
    lexer_.SetCommentRetentionState(true);
  }

  std::optional<Objection> read() {
    std::size_t behind = 0;
    Token token;
    while (!objection_) {
      lexer_.LexFromRawLexer(token);
      if (token.is(tok::eof)) break;
      begin_ = static_cast<std::size_t>(lexer_.getBufferLocation() - text_.data()) - token.getLength();
      behind = begin_ + token.getLength();
      look(token);
      if (++tokens_ > kMostTokens) object("it has more than " + std::to_string(kMostTokens) + " tokens");
    }
    if (objection_) return objection_;
    if (text_.find_first_not_of(" \t\r\n\f\v", behind) != std::string::npos) {
      begin_ = text_.find_first_not_of(" \t\r\n\f\v", behind);
      object("a comment is not closed");
    } else if (!open_.empty()) {
      begin_ = open_.back();
      object(std::string("the bracket '") + text_[begin_] + "' is not closed");
    } else if (!branches_.empty()) {
      object("an #if is not closed; add #endif");
    }
    return objection_;
  }

 private:
  void object(std::string why) {
    if (!objection_)
      objection_ = Objection{DiagnosticCode::candidate_text, first_line_ - 1 + line_at(text_, begin_), std::move(why)};
  }

  std::string_view spelling(const Token& token) const {
    return std::string_view(text_).substr(begin_, token.getLength());
  }

  void look(const Token& token) {
    if (token.is(tok::comment)) return look_at_comment(spelling(token));
    look_at_spelling(token);
    if (token.isAtStartOfLine())
      directive_ = token.is(tok::hash) ? Directive::hash : Directive::none;
    else if (directive_ == Directive::hash)
      look_at_directive(token);
    if (directive_ == Directive::none) look_at_code(token.getKind());
  }

  void look_at_comment(std::string_view comment) {
    if (comment.find("??/") != std::string_view::npos) object("the trigraph '??/' in a comment may continue it");
    if (comment.starts_with("//") && comment.find('\n') != std::string_view::npos)
      object("a // comment goes on behind a backslash; it hides the next line");
    if (comment.starts_with("/*") && (comment.size() < 4 || !comment.ends_with("*/")))
      object("a comment is not closed");
  }

  void look_at_spelling(const Token& token) {
    const std::string_view text = spelling(token);
    const bool literal = tok::isStringLiteral(token.getKind()) || tok::isLiteral(token.getKind());
    for (std::size_t i = 0; i < text.size(); ++i)
      if (is_trigraph(text, i)) object("trigraphs are not allowed");
    if (token.is(tok::question) && is_trigraph(text_, begin_)) object("trigraphs are not allowed");
    if (tok::isStringLiteral(token.getKind()) && text.substr(0, text.find('"')).ends_with('R'))
      object("raw strings are not allowed: a kernel has no use for one");
    if (token.is(tok::unknown)) look_at_unknown(text);
    if (literal) return;
    const bool foreign = std::ranges::any_of(text, [](char c) { return static_cast<unsigned char>(c) >= 0x80; });
    if (foreign || (token.is(tok::raw_identifier) && text.find("\\u") != std::string_view::npos) ||
        (token.is(tok::raw_identifier) && text.find("\\U") != std::string_view::npos))
      object("a name holds characters other than letters, digits and '_'; they may look like others");
    else if (token.is(tok::raw_identifier) && text.find('\n') != std::string_view::npos)
      object("a word is split by a backslash at the line's end; write it in one piece");
  }

  void look_at_unknown(std::string_view text) {
    if (text.find_first_of("\"'") != std::string_view::npos)
      object("a quote is not closed on its line");
    else if (static_cast<unsigned char>(text.front()) < 0x80)
      object("'" + std::string(text) + "' is no part of C++");
  }

  void look_at_directive(const Token& token) {
    directive_ = Directive::rest;
    if (token.isNot(tok::raw_identifier)) return;
    const std::string_view word = spelling(token);
    if (word == "if" || word == "ifdef" || word == "ifndef") {
      branches_.push_back({open_});
    } else if (word == "else" || word == "elif" || word == "elifdef" || word == "elifndef") {
      if (branches_.empty()) return object("#" + std::string(word) + " without an #if of the candidate's own");
      if (branches_.back().has_else) return object("#" + std::string(word) + " behind #else");
      branches_.back().has_else = word == "else";
      open_ = branches_.back().open;
    } else if (word == "endif") {
      if (branches_.empty()) return object("#endif without an #if of the candidate's own");
      branches_.pop_back();
    }
  }

  void look_at_code(tok::TokenKind kind) {
    look_at_prefix(kind);
    if (kind == tok::l_brace || kind == tok::l_paren || kind == tok::l_square) {
      open_.push_back(begin_);
      if (open_.size() > kDeepestNesting)
        object("brackets nest more than " + std::to_string(kDeepestNesting) + " deep");
    } else if (kind == tok::r_brace || kind == tok::r_paren || kind == tok::r_square) {
      if (open_.empty()) return object("a bracket closes more than the candidate opens");
      open_.pop_back();
    }
  }

  void look_at_prefix(tok::TokenKind kind) {
    constexpr std::array kPrefix = {tok::minus, tok::plus,   tok::exclaim,  tok::tilde,     tok::star,
                                    tok::amp,   tok::ampamp, tok::plusplus, tok::minusminus};
    prefix_ = std::ranges::count(kPrefix, kind) > 0 ? prefix_ + 1 : 0;
    if (prefix_ > kLongestPrefix) object("more than " + std::to_string(kLongestPrefix) + " operators stand in a row");
  }

  enum class Directive { none, hash, rest };

  const std::string& text_;
  const unsigned first_line_;
  Lexer lexer_;
  std::optional<Objection> objection_;
  std::size_t begin_ = 0;  // of the token at hand
  std::size_t tokens_ = 0;
  std::size_t prefix_ = 0;
  Directive directive_ = Directive::none;
  std::vector<std::size_t> open_;
  std::vector<Branch> branches_;
};

}  // namespace

namespace {

bool is_assembly(std::string_view word) {
  return word == "asm" || word == "__asm__" || word == "__asm";
}

// The tokens of the asm statement that begins there.
std::string assembly_at(const SourceTokens& tokens, std::size_t at) {
  std::size_t bracket = at;
  while (bracket < tokens.size() && tokens[bracket].kind == tok::raw_identifier) ++bracket;  // volatile, goto
  const std::size_t end = tokens.is(bracket, "(") ? tokens.behind_brackets(bracket) : bracket;
  std::string text;
  for (std::size_t i = at; i < end; ++i) text += tokens.spelling(i) + '\n';
  return text;
}

std::set<std::string> assembly_of(const SourceTokens& tokens) {
  std::set<std::string> found;
  for (std::size_t i = 0; i < tokens.size(); ++i)
    if (tokens[i].kind == tok::raw_identifier && is_assembly(tokens.spelling(i))) found.insert(assembly_at(tokens, i));
  return found;
}

}  // namespace

std::string to_string(const Objection& objection) {
  return with_code(std::string(kCandidateFile) + ":" + std::to_string(objection.line) + ": " + objection.text,
                   objection.code);
}

unsigned line_at(std::string_view text, std::size_t offset) {
  const auto behind = text.begin() + static_cast<std::ptrdiff_t>(std::min(offset, text.size()));
  return 1 + static_cast<unsigned>(std::count(text.begin(), behind, '\n'));
}

std::optional<Objection> object_to_words(const SplitSource& candidate, const LangOptions& language,
                                         const std::string& own, const std::string& original) {
  const SourceTokens tokens(candidate.definition, language);
  const std::set<std::string> known = assembly_of(SourceTokens(original, language));
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].kind != tok::raw_identifier) continue;
    const std::string word = tokens.spelling(i);
    const auto objection = [&](DiagnosticCode code, std::string why) {
      return Objection{code, candidate.definition_line - 1 + line_at(candidate.definition, tokens[i].begin),
                       std::move(why)};
    };
    if (word.starts_with("hone_") && word != own)
      return objection(DiagnosticCode::candidate_use, "'" + word + "' is the judge's name, not a candidate's");
    if (word == "__managed__")
      return objection(DiagnosticCode::candidate_state,
                       "__managed__ memory is not allowed: it outlives the call and moves between host and device");
    if (!language.CUDA && is_assembly(word) && !known.contains(assembly_at(tokens, i)))
      return objection(DiagnosticCode::candidate_assembly, "inline assembly is not allowed");
  }
  return std::nullopt;
}

std::optional<Objection> object_to_text(const std::string& source, const SplitSource& split,
                                        const LangOptions& language) {
  if (source.size() > kMostBytes)
    return Objection{DiagnosticCode::candidate_text, 1,
                     "it is larger than " + std::to_string(kMostBytes >> 10) + " KiB"};
  if (auto objection = object_to_characters(source)) return objection;
  if (auto objection = PartReader(split.includes, 1, language).read()) return objection;
  return PartReader(split.definition, split.definition_line, language).read();
}

}  // namespace hone::frontend
