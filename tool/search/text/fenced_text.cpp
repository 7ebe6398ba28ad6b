#include "tool/search/text/fenced_text.h"

#include <algorithm>
#include <array>
#include <optional>

#include "tool/base/utf8.h"

namespace hone::search {
namespace {

struct Fence {
  char mark = '`';
  std::size_t length = 0;
  std::string info;
  bool quoted = false;  // "> ```"
};

std::size_t run_of(std::string_view text, char mark) {
  return std::min(text.find_first_not_of(mark), text.size());
}

std::optional<Fence> fence_at(std::string_view line) {
  std::string_view rest = trimmed(line);
  while (rest.starts_with(">")) rest = trimmed(rest.substr(1));  // in a quotation
  if (rest.empty() || (rest[0] != '`' && rest[0] != '~')) return {};
  const std::size_t length = run_of(rest, rest[0]);
  if (length < 3) return {};
  const std::string_view info = trimmed(rest.substr(length));
  if (info.find('`') != std::string_view::npos) return {};  // inline code
  return Fence{rest[0], length, std::string(info), trimmed(line).starts_with(">")};
}

std::string language_of(const std::string& info) {
  std::string word = lower_case(std::string_view(info).substr(0, info.find_first_of(" \t,")));
  std::erase_if(word, [](char c) { return c == '{' || c == '}' || c == '.' || c == ':'; });
  return word;
}

bool is_text_language(const std::string& language) {
  return language.empty() || language == "markdown" || language == "md" || language == "text" || language == "txt" ||
         language == "plaintext";
}

// The blocks that are open, innermost last; only the innermost collects lines.
class FenceReader {
 public:
  void line(std::string_view line) {
    const auto fence = fence_at(line);
    if (!fence) return content(line);
    if (open_.empty()) return open(*fence);
    const Fence& top = open_.back().fence;
    if (fence->mark != top.mark || fence->length < top.length) {
      if (is_text_language(open_.back().language) && !fence->info.empty()) return open(*fence);
      return add(line);
    }
    if (fence->info.empty()) return close();
    if (!is_text_language(open_.back().language)) close(false);  // the last one was forgotten
    open(*fence);
  }

  FencedText finish() {
    while (!open_.empty()) close(false);
    std::stable_sort(result_.blocks.begin(), result_.blocks.end(),
                     [](const FencedBlock& a, const FencedBlock& b) { return a.prose < b.prose; });
    return std::move(result_);
  }

 private:
  struct Open {
    Fence fence;
    std::string language;
    std::string text;
    std::size_t prose = 0;
  };

  void open(const Fence& fence) {
    const std::string language = language_of(fence.info);
    std::string first;  // code on the fence's own line
    if (fence.info.find_first_of("#;{(") != std::string::npos && fence.info.find(' ') != std::string::npos &&
        !fence.info.starts_with("{"))
      first = fence.info.substr(fence.info.find(' ') + 1) + "\n";
    open_.push_back({fence, language, first, result_.prose.size()});
  }

  void close(bool closed = true) {
    Open top = std::move(open_.back());
    open_.pop_back();
    // What stood around an inner block is prose: a whole answer wrapped into a fence.
    if (wrapped_ > open_.size()) {
      result_.prose += top.text;
      wrapped_ = open_.size();
      return;
    }
    if (!open_.empty()) {
      flush_outer();
      wrapped_ = open_.size();
      top.prose = result_.prose.size();
    }
    result_.blocks.push_back({top.language, std::move(top.text), closed, top.prose});
  }

  void flush_outer() {
    for (Open& outer : open_) {
      result_.prose += outer.text;
      outer.text.clear();
    }
  }

  void content(std::string_view line) {
    if (open_.empty()) {
      result_.prose.append(line).append("\n");
      return;
    }
    // A fence directly behind code, as in "}```".
    const Fence& top = open_.back().fence;
    const std::string_view code = trimmed(line);
    if (code.size() > top.length && code.ends_with(std::string(top.length, top.mark)) &&
        (code[code.size() - top.length - 1] == '}' || code[code.size() - top.length - 1] == ';')) {
      add(line.substr(0, line.find_last_not_of(" \t") + 1 - top.length));
      return close();
    }
    add(line);
  }

  void add(std::string_view line) {
    if (open_.back().fence.quoted && line.starts_with(">")) line.remove_prefix(line.starts_with("> ") ? 2 : 1);
    open_.back().text.append(line).append("\n");
  }

  std::vector<Open> open_;
  std::size_t wrapped_ = 0;  // blocks up to this depth held another block
  FencedText result_;
};

constexpr std::array<std::string_view, 4> kThinking{"think", "thinking", "thought_process", "reasoning"};

bool at_line_start(std::string_view text, std::size_t at) {
  const std::size_t before = text.find_last_not_of(" \t", at == 0 ? 0 : at - 1);
  return at == 0 || before == std::string_view::npos || text[before] == '\n';
}

// <think>…</think>, also without its first tag (some servers swallow it).
void cut_thinking(std::string& text, std::string_view tag, bool& unfinished) {
  const std::string open = "<" + std::string(tag) + ">";
  const std::string close = "</" + std::string(tag) + ">";
  const std::size_t first_close = text.find(close);
  const std::size_t first_open = text.find(open);
  if (first_close != std::string::npos && (first_open == std::string::npos || first_close < first_open))
    text.erase(0, first_close + close.size());
  for (std::size_t at = text.find(open); at != std::string::npos; at = text.find(open, at)) {
    if (!at_line_start(text, at)) {
      ++at;
      continue;
    }
    const std::size_t end = text.find(close, at);
    if (end == std::string::npos) {
      text.erase(at);
      unfinished = true;
      return;
    }
    text.erase(at, end + close.size() - at);
  }
}

}  // namespace

FencedText split_fences(std::string_view text) {
  FenceReader reader;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    reader.line(text.substr(at, end - at));
    at = end + 1;
  }
  return reader.finish();
}

std::string plain_text(std::string_view text) {
  std::string plain;
  plain.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = first_character(text.substr(at)).bytes;
    const std::string_view piece = text.substr(at, std::max<std::size_t>(length, 1));
    at += piece.size();
    if (length == 0) {
      plain += '?';
    } else if (piece == "\r") {
      if (at >= text.size() || text[at] != '\n') plain += '\n';
    } else if (piece == "\u00a0" || piece == "\u202f") {
      plain += ' ';
    } else if (piece != "\ufeff" && piece != "\u200b" && piece != "\u200c" && piece != "\u200d" &&
               piece != std::string_view("\0", 1)) {
      plain += piece;
    }
  }
  return plain;
}

CleanText clean_reply(std::string_view text) {
  CleanText clean{plain_text(text)};
  for (const std::string_view tag : kThinking) cut_thinking(clean.text, tag, clean.in_thinking);
  return clean;
}

std::string without_entities(std::string_view text) {
  constexpr std::pair<std::string_view, char> kEntities[] = {{"&lt;", '<'},   {"&gt;", '>'},    {"&quot;", '"'},
                                                             {"&#39;", '\''}, {"&#x27;", '\''}, {"&amp;", '&'}};
  std::string plain;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const auto entity = std::find_if(std::begin(kEntities), std::end(kEntities),
                                     [&](const auto& known) { return text.substr(at).starts_with(known.first); });
    plain += entity == std::end(kEntities) ? text[at] : entity->second;
    if (entity != std::end(kEntities)) at += entity->first.size() - 1;
  }
  return plain;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\n\r");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\n\r") + 1 - begin);
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return lower;
}

}  // namespace hone::search
