#include "tool/judge/count/callgrind.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <map>
#include <sstream>
#include <utility>

#include "tool/os/process/environment.h"

namespace hone::judge {
namespace {

constexpr std::size_t most_lines = 8;  // the hottest: a prompt has room for no more
// With caches and branches callgrind has 13; a file with more than these is not callgrind's.
constexpr std::size_t most_events = 32;

// "events: Ir Dr Dw I1mr …" gives each column its name.
class Columns {
 public:
  explicit Columns(std::string_view names) {
    std::istringstream words{std::string(names)};
    for (std::string name; words >> name && names_.size() < most_events;) names_.push_back(name);
  }
  // The sum of those of the columns that there are.
  double sum(const std::vector<double>& values, std::initializer_list<std::string_view> names) const {
    double sum = 0;
    for (std::size_t i = 0; i < std::min(values.size(), names_.size()); ++i)
      if (std::find(names.begin(), names.end(), names_[i]) != names.end()) sum += values[i];
    return sum;
  }

 private:
  std::vector<std::string> names_;
};

// "17 1200 40 3": a line number and counts, of which zeros at the end are left out.
bool read_costs(std::string_view text, unsigned& line, std::vector<double>& values) {
  const char* at = text.data();
  const char* const end = at + text.size();
  auto parsed = std::from_chars(at, end, line);
  if (parsed.ec != std::errc()) return false;
  values.clear();
  for (at = parsed.ptr; at != end; at = parsed.ptr) {
    if (*at != ' ' || values.size() == most_events) return false;
    unsigned long long value = 0;
    parsed = std::from_chars(at + 1, end, value);
    if (parsed.ec != std::errc()) return false;
    values.push_back(static_cast<double>(value));
  }
  return true;
}

bool is_candidate(std::string_view file) {
  const std::size_t slash = file.rfind('/');
  return (slash == std::string_view::npos ? file : file.substr(slash + 1)) == "candidate";
}

}  // namespace

std::optional<std::string> find_valgrind() {
  const char* path = std::getenv("PATH");
  return os::find_installed_program("valgrind", path ? path : "");
}

std::vector<std::string> callgrind_command(const std::string& valgrind) {
  return {valgrind,
          "--tool=callgrind",
          "-q",
          "--vgdb=no",
          std::string("--callgrind-out-file=%q{TMPDIR}/") + kCallgrindFile,
          "--toggle-collect=hone_call",
          "--cache-sim=yes",
          "--branch-sim=yes",
          "--compress-strings=no",
          "--compress-pos=no"};
}

std::optional<ExecutionCounts> read_callgrind(std::string_view text) {
  std::optional<Columns> columns;
  ExecutionCounts counts;
  std::map<unsigned, LineCounts> by_line;
  bool of_candidate = false, of_call = false;
  unsigned line = 0;
  std::vector<double> values;
  while (!text.empty()) {
    const std::string_view row = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(row.size() + 1, text.size()));
    if (row.starts_with("events: ")) columns.emplace(row.substr(8));
    if (row.starts_with("fl=") || row.starts_with("fi=") || row.starts_with("fe="))
      of_candidate = is_candidate(row.substr(3));
    if (row.starts_with("calls=")) of_call = true;
    if (!columns || !read_costs(row, line, values)) continue;
    if (std::exchange(of_call, false)) continue;  // of what was called, which has lines of its own
    const double instructions = columns->sum(values, {"Ir"});
    const double misses = columns->sum(values, {"D1mr", "D1mw"});
    counts.instructions += instructions;
    counts.accesses += columns->sum(values, {"Dr", "Dw"});
    counts.first_level_misses += misses;
    counts.last_level_misses += columns->sum(values, {"DLmr", "DLmw"});
    counts.branches += columns->sum(values, {"Bc"});
    counts.mispredictions += columns->sum(values, {"Bcm"});
    if (!of_candidate) continue;
    LineCounts& of_line = by_line[line];
    of_line.line = line;
    of_line.instructions += instructions;
    of_line.first_level_misses += misses;
  }
  if (counts.instructions == 0) return std::nullopt;
  for (const auto& [number, of_line] : by_line) counts.lines.push_back(of_line);
  std::ranges::stable_sort(counts.lines, std::greater(), &LineCounts::instructions);
  if (counts.lines.size() > most_lines) counts.lines.resize(most_lines);
  return counts;
}

}  // namespace hone::judge
