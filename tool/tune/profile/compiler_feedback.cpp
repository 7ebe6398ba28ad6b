#include "tool/tune/profile/compiler_feedback.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tool/tune/profile/quoted_line.h"

namespace hone::tune {
namespace {

constexpr std::string_view file = "candidate:";

struct Remark {
  unsigned line = 0;
  std::string text;
};

std::string without_prefix(std::string_view text, std::initializer_list<std::string_view> prefixes) {
  for (const std::string_view prefix : prefixes)
    if (text.starts_with(prefix)) text.remove_prefix(prefix.size());
  return std::string(trimmed(text));
}

// "candidate:5:23: missed: not vectorized: control flow in loop." or "candidate:5:5: remark: … [-Rpass=…]".
bool read_remark(std::string_view line, Remark& remark) {
  if (!line.starts_with(file)) return false;
  line.remove_prefix(file.size());
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), remark.line);
  if (error != std::errc()) return false;
  const std::size_t colon = line.find(": ");
  if (colon == std::string_view::npos) return false;
  line.remove_prefix(colon + 2);
  if (const std::size_t option = line.find(" [-R"); option != std::string_view::npos) line = line.substr(0, option);
  // What is said of single statements is noise beside what is said of their loop.
  for (const char* noise : {"statement clobbers memory", "no grouped stores", "SLP", "bad data references",
                            "splitting region", "unsupported data-type", "not consecutive access"})
    if (line.find(noise) != std::string_view::npos) return false;
  remark.text = without_prefix(line, {"missed:", " ", "optimized:", " ", "remark:", " "});
  return !remark.text.empty();
}

// Of one line: what was done; else that it was not, and why. GCC complains of a loop's versions and remainders also
// where it vectorized the loop itself.
std::string joined(const std::vector<std::string>& texts) {
  std::vector<std::string> done, why;
  bool refused = false;
  for (const std::string& text : texts) {
    if (text.starts_with("loop vectorized") || text.starts_with("vectorized loop"))
      done.push_back(text);
    else if (text == "couldn't vectorize loop" || text == "loop not vectorized")
      refused = true;
    else
      why.push_back(without_prefix(text, {"not vectorized:", "loop not vectorized:"}));
  }
  if (!done.empty()) return fmt::format("{}", fmt::join(done, "; "));
  const std::string reasons = fmt::format("{}", fmt::join(why, "; "));
  if (!refused) return reasons;
  return why.empty() ? "not vectorized" : fmt::format("not vectorized ({})", reasons);
}

struct Counts {
  unsigned instructions = 0, packed = 0, scalar = 0, integer = 0, conversions = 0, divisions = 0, gathers = 0;
  unsigned stack = 0;  // vector registers kept in or fetched from it
  unsigned widest = 0;
  std::set<std::string> calls;
};

bool ends_in(std::string_view name, std::string_view suffix) {
  return name.size() > suffix.size() && name.ends_with(suffix);
}

bool has_any(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::ranges::any_of(words, [&](std::string_view word) { return text.find(word) != std::string_view::npos; });
}

unsigned width(std::string_view operands) {
  return has_any(operands, {"%zmm"}) ? 512 : has_any(operands, {"%ymm"}) ? 256 : has_any(operands, {"%xmm"}) ? 128 : 0;
}

void count(Counts& counts, std::string_view instruction) {
  const std::size_t blank = instruction.find_first_of(" \t");
  std::string_view name = instruction.substr(0, blank);
  const std::string_view operands = blank == std::string_view::npos ? "" : trimmed(instruction.substr(blank));
  ++counts.instructions;
  if (name.starts_with("call")) counts.calls.insert(std::string(operands.substr(0, operands.find('@'))));
  const unsigned bits = width(operands);
  if (bits == 0) return;
  if (name.starts_with("v")) name.remove_prefix(1);
  const bool moves = name.starts_with("mov");
  if (moves && has_any(operands, {"(%rsp)", "(%rbp)"})) ++counts.stack;
  if (name.starts_with("gather") || name.starts_with("pgather")) ++counts.gathers;
  if (name.starts_with("cvt")) ++counts.conversions;
  const bool arithmetic = has_any(name, {"add", "sub", "mul", "div", "sqrt", "max", "min", "rcp", "rsqrt"});
  const bool is_packed = ends_in(name, "ps") || ends_in(name, "pd") || ends_in(name, "ph");
  const bool is_scalar = ends_in(name, "ss") || ends_in(name, "sd") || ends_in(name, "sh");
  const bool is_integer = name.starts_with("p") && !is_packed && !is_scalar && !name.starts_with("pxor");
  if (is_integer) ++counts.integer;
  if (is_integer || (is_packed && arithmetic)) counts.widest = std::max(counts.widest, bits);
  if (!arithmetic || name.starts_with("p")) return;
  if (is_packed) ++counts.packed;
  if (is_scalar) ++counts.scalar;
  if ((is_packed || is_scalar) && has_any(name, {"div", "sqrt"}) && !name.starts_with("r")) ++counts.divisions;
}

struct Line {
  std::string_view text;
  unsigned source = 0;  // line of the candidate; 0: of something else
};

