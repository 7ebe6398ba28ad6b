#include "tool/search/prompt/reply.h"

#include <algorithm>
#include <set>

#include "tool/search/text/code_text.h"
#include "tool/search/text/fenced_text.h"
#include "tool/search/text/figures.h"
#include "tool/search/text/json_text.h"
#include "tool/search/text/labels.h"
#include "tool/search/text/patch.h"

namespace hone::search {
namespace {

constexpr std::size_t kLongestReply = 1 << 20;  // more than any model answers: reading stays quick
constexpr std::size_t kLongestSource = 256 << 10;
constexpr std::size_t kMostBlocks = 64;

using Outcome = tl::expected<Reply, Unreadable>;

tl::unexpected<Unreadable> unreadable(std::string why) {
  return tl::unexpected(Unreadable{std::move(why)});
}

// A block of code and what can be said of it without compiling it.
struct Block {
  std::string text;
  std::string language;
  bool closed = true;
  bool code = false;  // brackets and semicolons: not a shell line, not a sentence
  bool balanced = false;
  bool defines = false;  // the kernel, with its whole body
};

bool is_other_language(const std::string& language) {
  static const std::set<std::string> others{"bash", "sh",   "shell", "console",  "cmake",    "python",
                                            "py",   "json", "asm",   "assembly", "makefile", "output",
                                            "yaml", "toml", "rust",  "mermaid"};
  return others.count(language) != 0;
}

// Is it a language in which a model writes a plan or an answer in words? Then it is code only where it defines the
// kernel.
bool is_text_language(const std::string& language) {
  static const std::set<std::string> texts{"text", "txt", "plaintext", "markdown", "md"};
  return texts.count(language) != 0;
}

// `#pragma hone …` was shown to the model with the kernel; echoed, it would be refused.
std::string without_annotation(const std::string& source) {
  std::string kept;
  bool continued = false;
  for (std::size_t at = 0; at < source.size();) {
    const std::size_t end = std::min(source.find('\n', at), source.size());
    const std::string line = source.substr(at, end - at);
    at = end + 1;
    const std::string words(trimmed(line));
    const bool annotation = continued || words.starts_with("#pragma hone");
    continued = annotation && words.ends_with("\\");
    if (!annotation && words != "#pragma once") kept += line + "\n";
  }
  return kept;
}

std::string as_source(const std::string& text) {
  const std::string source = without_annotation(text);
  const std::size_t begin = source.find_first_not_of('\n');
  if (begin == std::string::npos) return "";
  return source.substr(begin, source.find_last_not_of(" \t\n") + 1 - begin) + "\n";
}

bool is_escaped(const std::string& text) {
  return text.find("&lt;") != std::string::npos || text.find("&gt;") != std::string::npos ||
         text.find("&amp;&amp;") != std::string::npos || text.find("&amp;") != std::string::npos;
}

Block inspect(FencedBlock from, const std::string& function) {
  if (is_escaped(from.text)) from.text = without_entities(from.text);
  Block block{as_source(from.text), from.language, from.closed};
  const CodeText code(block.text);
  const auto definitions = code.definitions();
  const auto* kernel = code.find(definitions, function);
  block.balanced = code.balanced();
  block.defines = kernel && kernel->close != CodeText::npos;
  block.code = !is_other_language(block.language) && (block.defines || !is_text_language(block.language)) &&
               block.text.find('{') != std::string::npos && block.text.find(';') != std::string::npos;
  return block;
}

// Names that a block defines as functions, or uses as calls.
std::set<std::string_view> defined_names(const CodeText& code) {
  std::set<std::string_view> names;
  for (const auto& definition : code.definitions()) names.insert(code.spelling(definition.name));
  return names;
}

bool uses_any(const CodeText& code, const std::set<std::string_view>& names) {
  for (std::size_t i = 0; i < code.tokens().size(); ++i)
    if (code.tokens()[i].kind == CodeTokenKind::identifier && names.count(code.spelling(i))) return true;
  return false;
}

// Does the text hold nothing but #include lines and comments?
bool only_includes(const std::string& text) {
  const CodeText code(text);
  return !code.tokens().empty() && std::all_of(code.tokens().begin(), code.tokens().end(),
                                               [](const CodeToken& token) { return token.directive; });
}

// Joined blocks have #include lines in the middle; the gate wants them in front.
std::string with_includes_first(const std::string& source) {
  std::string includes, rest;
  for (std::size_t at = 0; at < source.size();) {
    const std::size_t end = std::min(source.find('\n', at), source.size());
    const std::string line = source.substr(at, end - at) + "\n";
    at = end + 1;
    std::string& into = trimmed(line).starts_with("#include") ? includes : rest;
    if (&into == &rest || includes.find(line) == std::string::npos) into += line;
  }
  return includes + rest;
}

// Helpers that a model put into blocks of their own before the kernel's.
std::string with_helpers(const std::vector<Block>& blocks, std::size_t chosen, const std::string& function) {
  std::string source = blocks[chosen].text;
  bool joined = false;
  for (std::size_t i = chosen; i-- > 0;) {
    const Block& helper = blocks[i];
    if (helper.defines && !function.empty()) continue;
    if (is_other_language(helper.language) || !helper.balanced || is_unified_diff(helper.text)) continue;
    const CodeText own(source);
    const CodeText other(helper.text);
    const std::set<std::string_view> offered = defined_names(other);
    const std::set<std::string_view> had = defined_names(own);
    const bool new_names =
        std::none_of(offered.begin(), offered.end(), [&](auto name) { return had.count(name) != 0; });
    if (only_includes(helper.text) || (!offered.empty() && new_names && uses_any(own, offered))) {
      source = helper.text + source;
      joined = true;
    }
  }
  return joined ? with_includes_first(source) : source;
}

bool same_tokens(const std::string& a, const std::string& b) {
  const CodeText one(a);
  const CodeText two(b);
  if (one.tokens().size() != two.tokens().size()) return false;
  for (std::size_t i = 0; i < one.tokens().size(); ++i)
    if (one.spelling(i) != two.spelling(i)) return false;
  return true;
}

class Reader {
 public:
  Reader(std::string text, const ReplyExpectation& expected, bool in_thinking)
      : text_(std::move(text)), expected_(expected), in_thinking_(in_thinking) {}

