// Tunes each of the ten kernels within a time budget and prints what `hone verify` measures afresh, as a markdown
// table; beside it what other compilers and flags make of the same originals, judged by the same judge.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "tool/os/files/files.h"
#include "tool/os/process/process_runner.h"

namespace {

using nlohmann::json;
namespace fs = std::filesystem;

struct Settings {
  fs::path hone = HONE_PROGRAM;
  fs::path work = fs::temp_directory_path() / "hone-kernel-suite";
  std::string budget = "60s";
  unsigned trials = 1000;
  bool others = true;
};

hone::os::Exit run(const std::vector<std::string>& arguments, int limit_minutes = 10) {
  hone::os::PosixProcessRunner runner;
  hone::os::Process process;
  process.arguments = arguments;
  process.timeout = std::chrono::minutes(limit_minutes);
  auto exit = runner.run(process);
  if (!exit) {
    fmt::print(stderr, "{}\n", exit.error().message());
    std::exit(3);
  }
  return *exit;
}

json run_json(const std::vector<std::string>& arguments) {
  const auto exit = run(arguments);
  json parsed = json::parse(exit.out, nullptr, false);
  if (parsed.is_discarded()) {
    fmt::print(stderr, "no JSON from {}:\n{}{}\n", fmt::join(arguments, " "), exit.out, exit.err);
    std::exit(3);
  }
  return parsed;
}

struct Row {
  std::string name;
  json tuned, verified;
  std::map<std::string, double> others;  // speedup of the original under another compiler
  json reduction;                        // of the record: how many lines there are, and were
};

double original_under(const Settings& settings, const std::string& build, const Row& row, const std::string& compiler) {
  const auto shown =
      run_json({settings.hone, "eval", "-p", build, "--kernel", row.name, "--with", compiler, "--original", "--json"});
  // Not timed (null): wrong, or it does not compile.
  return shown.value("right", false) && shown["speedup"].is_object() ? shown["speedup"].value("median", 0.0) : 0.0;
}

double geometric_mean(const std::vector<double>& values) {
  double sum = 0;
  for (double value : values) sum += std::log(value);
  return std::exp(sum / static_cast<double>(values.size()));
}

// What the store's record says of a winner's reduction; null: there is none.
json reduction_of(const Settings& settings, const std::string& key) {
  const auto text = hone::os::read_file(settings.work / "cache" / "hone" / "ac" / key);
  const json record = text ? json::parse(*text, nullptr, false) : json();
  return record.is_object() ? record.value("reduction", json()) : json();
}

void print_lines(const std::vector<Row>& rows) {
  fmt::print("\n| kernel | lines of the original | of the winner as it was found | as it is locked | left out |\n");
  fmt::print("|---|---|---|---|---|\n");
  std::vector<double> ratios;
  for (const Row& row : rows) {
    if (!row.reduction.is_object()) continue;
    const auto lines = [&](const char* which) { return row.reduction.value(which, 0u); };
    fmt::print("| {} | {} | {} | {} | {} of {} changes |\n", row.name, lines("lines_original"), lines("lines_found"),
               lines("lines"), row.reduction["left_out"].size(),
               row.reduction["left_out"].size() + row.reduction["kept"].size());
    ratios.push_back(static_cast<double>(lines("lines")) / std::max(lines("lines_original"), 1u));
  }
  std::ranges::sort(ratios);
  if (!ratios.empty())
    fmt::print("\nmedian: {:.2f} lines for each of the original's\n",
               (ratios[(ratios.size() - 1) / 2] + ratios[ratios.size() / 2]) / 2);
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  CLI::App app{"Ten naive kernels, tuned offline"};
  app.add_option("--hone", settings.hone, "The hone program");
  app.add_option("--work", settings.work, "Folder for the build; emptied first");
  app.add_option("--budget", settings.budget, "Per kernel");
  app.add_option("--trials", settings.trials, "Per kernel");
  app.add_flag("!--no-others", settings.others, "Leave out the other compilers");
  CLI11_PARSE(app, argc, argv);

  fs::remove_all(settings.work);
  fs::create_directories(settings.work);
  // A user cache of its own: nothing remembered from another run.
  setenv("XDG_CACHE_HOME", (settings.work / "cache").c_str(), 1);
  const std::string build = (settings.work / "build").string();
  const auto configured =
      run({"cmake", "-S", HONE_SUITE, "-B", build, "-G", "Ninja", std::string("-DHone_DIR=") + HONE_CONFIG});
  if (!configured.ok()) {
    fmt::print(stderr, "{}{}\n", configured.out, configured.err);
    return 3;
  }

  std::vector<Row> rows;
  const json listed = run_json({settings.hone, "list", "-p", build, "--json"});
  for (const json& kernel : listed["kernels"]) {
    Row row{kernel["name"]};
    const std::string file = (settings.work / (row.name + ".json")).string();
    run({settings.hone, "tune", row.name, "-p", build, "--budget", settings.budget, "--trials",
         std::to_string(settings.trials), "--json", file});
    if (auto text = hone::os::read_file(file)) row.tuned = json::parse(*text, nullptr, false);
    row.reduction = reduction_of(settings, kernel["key"]);
    fmt::print(stderr, "{}: {}\n", row.name, row.tuned.dump());
    rows.push_back(row);
  }
  const json verified = run_json({settings.hone, "verify", "-p", build, "--json"});
  std::vector<double> speedups;
  for (Row& row : rows) {
    double speedup = 1;
    for (const json& kernel : verified["kernels"])
      if (kernel["name"] == row.name) row.verified = kernel;
    if (row.verified.contains("speedup") && row.verified["speedup"].is_object())
      speedup = row.verified["speedup"].value("median", 1.0);
    speedups.push_back(speedup);
    if (settings.others)
      for (const char* compiler : {"clang++-19 -O3 -march=native", "g++ -Ofast -march=native"})
        row.others[compiler] = original_under(settings, build, row, compiler);
  }

  fmt::print(
      "| kernel | hone verify | interval | trials (compiled, right, faster) | seconds | clang 19 -O3 | g++ -Ofast |\n");
  fmt::print("|---|---|---|---|---|---|---|\n");
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Row& row = rows[i];
    const json kernel =
        row.tuned.is_object() && !row.tuned["kernels"].empty() ? row.tuned["kernels"][0] : json::object();
    const json trials = kernel.value("trials", json::object());
    const json speedup = row.verified.contains("speedup") ? row.verified["speedup"] : json();
    auto other = [&](const char* name) {
      const auto found = row.others.find(name);
      return found == row.others.end() ? std::string("–")
             : found->second == 0      ? "wrong"
                                       : fmt::format("{:.2f}×", found->second);
    };
    fmt::print("| {} | {:.2f}× | {:.2f}–{:.2f} | {} ({}, {}, {}) | {:.0f} | {} | {} |\n", row.name, speedups[i],
               speedup.is_object() ? speedup.value("low", 1.0) : 1.0,
               speedup.is_object() ? speedup.value("high", 1.0) : 1.0, trials.value("total", 0),
               trials.value("compiled", 0), trials.value("right", 0), trials.value("faster", 0),
               kernel.value("spent", json::object()).value("seconds", 0.0), other("clang++-19 -O3 -march=native"),
               other("g++ -Ofast -march=native"));
  }
  fmt::print("\ngeometric mean: {:.2f}×\n", geometric_mean(speedups));
  print_lines(rows);
  return 0;
}
