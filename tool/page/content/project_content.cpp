#include "tool/page/content/project_content.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <set>

#include <fmt/format.h>

#include "cache/bound_source.h"
#include "tool/lock/ledger.h"
#include "tool/lock/measured_entries.h"
#include "tool/page/content/search_records.h"

namespace hone::page {
namespace {

namespace fs = std::filesystem;
using Trouble = std::function<void(const std::string&)>;

// Which entry of a lock file, for those that are shown already.
std::string identity(const fs::path& lock, const cache::LockEntry& entry) {
  return fmt::format("{}\n{}\n{}\n{}\n{}\n{}", lock.string(), entry.name, entry.file, entry.key, entry.measured_on,
                     entry.compiled_with);
}

class Gatherer {
 public:
  Gatherer(const Sources& sources, const Trouble& trouble)
      : sources_(sources),
        trouble_([this, &trouble](const std::string& line) {
          const std::lock_guard guard(mutex_);
          trouble(line);
        }),
        searches_(sources.build) {}

  ProjectContent gather() {
    content_.version = sources_.version;
    for (const Subject& subject : sources_.subjects) add(subject);
    for (const fs::path& lock : sources_.locks) add_other_entries(lock);
    project::on_all_processors(content_.kernels.size(), [this](std::size_t i) { read_evidence(i); });
    add_least_times();
    for (KernelContent& kernel : content_.kernels) kernel.why = why(kernel);
    name_project();
    return std::move(content_);
  }

 private:
  void add(const Subject& subject) {
    const KernelSpec& spec = subject.kernel.spec;
    const fs::path& path = subject.kernel.unit.settings.lock;
    const cache::LockFile& lock = lock_at(path);
    const auto measured = lock::measured_entries(lock, spec);
    for (const auto& [family, entry] : measured) add(subject, path, entry, entry->variant ? "tuned" : "kept");
    if (!measured.empty()) return;
    const cache::LockEntry* const earlier = subject.listed.state == "stale" ? earlier_entry(lock, subject) : nullptr;
    add(subject, path, earlier, earlier ? "stale" : subject.listed.state);
  }

  // What was locked before the kernel was edited.
  static const cache::LockEntry* earlier_entry(const cache::LockFile& lock, const Subject& subject) {
    const KernelSpec& spec = subject.kernel.spec;
    if (const cache::LockEntry* distrusted = lock.find(spec.key)) return distrusted;
    const auto others =
        lock.find_others(spec.name, project::file_in_lock(spec.file, subject.kernel.unit.settings.lock), spec.key);
    const auto tuned = std::ranges::find_if(others, [](const auto* entry) { return entry->variant.has_value(); });
    return tuned != others.end() ? *tuned : others.empty() ? nullptr : others.front();
  }

  void add(const Subject& subject, const fs::path& path, const cache::LockEntry* entry, const std::string& state) {
    const KernelSpec& spec = subject.kernel.spec;
    KernelContent kernel;
    kernel.listed = subject.listed;
    kernel.listed.file = project::file_in_lock(spec.file, path);
    kernel.state = state;
    kernel.signature = spec.signature;
    kernel.target = spec.target;
    kernel.language = spec.language;
    if (!spec.unit.definition.empty()) kernel.original = spec.unit.definition;
    add(std::move(kernel), path, entry, &subject.kernel);
  }

  void add(KernelContent kernel, const fs::path& lock, const cache::LockEntry* entry,
           const project::ProjectKernel* built) {
    if (entry) shown_.insert(identity(lock, *entry));
    if (entry) kernel.entry = *entry;
    content_.kernels.push_back(std::move(kernel));
    places_.push_back({lock, built});
  }

  // What a kernel's own files say. Of a stale one, the search is that of the code as it is now.
  void read_evidence(std::size_t i) {
    KernelContent& kernel = content_.kernels[i];
    if (kernel.entry) add_entry(kernel, places_[i].lock);
    add_search(kernel);
    if (!places_[i].built)
      kernel.missing.push_back("the original's code: no build here has this kernel as it is locked");
  }

  void add_least_times() {
    std::vector<TimedKernel> timed;
    std::vector<KernelContent*> kernels;
    for (std::size_t i = 0; i < places_.size(); ++i) {
      KernelContent& kernel = content_.kernels[i];
      if (!places_[i].built || !kernel.record || !kernel.least.empty()) continue;
      const auto known = sources_.least.find(kernel.listed.key);
      if (known != sources_.least.end()) {
        kernel.least = known->second;
        continue;
      }
      timed.push_back({places_[i].built, kernel.record->counting_verdict()});
      kernels.push_back(&kernel);
    }
    if (timed.size() > sources_.most_rooflines) return;
    const std::vector<LeastTimes> least = least_times(timed);
    for (std::size_t i = 0; i < least.size(); ++i) kernels[i]->least = least[i];
  }

