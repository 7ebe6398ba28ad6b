#include "tool/judge/count/ncu.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include "tool/base/printable.h"
#include "tool/os/process/environment.h"

namespace hone::judge {
namespace {

using Kind = LaunchFigure::Kind;

// What a call's table has at the very most; a candidate can write more, and shall not fill the judge's memory.
constexpr std::size_t largest_table = 1u << 20, most_columns = 1024, most_rows = 256, most_kernels = 8;
constexpr std::size_t longest_name = 160;
constexpr const char* time_metric = "gpu__time_duration.sum";

// Cells in quotes with commas between, a quote in one written twice. Empty: the line is none such.
std::vector<std::string> read_row(std::string_view line) {
  std::vector<std::string> cells;
  while (cells.size() < most_columns && line.starts_with('"')) {
    std::string cell;
    std::size_t at = 1;
    for (; at < line.size(); ++at) {
      if (line[at] != '"') {
        cell += line[at];
      } else if (at + 1 < line.size() && line[at + 1] == '"') {
        cell += line[at++];
      } else {
        break;
      }
    }
    if (at >= line.size()) return {};  // no end
    cells.push_back(std::move(cell));
    line.remove_prefix(at + 1);
    if (line.empty()) return cells;
    if (line.front() != ',') return {};
    line.remove_prefix(1);
  }
  return {};
}

// "1,234,567.5": groups of three digits, as some settings have it; nothing else stands between digits.
std::optional<std::string> without_separators(std::string_view text) {
  if (text.find(',') == std::string_view::npos) return std::string(text);
  const std::size_t point = std::min(text.find('.'), text.size());
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_place = i < point && (point - i) % 4 == 0;
    if ((text[i] == ',') != is_place || (is_place && i == 0)) return std::nullopt;
    if (text[i] != ',') plain += text[i];
  }
  return plain;
}

// Not negative and finite; "n/a", "" and the like are no numbers.
std::optional<double> read_number(std::string_view text) {
  const auto plain = without_separators(text);
  if (!plain || plain->empty()) return std::nullopt;
  double value = 0;
  const auto [end, error] = std::from_chars(plain->data(), plain->data() + plain->size(), value);
  if (error != std::errc() || end != plain->data() + plain->size() || !std::isfinite(value) || value < 0)
    return std::nullopt;
  return value;
}

// ncu's versions spell times in two ways, and scale them and bytes where they are not told to leave that.
std::optional<double> unit_of_time(std::string_view unit) {
  for (const auto& [names, scale] : {std::pair{std::pair{"ns", "nsecond"}, 1e-9},
                                     {std::pair{"us", "usecond"}, 1e-6},
                                     {std::pair{"ms", "msecond"}, 1e-3},
                                     {std::pair{"s", "second"}, 1.0}})
    if (unit == names.first || unit == names.second) return scale;
  return std::nullopt;
}

std::optional<double> scale_of(Kind kind, std::string_view unit) {
  if (kind == Kind::number) return 1.0;
  if (kind == Kind::share) return unit == "%" ? std::optional(0.01) : std::nullopt;
  unit = unit.substr(0, unit.find('/'));  // of a block
  for (const auto& [name, scale] : {std::pair{"byte", 1.0}, {"Kbyte", 1e3}, {"Mbyte", 1e6}, {"Gbyte", 1e9}})
    if (unit == name) return scale;
  return std::nullopt;
}

// "(4096, 1, 1)" or without parentheses; "" for what is no such thing.
std::string shape(std::string_view text) {
  if (text.starts_with('(') && text.ends_with(')')) text = text.substr(1, text.size() - 2);
  const bool plain = text.size() <= 40 && text.find_first_not_of("0123456789, ") == std::string_view::npos;
  return plain ? std::string(text) : "";
}

class Table {
 public:
  Table(std::vector<std::string> names, std::vector<std::string> units)
      : names_(std::move(names)), units_(std::move(units)) {}

  std::optional<LaunchCounters> launch(const std::vector<std::string>& row) const {
    const auto time = figure(row, time_metric);
    const auto unit = time ? unit_of_time(time->second) : std::nullopt;
    if (!unit || time->first <= 0) return std::nullopt;
    LaunchCounters counters;
    counters.kernel = printable_line(cell(row, "Kernel Name").substr(0, longest_name));
    counters.grid = shape(cell(row, "Grid Size"));
    counters.block = shape(cell(row, "Block Size"));
    counters.seconds = counters.total_seconds = time->first * *unit;
    for (const LaunchFigure& one : launch_figures())
      if (const auto value = figure(row, one.metric))
        if (const auto scale = scale_of(one.kind, value->second)) counters.*one.value = value->first * *scale;
    return counters;
  }

 private:
  std::size_t column(std::string_view name) const {
    return static_cast<std::size_t>(std::ranges::find(names_, name) - names_.begin());
  }
  std::string cell(const std::vector<std::string>& row, std::string_view name) const {
    const std::size_t at = column(name);
    return at < row.size() ? row[at] : "";
  }
  // The number and its unit.
  std::optional<std::pair<double, std::string>> figure(const std::vector<std::string>& row,
                                                       std::string_view metric) const {
    const auto number = read_number(cell(row, metric));
    if (!number) return std::nullopt;
    return std::pair(*number, cell(units_, metric));
  }

