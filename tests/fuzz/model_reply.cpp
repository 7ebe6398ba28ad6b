// What a language model answers when it is asked for a kernel: prose is never read as code, code that was read is read
// the same way again, and its tunables resolve to plain constants.
#include <algorithm>
#include <set>

#include "tests/fuzz/fuzz.h"
#include "tool/search/prompt/reply.h"
#include "tool/search/prompt/tunables.h"
#include "tool/search/text/code_text.h"

namespace {

using namespace hone::search;
using hone::fuzz::require;

const std::string kernel =
    "void scale(const float* x, float* y, int n) {\n  for (int i = 0; i < n; ++i) y[i] = 2 * x[i];\n}\n";

const ReplyExpectation& expectation() {
  static const ReplyExpectation expected{
      "scale",
      {"void scale(const float* x, float* y, int n) {\n  int i = 0;\n  for (; i < n; ++i) {\n    y[i] = x[i] + "
       "x[i];\n  }\n}\n",
       kernel}};
  return expected;
}

// Without what a program, JSON, an edit and an entity begin with.
std::string without_code(std::string_view text) {
  std::string prose(text);
  std::erase_if(prose, [](char c) { return std::string_view("{<@-&").find(c) != std::string_view::npos; });
  return prose;
}

// Lines of words, each with a full stop.
std::string sentences(std::string_view text) {
  std::string lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string line;
    for (const char c : text.substr(at, end - at))
      line += (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == ',' || c == ';' ? c : ' ';
    if (line.find_first_not_of(" ,;") != std::string::npos) lines += line + ".\n";
    at = end + 1;
  }
  return lines;
}

void check_program(const Reply& reply) {
  const std::string& source = reply.source;
  require(source.ends_with('\n') && source.size() <= (256 << 10), "a program has lines and an end");
  require(source.find('\r') == source.npos && source.find('\0') == source.npos, "a program is text");
  require(reply.name.find('\n') == reply.name.npos && reply.name.size() <= 70, "a name is a short line");
  require(reply.thought.size() <= 1510, "a thought is short");
  require(!reply.predicted_gain || (*reply.predicted_gain > 0 && *reply.predicted_gain <= 1e6), "a gain is a ratio");
  if (!reply.note.empty()) return;
  const CodeText code(source);
  const auto definitions = code.definitions();
  const auto* defined = code.find(definitions, "scale");
  require(defined && defined->close != CodeText::npos && code.balanced(),
          "what is read without a word defines the kernel");
}

// As it was asked for: a name, a block, a thought. The fence is longer than any in the code.
std::string as_asked(const Reply& reply) {
  std::size_t longest = 2, run = 0;
  for (const char c : reply.source) longest = std::max(longest, run = c == '`' ? run + 1 : 0);
  const std::string fence(longest + 1, '`');
  return "name: n\n" + fence + "cpp\n" + reply.source + fence + "\nthought: t\n";
}

// What is decoded or cut out on the way would be decoded and cut once more.
bool holds_markup(const std::string& source) {
  for (const char* mark : {"&lt;", "&gt;", "&amp;", "think", "thought_process", "reasoning"})
    if (source.find(mark) != source.npos) return true;
  return source.starts_with('{') || source.starts_with('[');
}

void check_again(const Reply& reply) {
  if (!reply.note.empty() || holds_markup(reply.source)) return;
  const auto again = parse_reply(as_asked(reply), expectation());
  require(again.has_value(), "what was read is read again");
  require(again->source == reply.source && again->note.empty(), "a program comes back as it was");
  require(again->name == "n" && again->thought == "t", "labels around a program are read");
}

void check_search(const std::vector<Tunable>& tunables, std::size_t salt) {
  TunableSearch search(tunables, {.rungs = 1 + static_cast<unsigned>(salt % 3)});
  std::set<std::pair<unsigned, TunableChoice>> asked;
  while (const auto trial = search.ask()) {
    require(asked.insert({trial->rung, trial->choice}).second, "no choice is asked for twice on a rung");
    require(asked.size() <= 100, "the tuner keeps to its budget");
    require(trial->choice.size() == tunables.size(), "a choice has a value for each");
    double fitness = -0.2;
    for (std::size_t i = 0; i < tunables.size(); ++i) {
      require(trial->choice[i] < tunables[i].values.size(), "a choice is one of the values");
      fitness += static_cast<double>((trial->choice[i] * 7 + salt + i) % 11) / 10;
    }
    search.tell(*trial, fitness);
  }
  require(search.finished() && search.best().size() == tunables.size(), "the tuner ends with a choice");
}

void check_tunables(const std::string& source) {
  const auto tunables = find_tunables(source);
  if (!tunables) return require(!tunables.error().empty(), "a refusal says why");
  require(tunables->size() <= 8, "there are few tunables");
  TunableChoice last;
  for (const Tunable& tunable : *tunables) {
    require(!tunable.values.empty() && tunable.values.size() <= 16, "a tunable has values, and few");
    require(std::set<std::string>(tunable.values.begin(), tunable.values.end()).size() == tunable.values.size(),
            "its values are distinct");
    last.push_back(tunable.values.size() - 1);
  }
  for (const TunableChoice& choice : {default_choice(*tunables), last}) {
    const std::string resolved = resolve_tunables(source, *tunables, choice);
    require(std::count(resolved.begin(), resolved.end(), '\n') == std::count(source.begin(), source.end(), '\n'),
            "lines stay where they are");
    const auto left = find_tunables(resolved);
    require(left && left->empty(), "a program with its tunables chosen has none");
    require(describe_choice(*tunables, choice).find('\n') == std::string::npos, "a choice is described in a line");
  }
  if (tunables->empty()) require(resolve_tunables(source, {}, {}) == source, "without tunables nothing changes");
  check_search(*tunables, source.size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = hone::fuzz::text_of(data, size);
  require(!parse_reply(without_code(text), expectation()), "prose is no code");
  const std::string prose = sentences(text);
  if (const auto plain = parse_reply(prose + kernel + prose, expectation()))
    require(plain->source == kernel, "no sentence stands in a program");
  check_tunables(std::string(text));
  const auto reply = parse_reply(text, expectation());
  if (!reply) {
    require(!reply.error().why.empty(), "a refusal says why");
    return 0;
  }
  check_program(*reply);
  check_again(*reply);
  check_tunables(reply->source);
  const std::string kept = without_hone_header(reply->source);
  require(std::count(kept.begin(), kept.end(), '\n') == std::count(reply->source.begin(), reply->source.end(), '\n'),
          "lines stay where they are");
  return 0;
}
