// What the report of a project shows, gathered from where it is kept: the lock file, the store's records, the journals
// and recordings of searches, and the sources.
//
// Each source may be missing. A fresh checkout has the lock file and hone/ alone: then a kernel comes with its figures
// and its variant, and `missing` says in words what is not there. Everything in it may be hostile text: a branch brings
// records, a model writes names and code. It is data here; who shows it sees to that it stays text. Reads files and
// changes none; measures the machine's rates where it is asked for least times.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cache/lock_file.h"
#include "tool/lock/record.h"
#include "tool/page/content/least_times.h"
#include "tool/project/kernels.h"
#include "tool/report/json.h"
#include "tool/tune/trial/journal_reader.h"

namespace hone::page {

// On a language model, for one search.
struct ModelSpending {
  unsigned calls = 0, failed = 0;
  std::uint64_t input_tokens = 0, output_tokens = 0, cached_tokens = 0;
  double cost = 0, seconds = 0;
  bool estimated = false;
};

// The search that a kernel's newest journal tells of.
struct ToldSearch {
  tune::JournaledRun run;
  bool running = false;  // a process is at it now
};

// One line of the report: a kernel with one of its lock entries, or with none.
struct KernelContent {
  report::ListedKernel listed;
  std::string
      state;        // tuned, kept (searched, the original stays), stale, untuned; locked: no build here has the kernel
  std::string why;  // a sentence: what is linked and why
  std::string signature, target, language;
  std::optional<cache::LockEntry> entry;
  std::optional<lock::Record> record;  // of that entry
  std::optional<std::string> original, variant;
  std::optional<ToldSearch> search;
  std::optional<ModelSpending> spending;
  LeastTimes least;
  std::vector<std::string> missing;  // sentences: what cannot be shown, and where it would be
};

struct ProjectContent {
  std::string name;     // of the folder that the lock file is in
  std::string version;  // of Hone
  std::vector<KernelContent> kernels;
  std::vector<std::string> missing;  // of the project as a whole
};

// A kernel of the build, with what `hone list` says of it.
struct Subject {
  project::ProjectKernel kernel;
  report::ListedKernel listed;
};

struct Sources {
  std::filesystem::path build;               // with hone/runs in it; "": there is none
  std::vector<Subject> subjects;             // the build's kernels
  std::vector<std::filesystem::path> locks;  // whose entries are shown though no kernel of the build has them
  std::string version;
  // Of up to so many kernels the least times are computed that this machine allows: it takes a look at each source.
  std::size_t most_rooflines = 0;
  std::map<std::string, LeastTimes> least;  // what is known already of them, by key
};

// `trouble` hears what is damaged, once each.
ProjectContent gather(const Sources& sources, const std::function<void(const std::string&)>& trouble);

// The same as JSON, which only grows: { "report": 1, "project", "version", "summary", "missing", "kernels": […] }.
// Samples are whole nanoseconds with five digits. `indent` -1: on one line.
std::string to_json(const ProjectContent& content, int indent = -1);

}  // namespace hone::page
