// Many processes at one store, killed at random: what came of it. Exit code 1 if anything did that must not.
#include <chrono>
#include <filesystem>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "tests/cache/stress.h"
#include "tool/os/files/files.h"

int main(int argc, char** argv) {
  CLI::App app{"Processes that put, get and prune in one store while others of them are killed"};
  hone::cache::Stress stress;
  std::string folder;
  app.add_option("--folder", folder, "Where the store is made: the file system to try; else a temporary folder");
  app.add_option("--workers", stress.workers)->capture_default_str();
  app.add_option("--operations", stress.operations, "Of all workers together")->capture_default_str();
  app.add_option("--kills", stress.kills)->capture_default_str();
  app.add_option("--most-bytes", stress.most_bytes, "What pruning leaves; 0: no pruning")->capture_default_str();
  app.add_option("--entries", stress.entries, "Different blobs, and records")->capture_default_str();
  app.add_option("--seed", stress.seed)->capture_default_str();
  CLI11_PARSE(app, argc, argv);

  auto temporary = hone::os::TemporaryFolder::create("hone-store-stress");
  if (!temporary) return fmt::print(stderr, "{}\n", temporary.error().message()), 2;
  stress.folder = (folder.empty() ? temporary->path() : std::filesystem::path(folder)) / "store";
  const auto begin = std::chrono::steady_clock::now();
  const hone::cache::StressResult result = run(stress);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  fmt::print("{} operations in {:.1f} s: {} stored, {} found, {} missed, {} prunes\n", result.operations, seconds,
             result.stored, result.found, result.missed, result.prunes);
  fmt::print("{} kills, {} of them in the middle of storing\n", result.kills, result.kills_while_storing);
  fmt::print("{} entries had to be there, {} faults\n", result.held_to, result.faults.size());
  for (const std::string& fault : result.faults) fmt::print("  {}\n", fault);
  return result.faults.empty() ? 0 : 1;
}
