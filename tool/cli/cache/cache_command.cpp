#include <cmath>
#include <filesystem>

#include <fmt/format.h>

#include "cache/store.h"
#include "cache/unnamed_blobs.h"
#include "tool/base/printable.h"
#include "tool/cli/cache/cache_exchange.h"
#include "tool/cli/cache/cache_trust.h"
#include "tool/cli/command/command.h"
#include "tool/lock/ledger.h"
#include "tool/report/text.h"
#include "tool/tune/model/learned.h"

namespace hone::cli {
namespace {

std::string bytes_text(std::uintmax_t bytes) {
  if (bytes < 1024) return fmt::format("{} B", bytes);
  const char* units[] = {"KiB", "MiB", "GiB", "TiB"};
  double value = static_cast<double>(bytes) / 1024;
  std::size_t unit = 0;
  for (; value >= 1024 && unit < 3; ++unit) value /= 1024;
  return fmt::format("{:.1f} {}", value, units[unit]);
}

std::optional<std::uintmax_t> parse_size(const std::string& text) {
  std::size_t length = 0;
  double value = -1;
  try {
    value = std::stod(text, &length);
  } catch (const std::exception&) {
    return std::nullopt;
  }
  const std::string unit = text.substr(length);
  const std::string known[] = {"", "K", "M", "G", "T"};
  for (double factor = 1; const std::string& name : known) {
    if (unit == name || (!name.empty() && (unit == name + "B" || unit == name + "iB")))
      return value >= 0 && value * factor < 1e18 ? std::optional(static_cast<std::uintmax_t>(value * factor))
                                                 : std::nullopt;
    factor *= 1024;
  }
  return std::nullopt;
}

// The user's store, and those of the projects that this folder's build knows.
std::vector<cache::Store::Level> levels(const ProjectOptions& options) {
  std::vector<cache::Store::Level> all;
  if (auto user = cache::user_folder()) all.push_back({*user, true});
  std::error_code error;
  if (!std::filesystem::exists(options.folder() / "compile_commands.json", error)) return all;
  const auto project = project::open_project(options.folder());
  for (const project::ProjectUnit& unit : project ? project->units : std::vector<project::ProjectUnit>{}) {
    const auto folder = lock::project_store(unit.settings.lock);
    const bool known = std::any_of(all.begin(), all.end(), [&](const auto& level) { return level.folder == folder; });
    if (!known) all.push_back({folder, true});
  }
  return all;
}

int print_stats(const cache::Store& store) {
  std::vector<std::vector<std::string>> rows{{"folder", "records", "blobs", "corrupt", "size"}};
  for (const cache::Store::Stats& stats : store.stats())
    rows.push_back({stats.folder.string(), std::to_string(stats.records), std::to_string(stats.blobs),
                    std::to_string(stats.corrupt), bytes_text(stats.bytes)});
  fmt::print("{}", report::table(rows, {false, true, true, true, true}));
  return done;
}

int verify_all(const cache::Store& store) {
  const auto faults = store.verify();
  for (const cache::Store::Fault& fault : faults) fmt::print("{}: {}\n", fault.path.string(), fault.what);
  if (faults.empty()) fmt::print("every entry is whole\n");
  return faults.empty() ? done : no;
}

int prune(const cache::Store& store, std::uintmax_t bytes) {
  cache::Store::PruneOptions options;
  options.max_bytes = bytes;
  const auto pruned = store.prune(0, options);
  if (!pruned) return complain(pruned.error(), environment);
  fmt::print("removed {} files ({}), {} left\n", pruned->files, bytes_text(pruned->bytes),
             bytes_text(pruned->bytes_left));
  return done;
}

// Of hone/ beside one lock file: what no entry names any more.
Result<void> prune_unused(const std::filesystem::path& lock, bool dry_run) {
  const std::filesystem::path folder = lock::project_store(lock);
  HONE_TRY(const cache::UnnamedBlobs found, cache::unnamed_blobs(folder, lock, std::chrono::system_clock::now()));
  std::size_t files = 0, used = 0;
  std::uintmax_t bytes = 0;
  for (const cache::StoreFolder::Entry& entry : found.unnamed) {
    if (!dry_run) {
      HONE_TRY(const cache::StoreFolder::Removal removal, cache::StoreFolder::remove_unused(entry));
      used += removal == cache::StoreFolder::Removal::used;
      if (removal != cache::StoreFolder::Removal::removed) continue;
    }
    fmt::print("{}\n", entry.path.string());
    ++files;
    bytes += entry.bytes;
  }
  const std::size_t all = found.unnamed.size() + found.named + found.young + found.foreign;
  fmt::print("{}: {} {} of {} files, {}; named by lock files: {}; too young to tell: {}; damaged: {}\n",
             folder.string(), dry_run ? "would remove" : "removed", files, all, bytes_text(bytes), found.named,
             found.young + used, found.foreign);
  return {};
}

int prune_unused(const TrustPlace& place, bool dry_run) {
  const auto locks = locks_of(place);
  if (!locks) return complain(locks.error(), environment);
  int code = done;
  for (const std::filesystem::path& lock : *locks)
    if (const auto pruned = prune_unused(lock, dry_run); !pruned) code = complain(pruned.error(), environment);
  return code;
}

std::string ratio(double value, bool known) {
  return known ? report::times(value) : "-";
}

// Prints what searches with a language model learned across kernels; `json`: as the file holds it.
int print_memory(bool json) {
  const auto file = tune::memory_file();
  if (!file) return complain(file.error(), environment);
  const auto memory = tune::read_memory(*file);
  if (!memory) return complain(memory.error(), environment);
  if (json) {
    fmt::print("{}", memory->serialize());
    return done;
  }
  if (memory->entries().empty()) {
    fmt::print("nothing is remembered yet: searches with a language model write {}\n", file->string());
    return done;
  }
  std::vector<std::vector<std::string>> rows{
      {"state", "technique", "predicted", "measured", "right", "failed", "confidence", "note"}};
  for (const search::Experience& known : memory->entries())
    rows.push_back({printable_line(search::in_words(known.state)), printable_line(known.technique),
                    report::times(known.predicted), ratio(known.actual, known.uses > 0), std::to_string(known.uses),
                    std::to_string(known.failures), fmt::format("{:.2f}", known.confidence),
                    printable_line(known.note)});
  fmt::print("{}", report::table(rows, {false, false, true, true, true, true, true, false}));
  return done;
}

}  // namespace

int cache_command(int argc, char** argv) {
  CLI::App app{"The store: what variants and their evidence are kept in; and what searches have learned.",
               "hone cache"};
  ProjectOptions project;
  std::string size = "1G";
  project.add_to(app);
  app.require_subcommand(1);
  app.fallthrough();  // -p behind a subcommand, too; those that are added from here on take it over
  const CLI::App* stats = app.add_subcommand("stats", "How much is where");
  const CLI::App* verify =
      app.add_subcommand("verify", "Read everything and check its digest; exit code 1 when something is corrupt");
  CLI::App* pruning = app.add_subcommand("prune", "Remove what was used least recently from the user's store");
  CLI::Option* staying = pruning->add_option("--size", size, "What may stay: 500M, 2G")->capture_default_str();
  bool unused = false, dry_run = false;
  CLI::Option* unnamed = pruning->add_flag("--unused", unused, "Instead: from hone/, what no lock file beside it names")
                             ->excludes(staying);
  pruning->add_flag("--dry-run", dry_run, "With --unused: list it, and remove nothing")->needs(unnamed);
  const CLI::App* vendoring = app.add_subcommand(
      "vendor", "Copy what the lock files name into hone/ beside them, so that a clone builds without your store");
  const CLI::App* pulling =
      app.add_subcommand("pull", "The same, and what no store here has from the shared one that HONE_CACHE_URL names");
  const CLI::App* pushing =
      app.add_subcommand("push", "Send what the lock files name, and its evidence, to the shared store");
  CLI::App* generating = app.add_subcommand(
      "keygen", "Make the key that you sign records with, and print its public half, which trust takes");
  bool replace = false, show = false;
  CLI::Option* replacing = generating->add_flag("--replace", replace, "Also where you have one, which is lost then");
  generating->add_flag("--show", show, "Print the public key that you have; make none")->excludes(replacing);
  std::string lock, key, name, distrusted;
  const auto add_lock = [&](CLI::App* to) {
    return to
        ->add_option("--lock", lock, "Beside this lock file (default: those of the build, else the nearest hone.lock)")
        ->type_name("FILE");
  };
  add_lock(pruning)->needs(unnamed);
  CLI::App* trusting = app.add_subcommand(
      "trust", "Take this key's word: what it signs is locked without a search. Without a key: list those trusted");
  add_lock(trusting);
  CLI::Option* trusted = trusting->add_option("KEY", key, "The public key: ed25519:…");
  trusting->add_option("--as", name, "What the project calls it: ci, alice")->needs(trusted);
  CLI::App* untrusting = app.add_subcommand("untrust", "Take this key's word no more, or nobody's for this variant");
  add_lock(untrusting);
  untrusting->add_option("KEY", distrusted, "The public key, its name, or the digest of a variant or record")
      ->required();
  CLI::App* memory = app.add_subcommand(
      "memory", "What searches with a language model learned across kernels: where which technique gained what");
  bool json = false;
  memory->add_flag("--json", json, "Print the memory as its file holds it, to keep or to move");
  if (const auto exit = parse(app, argc, argv)) return *exit;

  if (unused) return prune_unused({project, lock}, dry_run);
  if (*pruning) {
    const auto bytes = parse_size(size);
    if (!bytes) return complain(fmt::format("'{}' is not a size; write 500M or 2G", size), usage);
    const auto user = cache::user_folder();
    if (!user) return complain(user.error(), environment);
    return prune(cache::Store({{*user, true}}, [](const std::string& line) { complain(line, done); }), *bytes);
  }
  if (vendoring->parsed() || pulling->parsed()) return vendor(project, pulling->parsed());
  if (pushing->parsed()) return push(project);
  if (generating->parsed()) return keygen(replace, show);
  if (trusting->parsed()) return *trusted ? trust_key({project, lock}, key, name) : list_trusted({project, lock});
  if (untrusting->parsed()) return untrust({project, lock}, distrusted);
  if (*memory) return print_memory(json);
  const cache::Store store(levels(project), [](const std::string&) {});
  return *stats ? print_stats(store) : (static_cast<void>(verify), verify_all(store));
}

}  // namespace hone::cli
