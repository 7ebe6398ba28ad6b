#include "tool/frontend/gate/directive_policy.h"

#include <clang/Basic/IdentifierTable.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <string_view>
#include <vector>

#include "tool/frontend/gate/cuda_policy.h"
#include "tool/frontend/gate/policy_words.h"
#include "tool/frontend/gate/pragma_policy.h"
#include "tool/frontend/parse/compiler_macros.h"
#include "tool/frontend/parse/source_tokens.h"

namespace hone::frontend {
namespace {

using namespace clang;

// An #if and all that belongs to it. One that asks which compiler this is may hold nothing but pragmas: Clang reads the
// candidate here, and what it leaves out nobody would have looked at.
struct Condition {
  bool about_the_compiler = false;
  bool about_own_macro = false;
  std::string asked;
  std::string text;  // "#ifdef A", with what came before an #else or #elif
};

// The candidate's leading #include lines, or all that follows them.
struct Part {
  const std::string& text;
  unsigned first_line;  // in the candidate
  bool leading;
};

// Tokens of a directive, behind its name.
using Words = std::vector<std::string>;

// "A(x)" and "A (x)" define different macros.
Words words_in(const SourceTokens& tokens, std::size_t begin, std::size_t end) {
  Words words;
  for (std::size_t i = begin; i < end; ++i) {
    if (i == begin + 1 && tokens[i].begin > tokens[i - 1].end) words.emplace_back();
    words.push_back(tokens.spelling(i));
  }
  return words;
}

// What the text of the original's definition tells the preprocessor, in whatever branch of an #if it stands. What the
// original has, its copies may have.
struct OfOriginal {
  std::set<PragmaWords> pragmas;
  std::set<Words> macros;  // its #define lines
  std::set<std::string> names;
  std::set<std::string> words;  // all of its identifiers
};

// __EDG__, _CCCL_…: of the compiler, or of a header that asks which one it is.
bool is_reserved_constant(const std::string& name) {
  const bool capitals =
      std::ranges::all_of(name, [](unsigned char c) { return c == '_' || std::isupper(c) || std::isdigit(c); });
  const bool reserved = name.starts_with("__") || name.starts_with("_CCCL_") || name.starts_with("_LIBCUDACXX_");
  return capitals && reserved && !is_settled_macro(name);
}

// Where a macro is defined that has not been taken back.
struct Definition {
  std::size_t line = 0;
  bool of_original = false;  // as the original defines it, too
};

class DirectiveReader {
 public:
  DirectiveReader(const Part& part, const LangOptions& language, const OfOriginal& original, PragmaPolicy& pragmas,
                  DirectiveFindings& findings)
      : tokens_(part.text, language),
        language_(language),
        first_line_(part.first_line),
        leading_(part.leading),
        pragmas_(pragmas),
        original_(original),
        findings_(findings) {}

  void read(std::map<std::string, Definition>& defined) {
    defined_ = &defined;
    for (at_ = 0; at_ < tokens_.size() && !findings_.objection;) {
      if (!tokens_[at_].directive) {
        look_at_code();
        ++at_;
        continue;
      }
      const std::size_t end = end_of_line(at_);
      look_at_directive(at_ + 1, end);
      at_ = std::max(end, at_ + 1);
    }
  }

  unsigned line_of(std::size_t offset) const { return first_line_ - 1 + line_at(tokens_.text(), offset); }

 private:
  void object(std::string why) {
    if (!findings_.objection && !why.empty())
      findings_.objection = Objection{DiagnosticCode::candidate_directive,
                                      line_of(at_ < tokens_.size() ? tokens_[at_].begin : 0), std::move(why)};
  }

  std::size_t end_of_line(std::size_t hash) const {
    std::size_t end = hash + 1;
    while (end < tokens_.size() && tokens_[end].directive && !tokens_[end].line_start) ++end;
    return end;
  }

  void look_at_code() {
    const tok::TokenKind kind = tokens_[at_].kind;
    if (kind == tok::l_brace) ++depth_;
    if (kind == tok::r_brace) --depth_;
    if (tokens_.is(at_, "_Pragma"))
      look_at_operator(at_, tokens_.size());
    else if (kind == tok::raw_identifier && !tokens_[at_].directive)
      look_at_word(tokens_.spelling(at_));
    for (const Condition& condition : conditions_)
      if (condition.about_the_compiler && !in_pragma_operator())
        object("code under a condition on '" + condition.asked +
               "' is not allowed: only pragmas may depend on which compiler it is; write code for all of them");
  }

