#include "tool/tune/reduction/rewriting.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "tool/frontend/parse/source_tokens.h"

namespace hone::tune {
namespace {

using frontend::SourceTokens;
using frontend::TextPart;
using Words = std::vector<std::string>;

struct Change {
  std::size_t begin = 0, end = 0;  // bytes
  std::string text;
};

std::string changed(const std::string& source, std::vector<Change> changes) {
  std::ranges::sort(changes, {}, &Change::begin);
  std::string text;
  std::size_t at = 0;
  for (const Change& change : changes) {
    text += source.substr(at, change.begin - at) + change.text;
    at = change.end;
  }
  return text + source.substr(at);
}

// The tokens of a candidate, each with its spelling.
class Text {
 public:
  explicit Text(const std::string& source) : source_(source), tokens_(source, frontend::permissive_language()) {
    for (std::size_t at = 0; at < tokens_.size(); ++at) words_.push_back(tokens_.spelling(at));
  }

  std::size_t size() const { return words_.size(); }
  const std::string& word(std::size_t at) const {
    static const std::string none;
    return at < words_.size() ? words_[at] : none;
  }
  bool is_name(std::size_t at) const { return at < size() && tokens_[at].kind == clang::tok::raw_identifier; }
  bool is_number(std::size_t at) const { return at < size() && tokens_[at].kind == clang::tok::numeric_constant; }
  bool in_directive(std::size_t at) const { return tokens_[at].directive; }
  bool starts_line(std::size_t at) const { return tokens_[at].line_start; }
  std::size_t begin(std::size_t at) const { return tokens_[at].begin; }
  std::size_t end(std::size_t at) const { return tokens_[at].end; }
  std::size_t behind(std::size_t at) const { return std::max(tokens_.behind_brackets(at), at + 1); }
  std::size_t at_byte(std::size_t byte) const { return tokens_.at_or_after(byte); }
  std::string between(std::size_t from, std::size_t to) const {
    return from < to ? source_.substr(begin(from), end(to - 1) - begin(from)) : "";
  }
  std::vector<std::size_t> uses_of(std::string_view name) const {
    std::vector<std::size_t> places;
    for (std::size_t at = 0; at < size(); ++at)
      if (words_[at] == name) places.push_back(at);
    return places;
  }
  // A type in front of it, or what ends one.
  bool declared_at(std::size_t at) const {
    static const std::set<std::string> no_types{"return", "case", "else", "do", "sizeof", "unroll", "goto", "throw"};
    if (at == 0 || !is_name(at)) return false;
    if (is_name(at - 1)) return !no_types.contains(word(at - 1));
    // `T* x`, and not `a * x`: what is multiplied is assigned to nothing.
    const bool pointer = word(at - 1) == "*" || word(at - 1) == "&" || word(at - 1) == "&&" || word(at - 1) == ">";
    return pointer && is_name(at - 2) && (word(at + 1) == "=" || word(at + 1) == "," || word(at + 1) == ")");
  }