  Outcome read() {
    if (trimmed(text_).empty())
      return unreadable(in_thinking_ ? "the reply ended before the thinking did; think less and write the code"
                                     : "the reply is empty");
    if (auto reply = from_json(text_)) return *reply;
    fenced_ = split_fences(text_);
    if (fenced_.blocks.size() > kMostBlocks) fenced_.blocks.resize(kMostBlocks);
    labels_ = read_labels(fenced_);
    for (const FencedBlock& block : fenced_.blocks) {
      if (block.language == "json" || fenced_.blocks.size() == 1)
        if (auto reply = from_json(block.text)) return *reply;
      blocks_.push_back(inspect(block, expected_.function));
    }
    return choose();
  }

 private:
  Outcome reply(std::string source, std::string note = "") const {
    if (source.size() > kLongestSource) return unreadable("the code is longer than 256 KiB");
    return Reply{labels_.name, std::move(source), labels_.thought, labels_.predicted, std::move(note)};
  }

  std::string function_text() const {
    return expected_.function.empty() ? "the function" : "'" + expected_.function + "'";
  }

  Outcome choose() {
    const auto is_whole = [](const Block& block) { return block.defines && block.code && block.balanced; };
    // Some quote the original behind what they changed.
    if (const auto changed = last([&](const Block& block) { return is_whole(block) && !is_echo(block); }))
      return whole_block(*changed);
    if (const auto whole = last(is_whole))
      if (!later_edit(*whole)) return whole_block(*whole);
    if (auto edited = from_edits()) return *edited;
    if (blocks_.empty()) return without_fence();
    // A block that was cut off says more than a finished one about something else.
    if (!blocks_.back().closed && !blocks_.back().balanced)
      return unreadable("the reply ended in the middle of the code; write a shorter version and finish it");
    if (const auto some = last([](const Block& block) { return block.code && block.balanced; }))
      return reply(with_helpers(blocks_, *some, expected_.function), "no block defines " + function_text());
    if (const auto broken = last([](const Block& block) { return block.code; }))
      return reply(blocks_[*broken].text, "brackets do not match");
    if (auto plain = plain_code(fenced_.prose)) return reply(*plain, "code without a fence");
    return unreadable("no block of code defines " + function_text() + "; write one block with the complete definition");
  }

