#include "tool/search/text/labels.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "tool/search/text/figures.h"

namespace hone::search {
namespace {

constexpr std::size_t kLongestName = 60;
constexpr std::size_t kLongestThought = 1500;

std::string cut_at_word(std::string_view text, std::size_t most) {
  text = trimmed(text);
  if (text.size() <= most) return std::string(text);
  std::size_t end = text.find_last_of(" \n", most);
  if (end == std::string_view::npos) end = most;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
  return std::string(trimmed(text.substr(0, end))) + " …";
}

std::string_view without_marks(std::string_view text) {
  constexpr std::string_view kMarks = "*_`#>-\"' \t";
  const std::size_t begin = text.find_first_not_of(kMarks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of("*_`\"' \t") + 1 - begin);
}

// "**Name:** x", "- name: x", "### Thought" (the text is on the lines below). nullopt: another line.
std::optional<std::string_view> labeled(std::string_view line, std::string_view label) {
  const std::string_view words = without_marks(line);
  if (!lower_case(words.substr(0, label.size())).starts_with(label)) return {};
  std::string_view rest = words.substr(label.size());
  while (!rest.empty() && (rest[0] == '*' || rest[0] == '_' || rest[0] == '`')) rest.remove_prefix(1);
  rest = trimmed(rest);
  if (rest.empty() && trimmed(line).starts_with("#")) return rest;
  if (!rest.starts_with(":")) return {};
  rest.remove_prefix(1);
  const std::size_t begin = rest.find_first_not_of("* \t");
  return begin == std::string_view::npos ? std::string_view() : rest.substr(begin);
}

enum class Section { none, name, thought };

class LabelReader {
 public:
  Labels run(const FencedText& reply) {
    std::size_t block = 0;
    const std::string_view prose = reply.prose;
    for (std::size_t at = 0; at < prose.size();) {
      while (block < reply.blocks.size() && reply.blocks[block].prose <= at) {
        ++block;
        section_ = Section::none;
      }
      const std::size_t end = std::min(prose.find('\n', at), prose.size());
      line(prose.substr(at, end - at), block == reply.blocks.size());
      at = end + 1;
    }
    labels_.name = cut_at_word(without_marks(labels_.name), kLongestName);
    const std::string& told = !thought_.empty() ? thought_ : !trimmed(after_).empty() ? after_ : before_;
    labels_.thought = cut_at_word(told, kLongestThought);
    return std::move(labels_);
  }

 private:
  void line(std::string_view line, bool behind_code) {
    if (const auto name = labeled(line, "name")) {
      if (labels_.name.empty()) labels_.name = std::string(*name);
      section_ = name->empty() ? Section::name : Section::none;
      return;
    }
    for (const std::string_view label : {"predicted", "expected gain", "expected speedup"})
      if (const auto gain = labeled(line, label)) {
        if (!labels_.predicted) labels_.predicted = parse_ratio(*gain);
        section_ = Section::none;
        return;
      }
    for (const std::string_view label : {"thoughts", "thought", "explanation", "rationale"})
      if (const auto thought = labeled(line, label)) {
        if (label.starts_with("thought")) thought_.clear();  // the last one counts
        thought_ += std::string(*thought) + "\n";
        section_ = Section::thought;
        return;
      }
    if (section_ == Section::thought) {
      thought_.append(line).append("\n");
    } else if (section_ == Section::name && !trimmed(line).empty()) {
      labels_.name = std::string(line);
      section_ = Section::none;
    } else {
      (behind_code ? after_ : before_).append(line).append("\n");
    }
  }

  Labels labels_;
  Section section_ = Section::none;
  std::string thought_;
  std::string before_, after_;  // prose without a label
};

}  // namespace

Labels read_labels(const FencedText& reply) {
  return LabelReader().run(reply);
}

}  // namespace hone::search