 private:
  const std::string& source_;
  SourceTokens tokens_;
  Words words_;
};

bool spells(const std::string& number, const std::string& type) {
  const bool hex = number.starts_with("0x") || number.starts_with("0X");
  const bool point = !hex && number.find_first_of(".eE") != std::string::npos;
  const char last = number.back();
  if (type == "auto") return true;
  if (type == "int") return !point && !hex && last >= '0' && last <= '9' && number.size() < 10;
  if (type == "unsigned") return !point && (last == 'u' || last == 'U');
  if (type == "float") return point && (last == 'f' || last == 'F');
  return type == "double" && point && (last == '.' || (last >= '0' && last <= '9'));
}

// Behind `static constexpr auto TILE = -64;` at `at`; nullopt: there is no such declaration.
struct Constant {
  std::string name, number;
  std::size_t end = 0;
};

std::optional<Constant> constant_at(const Text& text, std::size_t at) {
  bool constant = false;
  for (; text.word(at) == "static" || text.word(at) == "inline" || text.word(at) == "const" ||
         text.word(at) == "constexpr";
       ++at)
    constant |= text.word(at).starts_with("const");
  const std::string type = text.word(at);
  if (!constant || !text.is_name(at + 1) || text.word(at + 2) != "=") return std::nullopt;
  const bool negative = text.word(at + 3) == "-";
  const std::size_t number = at + 3 + (negative ? 1 : 0);
  if (!text.is_number(number) || text.word(number + 1) != ";" || !spells(text.word(number), type)) return std::nullopt;
  return Constant{text.word(at + 1), negative ? "(-" + text.word(number) + ")" : text.word(number), number + 2};
}

// The helper's parts, by tokens.
struct Parameter {
  Words type;
  std::string name;
};
struct Helper {
  std::string type, name;
  std::vector<Parameter> parameters;
  std::size_t begin = 0, body = 0, end = 0;  // `body`: behind its brace
};

std::vector<std::pair<std::size_t, std::size_t>> by_commas(const Text& text, std::size_t from, std::size_t to) {
  std::vector<std::pair<std::size_t, std::size_t>> pieces;
  std::size_t begin = from;
  for (std::size_t at = from; at < to;) {
    if (text.word(at) == ",") {
      pieces.emplace_back(begin, at);
      begin = at + 1;
    }
    const bool bracket = text.word(at) == "(" || text.word(at) == "[" || text.word(at) == "{";
    at = bracket ? text.behind(at) : at + 1;
  }
  if (from < to) pieces.emplace_back(begin, to);
  return pieces;
}

std::optional<std::vector<Parameter>> parameters_in(const Text& text, std::size_t from, std::size_t to) {
  std::vector<Parameter> parameters;
  for (const auto& [begin, end] : by_commas(text, from, to)) {
    if (end - begin < 2 || !text.is_name(end - 1)) return std::nullopt;
    Parameter parameter{.name = text.word(end - 1)};
    for (std::size_t at = begin; at + 1 < end; ++at)
      if (text.word(at) == "=" || text.word(at) == "(" || text.word(at) == "[")
        return std::nullopt;
      else
        parameter.type.push_back(text.word(at));
    parameters.push_back(std::move(parameter));
  }
  return parameters;
}

std::optional<Helper> helper_at(const Text& text, const TextPart& part) {
  Helper helper{.begin = text.at_byte(part.begin), .end = text.at_byte(part.end)};
  std::size_t at = helper.begin;
  for (bool more = true; more;) {
    more = false;
    for (const char* word : {"static", "inline", "constexpr", "__inline", "__inline__"})
      if (text.word(at) == word) ++at, more = true;
    if (text.word(at) == "__attribute__" || (text.word(at) == "[" && text.word(at + 1) == "[")) {
      at = text.behind(text.word(at) == "[" ? at : at + 1);
      more = true;
    }
  }
  // One word for the type, so that it is a conversion, too.
  if (!text.is_name(at) || !text.is_name(at + 1) || text.word(at + 2) != "(") return std::nullopt;
  helper.type = text.word(at);
  helper.name = text.word(at + 1);
  const std::size_t close = text.behind(at + 2);
  const auto parameters = parameters_in(text, at + 3, close - 1);
  if (!parameters || text.word(close) != "{" || text.behind(close) != helper.end) return std::nullopt;
  helper.parameters = *parameters;
  helper.body = close + 1;
  for (at = helper.begin; at < helper.end; ++at)
    if (text.in_directive(at)) return std::nullopt;
  return helper;
}

// A helper's only call, with what is handed over.
struct Call {
  std::size_t begin = 0, end = 0;
  std::vector<std::pair<std::size_t, std::size_t>> arguments;
  std::size_t caller_begin = 0, caller_end = 0;
};

class Inlining {
 public:
  Inlining(const std::string& source, const Text& text, const std::vector<TextPart>& helpers)
      : source_(source), text_(text), helpers_(helpers) {}

  std::optional<std::string> without(const Helper& helper) const {
    const auto call = call_of(helper);
    if (!call || captures(helper, *call)) return std::nullopt;
    const bool statement = helper.type == "void";
    const auto body = statement ? block(helper, *call) : expression(helper, *call);
    if (!body) return std::nullopt;
    const std::size_t end = text_.end(statement ? call->end : call->end - 1);  // with the statement's semicolon
    // The helper is in front of its call.
    const std::string rest = changed(source_, {{text_.begin(call->begin), end, *body}});
    return frontend::without_parts(rest, {{text_.begin(helper.begin), text_.end(helper.end - 1)}});
  }

