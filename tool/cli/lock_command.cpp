#include <algorithm>
#include <filesystem>
#include <set>

#include <nlohmann/json.hpp>

#include "cache/bound_source.h"
#include "cache/lock_merge.h"
#include "cache/store.h"
#include "tool/cli/command/command.h"
#include "tool/cli/list/listed_kernels.h"
#include "tool/cli/lock_evidence.h"
#include "tool/lock/ledger.h"
#include "tool/lock/strict_objection.h"
#include "tool/os/files/files.h"

namespace hone::cli {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

struct Finding {
  std::string place;  // "src/blur.cpp:12", or the lock file
  std::string name;
  std::string what;
};

struct Findings {
  std::vector<Finding> problems;  // what a build elsewhere would not link, or would link wrongly
  std::vector<Finding> notes;
  std::size_t entries = 0, kernels = 0, untuned = 0;
};

bool has_blob(const fs::path& folder, const cache::Digest& digest) {
  return cache::Store({{folder, false}}, [](const std::string&) {}).blob(digest).has_value();
}

// What is wrong with an entry by itself, wherever it is built; "" for nothing.
std::string flaw_of(const cache::LockFile& lock, const cache::LockEntry& entry, const fs::path& path) {
  if (const std::string why = lock.why_not(entry); !why.empty()) return why + "; build hone-tune";
  if (!entry.variant) return "";
  const cache::Store store({{lock::project_store(path), false}}, [](const std::string&) {});
  const auto blob = store.blob(*entry.variant);
  if (!blob) {
    const auto user = cache::user_folder();
    return user && has_blob(*user, *entry.variant)
               ? "its variant is in your store and not in hone/, so nobody else can build it; run hone cache vendor"
               : "its variant is not in hone/, or is damaged there; restore it from version control, pull it, or build "
                 "hone-tune";
  }
  const cache::Digest key = cache::read_bound(*blob).key;
  return key.empty() || key == entry.key ? ""
                                         : "its variant was judged for another state of the kernel; build hone-tune";
}

void check_kernels(const Selection& selection, Findings& findings, Result<void>& trouble) {
  LockFiles locks;
  for (const project::ProjectKernel& kernel : selection.kernels) {
    const report::ListedKernel listed = cli::listed(kernel, false, locks, trouble);
    const Finding here{fmt::format("{}:{}", listed.file, listed.line), listed.name, listed.trouble};
    ++findings.kernels;
    findings.untuned += listed.state == "untuned";
    if (listed.state == "stale" && here.what.empty())
      findings.problems.push_back({here.place, here.name,
                                   fmt::format("it changed since it was tuned{}; build hone-tune",
                                               listed.stale.empty() ? "" : ": " + listed.stale)});
    else if (!here.what.empty())
      (listed.state == "untuned" ? findings.notes : findings.problems).push_back(here);
    if (!listed.held_back.empty())
      findings.notes.push_back({here.place, here.name, "its original is linked: it " + listed.held_back});
    if (listed.unconfirmed)
      findings.notes.push_back({here.place, here.name, "its figure is the search's own; build hone-tune"});
  }
}

void check_lock(const fs::path& path, const Selection& selection, Findings& findings, Result<void>& trouble) {
  const auto lock = cache::LockFile::read(path);
  if (!lock) return static_cast<void>(trouble = tl::unexpected(lock.error()));
  for (const cache::LockEntry& entry : lock->entries) {
    ++findings.entries;
    const Finding of{path.string(), entry.name, flaw_of(*lock, entry, path)};
    if (!of.what.empty()) findings.problems.push_back(of);
    if (!lock::is_vouched_for(entry, path))
      findings.notes.push_back(
          {path.string(), entry.name,
           "it was locked on a word that hone.trust does not take, so a strict build refuses it; build "
           "hone-tune"});
    const bool known = std::ranges::any_of(selection.kernels, [&](const project::ProjectKernel& kernel) {
      return kernel.unit.settings.lock == path && kernel.spec.name == entry.name;
    });
    if (!known) findings.notes.push_back({path.string(), entry.name, "no annotated function of this build has it"});
  }
}

json findings_json(const std::vector<Finding>& findings) {
  json list = json::array();
  for (const Finding& finding : findings)
    list.push_back({{"place", printable_line(finding.place)},
                    {"name", printable_line(finding.name)},
                    {"what", printable_line(finding.what)}});
  return list;
}

void print(const Findings& findings) {
  for (const auto& [place, name, what] : findings.problems) say("{}: error: '{}': {}\n", place, name, what);
  for (const auto& [place, name, what] : findings.notes) say("{}: note: '{}': {}\n", place, name, what);
  say("entries {}, kernels {}, of which untuned {}: {}\n", findings.entries, findings.kernels, findings.untuned,
      findings.problems.empty() ? "fresh and whole" : "not all of it is fresh and whole");
}

int check(const ProjectOptions& options, bool as_json) {
  int code = done;
  const auto always = [](const project::ProjectUnit&, const KernelSpec&) { return true; };
  const auto selection = select(options, {}, code, always);
  if (!selection) return code;
  Findings findings;
  Result<void> trouble;
  check_kernels(*selection, findings, trouble);
  std::set<fs::path> paths;
  for (const project::ProjectUnit& unit : selection->project.units) paths.insert(unit.settings.lock);
  for (const fs::path& path : paths) check_lock(path, *selection, findings, trouble);
  if (!trouble) return complain(trouble.error(), environment);
  if (as_json)
    fmt::print("{}\n", json{{"fresh", findings.problems.empty()},
                            {"entries", findings.entries},
                            {"kernels", findings.kernels},
                            {"untuned", findings.untuned},
                            {"problems", findings_json(findings.problems)},
                            {"notes", findings_json(findings.notes)}}
                           .dump(2));
  else
    print(findings);
  return findings.problems.empty() && !selection->flawed ? done : no;
}

// git gives an empty file for a side that has none.
Result<cache::LockFile> read_side(const std::string& file, const std::string& shown) {
  HONE_TRY(const std::string text, os::read_file(file));
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) return cache::LockFile{};
  return cache::LockFile::parse(text, shown);
}