  void look_at_word(const std::string& name) {
    if (is_volatile_macro(name))
      object("'" + name + "' differs from one compile to the next; it is not allowed");
    else if (is_compiler_macro(name))
      object("'" + name + "' depends on the compiler; write code that works with every compiler");
    else if (tells_pass(name))
      object("'" + name + "' differs between nvcc's passes or from Clang's; write code for all of them");
    else if (line_starts_module(name))
      object("'" + name + "' of modules is not allowed; use #include");
  }

  // A macro could make another text of it than the one that Clang reads here.
  bool tells_pass(const std::string& name) const {
    return language_.CUDA && (is_pass_macro(name) || is_reserved_constant(name)) && !original_.words.contains(name);
  }

  bool line_starts_module(const std::string& name) const {
    if (!tokens_[at_].line_start || at_ + 1 >= tokens_.size()) return false;
    const tok::TokenKind next = tokens_[at_ + 1].kind;
    if (name == "import") return next == tok::less || tok::isStringLiteral(next) || next == tok::raw_identifier;
    return (name == "module" || name == "export") && (next == tok::raw_identifier || next == tok::semi);
  }

  // Within _Pragma ( "…" ).
  bool in_pragma_operator() const {
    for (std::size_t back = 0; back < 4 && back <= at_; ++back)
      if (tokens_.is(at_ - back, "_Pragma")) return true;
    return false;
  }

  void look_at_directive(std::size_t name_at, std::size_t end) {
    const std::string name = name_at < end ? tokens_.spelling(name_at) : "";
    if (name.empty()) return;
    if (name == "include") return look_at_include(name_at + 1, end);
    if (name == "pragma") return look_at_pragma(name_at + 1, end);
    if (name == "define") return look_at_definition(name_at + 1, end);
    if (name == "undef") return look_at_undefinition(name_at + 1, end);
    if (name == "if" || name == "ifdef" || name == "ifndef") conditions_.emplace_back();
    if (!conditions_.empty() && name != "endif" && name != "error" && name != "warning")
      for (std::size_t i = name_at; i < end; ++i) conditions_.back().text += ' ' + tokens_.spelling(i);
    if (name == "if" || name == "ifdef" || name == "ifndef" || name.starts_with("elif"))
      return look_at_condition(name_at + 1, end);
    if (name == "endif" && !conditions_.empty()) return conditions_.pop_back();
    if (name == "else" || name == "endif" || name == "error" || name == "warning") return;
    object("#" + name + " is not allowed");
  }

  PragmaPlace place(bool in_macro) const {
    PragmaPlace place{line_of(tokens_[at_].begin), depth_ > 0, in_macro, ""};
    for (const Condition& condition : conditions_) place.condition += '#' + condition.text + '\n';
    return place;
  }

  // What lasts and depends on a macro that the candidate changes could be pushed and never popped.
  void look_at_pragma(const std::vector<std::string>& words, bool in_macro) {
    const std::string first = words.empty() ? "" : words.front(), second = words.size() > 1 ? words[1] : "";
    const bool lasts =
        second == "diagnostic" || second.ends_with("_options") || second == "optimize" || second == "target";
    const bool own = std::ranges::any_of(conditions_, &Condition::about_own_macro);
    if (lasts && own)
      return object("'#pragma " + first + " " + second +
                    "' under a condition on the candidate's own macro is not allowed");
    object(pragmas_.look(words, place(in_macro)));
  }

  std::string rest_of_line(std::size_t begin, std::size_t end) const {
    if (begin >= end) return "";
    return std::string(tokens_.text().substr(tokens_[begin].begin, tokens_[end - 1].end - tokens_[begin].begin));
  }

  void look_at_include(std::size_t begin, std::size_t end) {
    const std::string line = rest_of_line(begin, end);
    const bool angled = line.starts_with('<'), quoted = line.starts_with('"');
    const std::size_t close = angled ? line.find('>') : quoted ? line.find('"', 1) : std::string::npos;
    if (close == std::string::npos) return object("#include must name its header: #include <…>");
    const std::string header = line.substr(1, close - 1);
    if (close + 1 != line.size()) return object("something stands behind #include <" + header + ">");
    if (quoted && !is_allowed_header(header) && !(language_.CUDA && is_cuda_header(header)))
      return object("#include \"" + header + "\" is not allowed; what the file includes is there already");
    if (language_.CUDA && is_cuda_header(header)) return look_at_place(header);
    if (is_thread_header(header) && !pragmas_.threads())
      return object("#include <" + header + "> is not allowed: the annotation allows no threads (threads(k))");
    if (!is_allowed_header(header) && !is_thread_header(header))
      return object("#include <" + header +
                    "> is not allowed; use the headers for mathematics, SIMD, algorithms and containers");
    look_at_place(header);
  }