  template <class Predicate>
  std::optional<std::size_t> last(Predicate wanted) const {
    for (std::size_t i = blocks_.size(); i-- > 0;)
      if (wanted(blocks_[i])) return i;
    return {};
  }

  // The parent quoted, with the change behind it.
  bool is_echo(const Block& block) const {
    return std::any_of(expected_.parents.begin(), expected_.parents.end(),
                       [&](const std::string& parent) { return same_tokens(parent, block.text); });
  }
  bool later_edit(std::size_t index) const {
    return std::any_of(blocks_.begin() + static_cast<std::ptrdiff_t>(index) + 1, blocks_.end(),
                       [](const Block& block) { return is_unified_diff(block.text) || is_search_replace(block.text); });
  }

  Outcome whole_block(std::size_t index) const {
    const Block& block = blocks_[index];
    if (!block.closed && block.balanced)
      return reply(with_helpers(blocks_, index, expected_.function), "the closing fence is missing");
    return reply(with_helpers(blocks_, index, expected_.function));
  }

  // Diffs and search/replace blocks, in fences or bare. nullopt: there are none.
  std::optional<Outcome> from_edits() const {
    std::string diff, edits;
    for (const Block& block : blocks_) {
      if (is_search_replace(block.text))
        edits += block.text;
      else if (is_unified_diff(block.text))
        diff += block.text;
    }
    if (edits.empty() && is_search_replace(text_)) edits = text_;
    if (edits.empty() && diff.empty() && blocks_.empty() && is_unified_diff(text_)) diff = text_;
    if (edits.empty() && diff.empty()) return {};
    return edit_parents(edits.empty() ? diff : edits, edits.empty());
  }

  Outcome edit_parents(const std::string& edits, bool diff) const {
    const std::string advice = "; write the complete definition instead";
    if (expected_.parents.empty()) return unreadable("there is nothing that a diff could apply to" + advice);
    std::string first;
    for (std::size_t i = 0; i < expected_.parents.size(); ++i) {
      const auto applied =
          diff ? apply_unified_diff(expected_.parents[i], edits) : apply_search_replace(expected_.parents[i], edits);
      if (applied) return reply(as_source(*applied), "applied as an edit to parent " + std::to_string(i + 1));
      if (first.empty()) first = applied.error();
    }
    return unreadable(first + advice);
  }

  Outcome without_fence() const {
    std::string text = text_;
    if (is_escaped(text)) text = without_entities(text);
    if (auto plain = plain_code(text)) return reply(*plain, "code without a fence");
    const bool some = text.find('{') != std::string::npos && text.find(';') != std::string::npos;
    return unreadable(some ? "no complete definition of " + function_text() +
                                 " could be found; put it into one fenced block"
                           : "there is no code in the reply; write one fenced block with the complete definition");
  }

  // The definition with the lines of code directly in front of it, where the text plainly holds it.
  std::optional<std::string> plain_code(const std::string& text) const {
    const CodeText code(text);
    const auto definitions = code.definitions();
    const auto* kernel = code.find(definitions, expected_.function);
    if (!kernel || kernel->close == CodeText::npos || kernel->name == 0) return {};
    const std::string_view body = std::string_view(text).substr(
        code.tokens()[kernel->open].begin, code.tokens()[kernel->close].end - code.tokens()[kernel->open].begin);
    if (body.find(';') == std::string_view::npos) return {};
    std::size_t begin = text.rfind('\n', code.tokens()[kernel->name].begin);
    begin = begin == std::string::npos ? 0 : begin + 1;
    if (!is_code_line(std::string_view(text).substr(begin, text.find('\n', begin) - begin), true)) return {};
    const std::size_t end = code.tokens()[kernel->close].end;
    begin = first_code_line(text, begin);
    const std::string source = as_source(text.substr(begin, end - begin));
    return CodeText(source).balanced() ? std::optional(source) : std::nullopt;
  }