// Writes into `ours`, as git expects it. What cannot be read leaves it as it is: git then says that it conflicts.
int merge(const std::vector<std::string>& files, const std::string& path) {
  cache::LockFile sides[3];
  const char* const words[] = {"the common ancestor", "ours", "theirs"};
  for (std::size_t side = 0; side < 3; ++side) {
    auto read = read_side(files[side], path.empty() ? files[side] : fmt::format("{} ({})", path, words[side]));
    if (!read) return complain(read.error(), no);
    sides[side] = std::move(*read);
  }
  const cache::LockFile merged = cache::merge(sides[0], sides[1], sides[2]);
  const auto written = os::write_file_atomically(files[1], merged.text());
  return written ? done : complain(written.error(), environment);
}

}  // namespace

int lock_command(int argc, char** argv) {
  CLI::App app{"The lock file: is what it names fresh and there; two of them merged; where a gain holds.", "hone lock"};
  ProjectOptions project;
  bool as_json = false;
  std::vector<std::string> files;
  app.require_subcommand(1);
  CLI::App* checking = app.add_subcommand(
      "check", "Is every entry fresh, every variant in hone/, every digest right? Times nothing; exit code 1: no");
  project.add_to(*checking);
  checking->add_flag("--json", as_json, "Print JSON");
  CLI::App* merging = app.add_subcommand(
      "merge", "git's merge driver: hone lock merge %O %A %B %P; both sides' entries survive, in %A");
  merging->footer(
      "Name it once in the repository, and once on each machine:\n"
      "  echo 'hone.lock merge=hone' >> .gitattributes\n"
      "  git config merge.hone.driver 'hone lock merge %O %A %B %P'");
  merging
      ->add_option("FILES", files,
                   "The common ancestor, ours, theirs, and the file's name in the repository for messages")
      ->required()
      ->expected(3, 4);
  std::string lock;
  CLI::App* holding = app.add_subcommand("evidence",
                                         "Where do the gains hold? Joins what hone verify --json printed on several "
                                         "machines; without FILE the table alone");
  holding->add_option("FILE", files, "What hone verify --json printed; of two of one kind of machine the last counts");
  holding->add_option("--lock", lock, "The lock file (default: the nearest hone.lock from here up)");
  holding->add_flag("--json", as_json, "Print JSON");
  if (const auto exit = parse(app, argc, argv)) return *exit;
  if (*holding) return lock_evidence(files, lock, as_json);
  return *checking ? check(project, as_json) : merge(files, files.size() == 4 ? files[3] : "");
}

}  // namespace hone::cli