  void look_at_place(const std::string& header) {
    if (!leading_)
      object("#include <" + header + "> must stand in front of everything else in the candidate, macros and #if too");
  }

  void look_at_pragma(std::size_t begin, std::size_t end) {
    Words words;
    for (std::size_t i = begin; i < end; ++i) words.push_back(tokens_.spelling(i));
    if (!words.empty() && words.front() == "omp")
      for (const std::string& word : words)
        if (word == "_Pragma") return object("_Pragma inside of a pragma is not allowed");
    look_at_pragma(words, false);
  }

  // _Pragma("omp simd"), also where a macro's body holds it.
  void look_at_operator(std::size_t at, std::size_t end) {
    const bool plain = at + 3 < end && tokens_[at + 1].kind == tok::l_paren &&
                       tokens_[at + 2].kind == tok::string_literal && tokens_[at + 3].kind == tok::r_paren;
    if (!plain) return object("_Pragma needs a string that stands there, not one that a macro makes; write #pragma");
    const std::string literal = tokens_.spelling(at + 2);
    if (literal.find('\\', 1) != std::string::npos && literal.find("\\\"") == std::string::npos)
      return object("_Pragma with escapes is not allowed; write #pragma");
    std::string content;
    for (std::size_t i = 1; i + 1 < literal.size(); ++i)
      if (literal[i] != '\\') content.push_back(literal[i]);
    const SourceTokens inner(content, language_);
    std::vector<std::string> words;
    for (std::size_t i = 0; i < inner.size(); ++i) words.push_back(inner.spelling(i));
    look_at_pragma(words, tokens_[at].directive);
  }

  void look_at_condition(std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const std::string word = tokens_.spelling(i);
      if (word.starts_with("__has_include") || word == "__has_embed")
        return object("'" + word + "' asks what is on this machine; include what is needed");
      if (is_volatile_macro(word)) return object("'" + word + "' differs from one compile to the next");
      if (language_.CUDA && is_pass_macro(word))
        return object("a condition on '" + word +
                      "' is not allowed: the target is known, and what Clang leaves out nobody would have looked at");
      const bool own = findings_.macros.contains(word) || original_.names.contains(word);
      if (own && !conditions_.empty()) conditions_.back().about_own_macro = true;
      const bool unsettled = tokens_[i].kind == tok::raw_identifier && !is_settled_macro(word);
      if (!(is_compiler_macro(word) || unsettled) || conditions_.empty() ||
          (word == "__GNUC__" && only_asks_for(i, begin)))
        continue;
      conditions_.back().about_the_compiler = true;
      conditions_.back().asked = word;
    }
  }

  // defined(__GNUC__), #ifdef __GNUC__: true of Clang and gcc alike.
  bool only_asks_for(std::size_t i, std::size_t begin) const {
    if (i == begin) return !tokens_.is(begin - 1, "if") && !tokens_.is(begin - 1, "elif");
    return tokens_.is(i - 1, "defined") || (i > begin + 1 && tokens_.is(i - 1, "(") && tokens_.is(i - 2, "defined"));
  }

  void look_at_definition(std::size_t begin, std::size_t end) {
    const std::string name = begin < end ? tokens_.spelling(begin) : "";
    if (original_.macros.contains(words_in(tokens_, begin, end))) {
      (*defined_)[name] = {line_of(tokens_[begin].begin), true};
      return;
    }
    for (const Condition& condition : conditions_)
      if (condition.about_the_compiler)
        return object("a macro under a condition on '" + condition.asked +
                      "' is not allowed; write code for all compilers");
    if (is_reserved(name)) return object("the macro name '" + name + "' is reserved");
    if (is_attribute_name(name))
      return object("the macro '" + name + "' has the name of an attribute; call it otherwise");
    findings_.macros.insert(name);
    (*defined_)[name] = {line_of(tokens_[begin].begin)};
    look_at_body(name, begin + 1, end);
  }