 private:
  std::optional<Call> call_of(const Helper& helper) const {
    const auto uses = text_.uses_of(helper.name);
    if (uses.size() != 2 || uses[1] < helper.end || text_.in_directive(uses[1])) return std::nullopt;
    Call call{.begin = uses[1], .end = uses[1] + 2};
    static const std::set<std::string> others{"&", ".", "->", "::"};
    if (text_.word(call.begin + 1) != "(" || others.contains(text_.word(call.begin - 1))) return std::nullopt;
    call.end = text_.behind(call.begin + 1);
    call.arguments = by_commas(text_, call.begin + 2, call.end - 1);
    if (call.arguments.size() != helper.parameters.size()) return std::nullopt;
    call.caller_end = text_.size();
    for (const TextPart& other : helpers_) {
      const std::size_t begin = text_.at_byte(other.begin), end = text_.at_byte(other.end);
      if (begin <= call.begin && call.begin < end) call.caller_end = end;
      if (begin <= call.begin) call.caller_begin = call.begin < end ? begin : end;
    }
    return call;
  }

  // Would a name that the helper means be another's where it is called?
  bool captures(const Helper& helper, const Call& call) const {
    std::set<std::string> of_caller, own;
    for (std::size_t at = call.caller_begin; at < call.caller_end; ++at)
      if (text_.declared_at(at)) of_caller.insert(text_.word(at));
    for (const Parameter& parameter : helper.parameters) own.insert(parameter.name);
    for (std::size_t at = helper.body; at < helper.end; ++at)
      if (text_.declared_at(at)) own.insert(text_.word(at));
    for (std::size_t at = helper.body; at < helper.end; ++at)
      if (text_.is_name(at) && !own.contains(text_.word(at)) && of_caller.contains(text_.word(at))) return true;
    return false;
  }

  static bool by_value(const Parameter& parameter) {
    return std::ranges::none_of(parameter.type, [](const std::string& word) { return word == "*" || word == "&"; });
  }

  // The argument where the parameter stood, converted as it would have been.
  std::optional<std::string> argument(const Parameter& parameter, const Call& call, std::size_t index) const {
    const auto [begin, end] = call.arguments[index];
    const std::string text = text_.between(begin, end);
    if (!by_value(parameter)) return end - begin == 1 ? text : "(" + text + ")";
    Words type = parameter.type;
    std::erase(type, "const");
    if (type.size() != 1) return std::nullopt;
    if (end - begin == 1)
      for (std::size_t at = call.caller_begin; at < call.begin; ++at)
        if (text_.word(at) == text && text_.declared_at(at) && text_.word(at - 1) == type[0]) return text;
    return type[0] + "(" + text + ")";
  }

  std::optional<std::string> expression(const Helper& helper, const Call& call) const {
    std::size_t end = helper.body;
    while (end < helper.end && text_.word(end) != ";") ++end;
    if (text_.word(helper.body) != "return" || end + 2 != helper.end || end == helper.body + 1) return std::nullopt;
    std::string text;
    std::vector<unsigned> used(helper.parameters.size());
    for (std::size_t at = helper.body + 1; at < end; ++at) {
      if (text_.word(at) == "[" && text_.word(at + 1) == "&") return std::nullopt;  // a function in the function
      std::string word = text_.word(at);
      for (std::size_t index = 0; index < helper.parameters.size(); ++index) {
        if (word != helper.parameters[index].name || text_.word(at - 1) == "." || text_.word(at - 1) == "->") continue;
        const auto handed = argument(helper.parameters[index], call, index);
        const bool simple = call.arguments[index].second - call.arguments[index].first == 1;
        if (!handed || (++used[index] > 1 && !simple)) return std::nullopt;
        word = *handed;
        break;
      }
      text += (at == helper.body + 1 ? "" : text_.begin(at) > text_.end(at - 1) ? " " : "") + word;
    }
    return (helper.type == "auto" ? "" : helper.type) + "(" + text + ")";
  }