  // Upwards from the definition while lines look like code and not like sentences.
  static std::size_t first_code_line(const std::string& text, std::size_t begin) {
    std::size_t first = begin;
    bool inside = false;  // between a closing brace and the line that opened it
    for (std::size_t at = begin; at > 0;) {
      const std::size_t line_begin = text.rfind('\n', at - 2 < text.size() ? at - 2 : 0);
      const std::size_t start = at < 2 || line_begin == std::string::npos ? 0 : line_begin + 1;
      const std::string_view line = trimmed(std::string_view(text).substr(start, at - start));
      if (line.starts_with("}")) inside = true;
      if (!line.empty() && !inside && !is_code_line(line, false)) break;
      if (!line.empty() && inside && line.ends_with("{")) inside = false;
      if (!line.empty() && !inside) first = start;
      at = start;
    }
    return first;
  }

  static bool is_code_line(std::string_view line, bool definition) {
    const std::string_view words = trimmed(line);
    if (words.empty()) return false;
    if (words.starts_with("#") && !words.starts_with("##") && !words.starts_with("# ")) return true;
    const char end = words.back();
    const bool sentence = end == '.' || end == ':' || end == '!' || end == '?';  // "inline functions cost nothing."
    if (words.starts_with("//") || words.starts_with("/*")) return true;
    for (const std::string_view start : {"template<", "template <", "static ", "inline ", "[["})
      if (words.starts_with(start) && !sentence) return true;
    if (definition) return end == '{' || end == ',' || end == '(' || end == ')' || end == '}';
    return end == ';' || end == '{' || end == '}';
  }

  // {"name": …, "code": …, "thought": …}. nullopt: not that.
  std::optional<Outcome> from_json(std::string_view text) const {
    const std::string_view words = trimmed(text);
    if (!words.starts_with("{") && !words.starts_with("[")) return {};
    const auto json = find_json(words);
    if (!json) return {};
    const nlohmann::json& object = json->is_array() ? json->front() : *json;
    if (!object.is_object()) return {};
    const auto member = [&](std::initializer_list<const char*> names) -> std::string {
      for (const char* name : names)
        if (const auto found = object.find(name); found != object.end() && found->is_string())
          return found->get<std::string>();
      return "";
    };
    const std::string code =
        member({"code", "source", "kernel", "implementation", "solution", "answer", "content", "text"});
    if (code.empty()) return {};
    const bool fenced = code.find("```") != std::string::npos || code.find("~~~") != std::string::npos;
    std::string wrapped = "name: " + one_line(member({"name", "title"})) + "\n";
    if (const std::string gain = member({"predicted"}); !gain.empty()) wrapped += "predicted: " + one_line(gain) + "\n";
    wrapped += fenced ? code : "`````cpp\n" + code + "\n`````";
    wrapped += "\nthought: " + member({"thought", "explanation", "reasoning", "rationale"}) + "\n";
    auto inner = Reader(plain_text(wrapped), expected_, false).read();
    if (inner) inner->note = inner->note.empty() ? "read from JSON" : "read from JSON; " + inner->note;
    return inner;
  }

  static std::string one_line(std::string text) {
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text;
  }

  const std::string text_;
  const ReplyExpectation& expected_;
  const bool in_thinking_;
  FencedText fenced_;
  Labels labels_;
  std::vector<Block> blocks_;
};

// Writes <pre><code>…</code></pre> as fences.
std::string with_fences_for_tags(std::string text) {
  if (text.find("```") != std::string::npos || text.find("<code") == std::string::npos) return text;
  for (const std::string_view tag : {"pre", "code"})
    for (const std::string& mark : {"<" + std::string(tag), "</" + std::string(tag)})
      for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at)) {
        const std::size_t end = text.find('>', at);
        if (end == std::string::npos || end - at > 80) {
          ++at;
          continue;
        }
        text.replace(at, end + 1 - at, tag == "code" ? "\n```\n" : "\n");
      }
  return text;
}

}  // namespace

tl::expected<Reply, Unreadable> parse_reply(std::string_view text, const ReplyExpectation& expected) {
  if (text.size() > kLongestReply) text = text.substr(0, kLongestReply);
  CleanText clean = clean_reply(text);
  return Reader(with_fences_for_tags(std::move(clean.text)), expected, clean.in_thinking).read();
}

}  // namespace hone::search