// The lines of `symbol` and of `symbol.part.0`, `symbol.constprop.0`, …, with the source line that each comes from.
std::vector<Line> body(std::string_view assembly, std::string_view symbol) {
  std::vector<Line> lines;
  std::string file_number;
  bool inside = false;
  unsigned source = 0;
  for (std::string_view line : lines_of(assembly)) {
    line = line.substr(0, line.find('#'));  // a comment
    line = line.substr(0, line.find_last_not_of(" \t\r") + 1);
    const bool label = !line.empty() && line[0] != '\t' && line[0] != ' ' && line[0] != '.' && line.ends_with(':');
    if (label) {
      const std::string_view name = line.substr(0, line.size() - 1);
      inside = name == symbol || (name.starts_with(symbol) && name[symbol.size()] == '.');
    }
    line = trimmed(line);
    if (line.starts_with(".file") && has_any(line, {"\"candidate\""})) {
      const std::string_view rest = trimmed(line.substr(5));
      file_number = std::string(rest.substr(0, rest.find_first_of(" \t")));
    } else if (line.starts_with(".loc")) {
      const std::string_view rest = trimmed(line.substr(4));
      const std::size_t blank = rest.find_first_of(" \t");
      if (blank == std::string_view::npos || rest.substr(0, blank) != file_number) continue;  // inlined from elsewhere
      const std::string_view number = trimmed(rest.substr(blank));
      std::from_chars(number.data(), number.data() + number.size(), source);
    } else if (inside && !line.empty() && (line[0] != '.' || line.ends_with(':'))) {
      lines.push_back({line, source});
    }
  }
  return lines;
}

struct Loop {
  std::size_t begin = 0, end = 0;
};

// A jump back, with no other between its label and itself.
std::vector<Loop> innermost(const std::vector<Line>& lines) {
  std::map<std::string_view, std::size_t> labels;
  std::vector<Loop> loops;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string_view text = lines[i].text;
    if (text.ends_with(':')) {
      labels[text.substr(0, text.size() - 1)] = i;
    } else if (text[0] == 'j') {
      const std::size_t blank = text.find_first_of(" \t");
      const auto target = labels.find(blank == std::string_view::npos ? "" : trimmed(text.substr(blank)));
      if (target != labels.end()) loops.push_back({target->second, i});
    }
  }
  std::erase_if(loops, [&](const Loop& one) {
    return std::ranges::any_of(loops, [&](const Loop& other) {
      return other.begin >= one.begin && other.end <= one.end && (other.begin != one.begin || other.end != one.end);
    });
  });
  return loops;
}

// The source line that most of the loop comes from.
unsigned source_line(const std::vector<Line>& lines, const Loop& loop) {
  std::map<unsigned, unsigned> votes;
  for (std::size_t i = loop.begin; i <= loop.end; ++i)
    if (lines[i].source > 0) ++votes[lines[i].source];
  const auto most = std::ranges::max_element(votes, {}, [](const auto& vote) { return vote.second; });
  return most == votes.end() ? 0 : most->first;
}

std::string describe(const Counts& counts) {
  std::vector<std::string> parts;
  const auto add = [&](unsigned number, const char* what) {
    if (number > 0) parts.push_back(fmt::format("{} {}", number, what));
  };
  const unsigned floating = counts.packed + counts.scalar;
  if (floating > 0) parts.push_back(fmt::format("{} of {} floating-point operations packed", counts.packed, floating));
  add(counts.integer, "packed integer");
  if (counts.widest > 0) parts.push_back(fmt::format("vectors of {} bits", counts.widest));
  add(counts.divisions, "divisions and square roots");
  add(counts.conversions, "conversions");
  add(counts.gathers, "gathers");
  add(counts.stack, "vector moves to or from the stack (spills)");
  if (!counts.calls.empty()) parts.push_back(fmt::format("calls {}", fmt::join(counts.calls, ", ")));
  return fmt::format("{} instructions{}{}", counts.instructions, parts.empty() ? "" : ": ", fmt::join(parts, ", "));
}

}  // namespace

std::string vectorization_remarks(std::string_view remarks, std::string_view source, std::size_t most) {
  std::map<unsigned, std::vector<std::string>> by_line;
  for (const std::string_view line : lines_of(remarks)) {
    Remark remark;
    if (!read_remark(line, remark)) continue;
    auto& texts = by_line[remark.line];
    if (remark.text.ends_with('.')) remark.text.pop_back();
    if (std::ranges::find(texts, remark.text) == texts.end()) texts.push_back(std::move(remark.text));
  }
  const auto lines = lines_of(source);
  std::string text;
  for (const auto& [line, texts] : by_line) {
    if (most-- == 0) return text + "- …\n";
    text += fmt::format("- {}: {}\n", quoted_line(lines, line), joined(texts));
  }
  return text;
}

std::string innermost_loops(std::string_view assembly, std::string_view symbol, std::string_view source,
                            std::size_t most) {
  if (assembly.find("%r") == std::string_view::npos) return "";
  const std::vector<Line> lines = body(assembly, symbol);
  std::vector<std::pair<Counts, unsigned>> found;
  for (const Loop& loop : innermost(lines)) {
    Counts counts;
    for (std::size_t i = loop.begin; i <= loop.end; ++i)
      if (!lines[i].text.ends_with(':')) count(counts, lines[i].text);
    found.emplace_back(std::move(counts), source_line(lines, loop));
  }
  // The main loop before the remainders that unrolled scalars make long: by how wide the arithmetic is on the whole.
  const auto weight = [](const auto& one) {
    const Counts& counts = one.first;
    const unsigned vectors = counts.packed + counts.integer, all = vectors + counts.scalar;
    return std::pair(all > 0 ? counts.widest * vectors / all : 0, all);
  };
  std::ranges::stable_sort(found, std::greater(), weight);
  if (found.size() > most) found.resize(most);
  const auto code = lines_of(source);
  std::string text;
  for (const auto& [counts, line] : found) text += fmt::format("- {}: {}\n", quoted_line(code, line), describe(counts));
  return text;
}

}  // namespace hone::tune