  std::vector<std::string> names_, units_;
};

void add(DeviceProfile& profile, LaunchCounters launch) {
  ++profile.launches;
  profile.seconds += launch.seconds;
  const auto known = std::ranges::find_if(profile.kernels, [&](const LaunchCounters& other) {
    return other.kernel == launch.kernel && other.grid == launch.grid && other.block == launch.block;
  });
  if (known == profile.kernels.end()) return profile.kernels.push_back(std::move(launch));
  launch.times += known->times;
  launch.total_seconds += known->total_seconds;
  if (launch.seconds > known->seconds) {
    *known = std::move(launch);
  } else {
    known->times = launch.times;
    known->total_seconds = launch.total_seconds;
  }
}

std::string_view next_line(std::string_view& text) {
  std::string_view line = text.substr(0, text.find('\n'));
  text.remove_prefix(std::min(line.size() + 1, text.size()));
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

}  // namespace

std::optional<std::string> find_ncu() {
  const char* path = std::getenv("PATH");
  return os::find_installed_program("ncu", std::string(path ? path : "") + ":/usr/local/cuda/bin");
}

// The toolkit's ncu is a script that looks for the program in /opt/nvidia.
std::vector<std::string> ncu_folders(const std::string& program) {
  std::error_code error;
  const auto file = std::filesystem::canonical(program, error);
  std::vector<std::string> folders{"/opt/nvidia", std::filesystem::path(program).parent_path().string()};
  if (!error) folders.push_back(file.parent_path().string());
  return folders;
}

std::string ncu_version(std::string_view said) {
  const std::string_view first = said.substr(0, said.find('\n'));
  while (!said.empty())
    if (const std::string_view line = next_line(said); line.starts_with("Version ")) return printable_line(line);
  return printable_line(first);
}

bool are_counters_reserved(std::string_view parameters) {
  while (!parameters.empty())
    if (next_line(parameters) == "RmProfilingAdminOnly: 1") return true;
  return false;
}

// The clocks are left alone, as where times are taken; the caches are emptied before each pass, as they are there.
std::vector<std::string> ncu_command(const std::string& program, const std::string& table, unsigned most) {
  std::string metrics = time_metric;
  for (const LaunchFigure& one : launch_figures()) metrics += std::string(",") + one.metric;
  return {program,
          "--config-file",
          "off",
          "--target-processes",
          "application-only",
          "--profile-from-start",
          "off",
          "--launch-count",
          std::to_string(most),
          "--replay-mode",
          "kernel",
          "--clock-control",
          "none",
          "--cache-control",
          "all",
          "--csv",
          "--page",
          "raw",
          "--print-units",
          "base",
          "--print-kernel-base",
          "demangled",
          "--metrics",
          metrics,
          "--log-file",
          table};
}

std::optional<DeviceProfile> read_ncu(std::string_view text) {
  if (text.size() > largest_table) return std::nullopt;
  std::vector<std::string> names;
  while (!text.empty() && names.empty())
    if (const std::string_view line = next_line(text); line.starts_with("\"ID\",")) names = read_row(line);
  if (names.empty()) return std::nullopt;
  // The table's second row holds the units, and no launch's number.
  const std::vector<std::string> units = read_row(next_line(text));
  if (units.size() != names.size() || !units.front().empty()) return std::nullopt;
  const Table table(names, units);
  DeviceProfile profile;
  for (std::size_t rows = 0; !text.empty() && rows < most_rows; ++rows) {
    const std::vector<std::string> row = read_row(next_line(text));
    if (row.size() != names.size()) break;
    if (auto launch = table.launch(row)) add(profile, std::move(*launch));
  }
  if (profile.launches == 0) return std::nullopt;
  std::ranges::stable_sort(profile.kernels, std::greater(), &LaunchCounters::total_seconds);
  if (profile.kernels.size() > most_kernels) profile.kernels.resize(most_kernels);
  return profile;
}

std::string why_ncu_failed(std::string_view said) {
  const auto says = [&](const char* what) { return said.find(what) != std::string_view::npos; };
  if (says("ERR_NVGPUCTRPERM"))
    return "the driver keeps the device's counters for administrators (ERR_NVGPUCTRPERM): see "
           "https://developer.nvidia.com/ERR_NVGPUCTRPERM";
  if (says("LibraryNotLoaded"))
    return "ncu cannot read the device's counters on this machine (LibraryNotLoaded), as on a virtual one of gVisor";
  if (says("driver resource was unavailable"))
    return "another profiler, or a monitor such as DCGM, holds the device's counters";
  if (const std::size_t at = said.find("==ERROR== "); at != std::string_view::npos)
    return "ncu says: " +
           printable_line(said.substr(at + 10, std::min<std::size_t>(said.find('\n', at) - at - 10, 300)));
  if (says("No kernels were profiled")) return "ncu saw the call launch no kernel";
  return said.empty() ? "ncu said nothing" : "ncu says: " + printable_line(said.substr(0, 300));
}

}  // namespace hone::judge