  // A body with half a bracket would let a use of it reach beyond the candidate.
  void look_at_body(const std::string& name, std::size_t begin, std::size_t end) {
    std::vector<tok::TokenKind> open;
    for (std::size_t i = begin; i < end && !findings_.objection; ++i) {
      const tok::TokenKind kind = tokens_[i].kind;
      if (kind == tok::l_brace || kind == tok::l_paren || kind == tok::l_square) open.push_back(kind);
      if (kind == tok::r_brace || kind == tok::r_paren || kind == tok::r_square) {
        if (open.empty()) return object("the macro '" + name + "' holds a bracket that it does not open");
        open.pop_back();
      }
      if (tokens_.is(i, "_Pragma")) look_at_operator(i, end);
      const std::string word = kind == tok::raw_identifier ? tokens_.spelling(i) : "";
      if (is_volatile_macro(word)) object("'" + word + "' differs from one compile to the next; it is not allowed");
      if (is_compiler_macro(word))
        object("'" + word + "' depends on the compiler; write code that works with every compiler");
      if (tells_pass(word))
        object("'" + word + "' differs between nvcc's passes or from Clang's; write code for all of them");
    }
    if (!open.empty()) object("the macro '" + name + "' opens a bracket that it does not close");
  }

  void look_at_undefinition(std::size_t begin, std::size_t end) {
    const std::string name = begin < end ? tokens_.spelling(begin) : "";
    if (!findings_.macros.contains(name) && !original_.names.contains(name))
      return object("#undef " + name + " takes a macro away that the candidate did not define");
    defined_->erase(name);
  }

  bool is_reserved(const std::string& name) const {
    if (name.starts_with("__") || name.starts_with("hone_") || name.starts_with("HONE_") || name == "defined" ||
        name == "_Pragma" || (name.size() > 1 && name[0] == '_' && name[1] >= 'A' && name[1] <= 'Z'))
      return true;
    IdentifierTable names(language_);
    return names.get(name).getTokenID() != tok::identifier || names.get(name).isCPlusPlusOperatorKeyword() ||
           name == "final" || name == "override" || name == "import" || name == "module";
  }

  const SourceTokens tokens_;
  const LangOptions& language_;
  const unsigned first_line_;
  const bool leading_;
  PragmaPolicy& pragmas_;
  const OfOriginal& original_;
  DirectiveFindings& findings_;
  std::map<std::string, Definition>* defined_ = nullptr;
  std::vector<Condition> conditions_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

OfOriginal read_original(const SourceTokens& tokens) {
  OfOriginal found;
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    if (tokens[at].kind == tok::raw_identifier) found.words.insert(tokens.spelling(at));
    if (!tokens[at].directive || !tokens[at].line_start) continue;
    std::size_t end = at + 1;
    while (end < tokens.size() && tokens[end].directive && !tokens[end].line_start) ++end;
    if (tokens.is(at + 1, "define") && at + 2 < end) {
      found.names.insert(tokens.spelling(at + 2));
      found.macros.insert(words_in(tokens, at + 2, end));
    } else if (tokens.is(at + 1, "pragma")) {
      PragmaWords words;
      for (std::size_t i = at + 2; i < end; ++i) words.push_back(tokens.spelling(i));
      found.pragmas.insert(std::move(words));
    }
  }
  return found;
}

}  // namespace

DirectiveFindings look_at_directives(const SplitSource& candidate, const LangOptions& language, unsigned threads,
                                     const std::string& original) {
  DirectiveFindings findings;
  const OfOriginal of_original = read_original(SourceTokens(original, language));
  PragmaPolicy pragmas(threads > 1, of_original.pragmas);
  std::map<std::string, Definition> defined;  // and not taken back
  const Part parts[] = {{candidate.includes, 1, true}, {candidate.definition, candidate.definition_line, false}};
  for (const Part& part : parts) {
    DirectiveReader(part, language, of_original, pragmas, findings).read(defined);
    if (findings.objection) return findings;
  }
  const auto left = std::ranges::find_if(defined, [](const auto& one) { return !one.second.of_original; });
  if (left != defined.end())
    findings.objection = Objection{DiagnosticCode::candidate_directive, static_cast<unsigned>(left->second.line),
                                   "the macro '" + left->first + "' outlives the candidate; add #undef " + left->first +
                                       " at its end, or make it a constexpr"};
  else if (std::string why = pragmas.finish(); !why.empty())
    findings.objection = Objection{DiagnosticCode::candidate_directive, candidate.definition_line, why};
  findings.targets = pragmas.targets();
  return findings;
}

}  // namespace hone::frontend