  // { T parameter = argument; … body … }
  std::optional<std::string> block(const Helper& helper, const Call& call) const {
    const std::string& before = text_.word(call.begin - 1);
    if (text_.word(call.end) != ";" || (before != ";" && before != "{" && before != "}" && before != ")"))
      return std::nullopt;
    for (std::size_t at = helper.body; at < helper.end; ++at)
      if (text_.word(at) == "return") return std::nullopt;
    std::string text = "{\n";
    for (std::size_t index = 0; index < helper.parameters.size(); ++index) {
      const Parameter& parameter = helper.parameters[index];
      const auto [begin, end] = call.arguments[index];
      const bool same = end - begin == 1 && text_.word(begin) == parameter.name;
      if (same && by_value(parameter) && std::ranges::find(parameter.type, "const") == parameter.type.end() &&
          sets(helper, parameter.name))
        return std::nullopt;
      if (same) continue;
      for (std::size_t at = begin; at < end; ++at)
        for (const Parameter& other : helper.parameters)
          if (text_.word(at) == other.name) return std::nullopt;
      for (const std::string& word : parameter.type) text += word + " ";
      text += parameter.name + " = " + text_.between(begin, end) + ";\n";
    }
    return text + text_.between(helper.body, helper.end - 1) + "\n}";
  }

  // May the helper change its copy?
  bool sets(const Helper& helper, const std::string& name) const {
    for (std::size_t at = helper.body; at < helper.end; ++at) {
      if (text_.word(at) != name) continue;
      const std::string &next = text_.word(at + 1), &before = text_.word(at - 1);
      const bool assigned = next.ends_with("=") && next != "==" && next != "<=" && next != ">=" && next != "!=";
      if (assigned || next == "++" || next == "--" || before == "++" || before == "--" || before == "&") return true;
    }
    return false;
  }

  const std::string& source_;
  const Text& text_;
  const std::vector<TextPart>& helpers_;
};

// Where a hint that begins at `at` ends; `at`: none does.
std::size_t behind_hint(const Text& text, std::size_t at) {
  if (text.word(at) == "#" && text.starts_line(at) && text.word(at + 1) == "pragma") {
    std::size_t end = at + 1;
    while (end < text.size() && text.in_directive(end) && !text.starts_line(end)) ++end;
    return end;
  }
  if (text.in_directive(at)) return at;
  if (text.word(at) == "__restrict__" || text.word(at) == "__restrict") return at + 1;
  const bool call = text.word(at) == "__builtin_prefetch" || text.word(at) == "_mm_prefetch";
  if ((call || text.word(at) == "__attribute__") && text.word(at + 1) == "(") {
    const std::size_t end = text.behind(at + 1);
    return call && text.word(end) == ";" ? end + 1 : call ? at : end;
  }
  const bool attribute = text.word(at) == "[" && text.word(at + 1) == "[";
  return attribute ? text.behind(at) : at;
}

}  // namespace

std::vector<Rewriting> with_number_for_constant(const std::string& source) {
  const Text text(source);
  std::vector<Rewriting> rewritings;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const auto constant = constant_at(text, at);
    if (!constant) continue;
    std::vector<Change> changes;
    bool once = true;
    for (const std::size_t use : text.uses_of(constant->name)) {
      if (use >= at && use < constant->end) continue;
      const std::string& before = text.word(use - 1);
      once = once && use > at && !text.declared_at(use) && before != "." && before != "->" && before != "::";
      changes.push_back({text.begin(use), text.end(use), constant->number});
    }
    const std::size_t end = constant->end;
    if (once && !changes.empty()) {
      const std::string rest = changed(source, std::move(changes));
      rewritings.push_back({constant->name + ", a name for " + constant->number,
                            frontend::without_parts(rest, {{text.begin(at), text.end(end - 1)}})});
    }
    at = end - 1;
  }
  return rewritings;
}

std::vector<Rewriting> with_body_for_call(const std::string& source) {
  const Text text(source);
  const std::vector<TextPart> helpers = frontend::parts_of(source, 0);
  const Inlining inlining(source, text, helpers);
  std::vector<Rewriting> rewritings;
  for (const TextPart& part : helpers)
    if (const auto helper = helper_at(text, part))
      if (auto shorter = inlining.without(*helper))
        rewritings.push_back({helper->name + "(), a helper of one call", std::move(*shorter)});
  return rewritings;
}

std::vector<TextPart> hints_in(const std::string& source) {
  const Text text(source);
  std::vector<TextPart> hints;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = behind_hint(text, at);
    if (end > at) hints.push_back({text.begin(at), text.end(end - 1)});
    at = std::max(end, at + 1);
  }
  return hints;
}

}  // namespace hone::tune