  // Of kernels that are in no build here: another target's, another compiler's, or there is no build at all.
  void add_other_entries(const fs::path& path) {
    for (const cache::LockEntry& entry : lock_at(path).entries) {
      if (shown_.contains(identity(path, entry))) continue;
      KernelContent kernel;
      kernel.listed.name = entry.name;
      kernel.listed.file = entry.file;
      kernel.listed.key = entry.key;
      kernel.listed.target = entry.build_target;
      kernel.listed.compiled_with = entry.compiled_with;
      kernel.state = "locked";
      kernel.target = entry.target;
      add(std::move(kernel), path, &entry, nullptr);
    }
  }

  void add_entry(KernelContent& kernel, const fs::path& lock) const {
    const cache::Store store = lock::reading_store(lock, trouble_);
    add_record(kernel, store);
    if (!kernel.entry->variant) return;
    if (const auto blob = store.blob(*kernel.entry->variant))
      kernel.variant = cache::read_bound(*blob).source;
    else
      kernel.missing.push_back(
          "the variant's code: it is neither in hone/ beside the lock file nor in this user's cache");
  }

  // The record may be of another search of this key, on another machine.
  void add_record(KernelContent& kernel, const cache::Store& store) const {
    const auto text = store.record(kernel.entry->key);
    if (text) {
      auto record = lock::parse_record(*text);
      if (!record)
        trouble_(fmt::format("the record of '{}' is not used: {}", kernel.entry->name, record.error().message()));
      else if (record->key == kernel.entry->key && record->variant == kernel.entry->variant)
        kernel.record = std::move(*record);
    }
    if (!kernel.record)
      kernel.missing.push_back(
          "samples, times, lineage and machine: the search's record is in the cache of the user who tuned, and not "
          "here");
  }

  void add_search(KernelContent& kernel) const {
    auto found =
        searches_.of(kernel.listed.key, kernel.record ? std::optional(kernel.record->seed) : std::nullopt, trouble_);
    if (!found) {
      if (kernel.entry)
        kernel.missing.push_back("the search's trials: their journal is in the build folder that tuned, and not here");
      return;
    }
    kernel.search = std::move(found->search);
    kernel.spending = found->spending;
    kernel.least = std::move(found->least);
  }

  std::string why(const KernelContent& kernel) const {
    const report::ListedKernel& listed = kernel.listed;
    if (kernel.search && kernel.search->running) return "a search is running";
    if (kernel.state == "stale")
      return "the original is linked: " + (listed.stale.empty() ? "it changed since it was tuned" : listed.stale);
    if (kernel.state == "kept") return "the original is linked: the search found nothing that is right and faster";
    if (kernel.state == "locked") return "no build here has it: the lock file names it for another target or compiler";
    if (kernel.state != "tuned")
      return listed.trouble.empty() ? "the original is linked: it was never tuned"
                                    : "the original is linked: " + listed.trouble;
    if (!listed.trouble.empty()) return "the original is linked: " + listed.trouble;
    if (!listed.held_back.empty()) return "the original is linked: it " + listed.held_back;
    std::string text = "the variant is linked: it is right on all that was tried, and faster";
    if (kernel.entry->unconfirmed) text += "; nobody measured it afresh";
    if (kernel.entry->unfinished) text += "; its search ended early";
    return text;
  }

  // One that is broken has nothing to show, and is said once.
  const cache::LockFile& lock_at(const fs::path& path) {
    const auto known = locks_.find(path);
    if (known != locks_.end()) return known->second;
    auto read = cache::LockFile::read(path);
    std::error_code error;
    if (!read) {
      trouble_(read.error().message());
      content_.missing.push_back("the lock file cannot be read: " + read.error().what);
    } else if (!fs::exists(path, error)) {
      content_.missing.push_back("there is no lock file yet: nothing was tuned");
    }
    return locks_.emplace(path, read ? std::move(*read) : cache::LockFile()).first->second;
  }

  void name_project() {
    const fs::path lock = !sources_.locks.empty()      ? sources_.locks.front()
                          : !sources_.subjects.empty() ? sources_.subjects.front().kernel.unit.settings.lock
                                                       : fs::path();
    content_.name = lock.parent_path().filename().string();
  }

  const Sources& sources_;
  std::mutex mutex_;
  const Trouble trouble_;
  const SearchRecords searches_;
  std::map<fs::path, cache::LockFile> locks_;
  std::set<std::string> shown_;
  struct Place {
    fs::path lock;
    const project::ProjectKernel* built = nullptr;  // null: no build has it
  };
  std::vector<Place> places_;  // of content_.kernels
  ProjectContent content_;
};

}  // namespace

ProjectContent gather(const Sources& sources, const Trouble& trouble) {
  return Gatherer(sources, trouble).gather();
}

}  // namespace hone::page
