#include "tool/cli/cache_exchange.h"

#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include "cache/bound_source.h"
#include "cache/lock_file.h"
#include "cache/store.h"
#include "tool/lock/ledger.h"
#include "tool/shared/environment_store.h"
#include "tool/shared/locked_blobs.h"

namespace hone::cli {
namespace {

namespace fs = std::filesystem;
using shared::Kind;

using Locks = std::map<fs::path, cache::LockFile>;

Result<Locks> locks_of(const ProjectOptions& options) {
  HONE_TRY(const project::Project project, project::open_project(options.folder()));
  Locks locks;
  for (const project::ProjectUnit& unit : project.units) {
    if (locks.contains(unit.settings.lock)) continue;
    HONE_TRY(cache::LockFile file, cache::LockFile::read(unit.settings.lock));
    locks.emplace(unit.settings.lock, std::move(file));
  }
  return locks;
}

int complain_of_no_store() {
  return complain(Error{"no shared store is named", "", "set HONE_CACHE_URL to its address"}, environment);
}

cache::Store local_store(const fs::path& lock) {
  return lock::reading_store(lock, [](const std::string& line) { complain(line, done); });
}

struct Vendored {
  std::size_t there = 0, missing = 0;
  bool trouble = false;  // with the shared store
};

void vendor(const fs::path& path, const cache::LockFile& lock, shared::SharedStore* shared, Vendored& sum) {
  cache::Store store = local_store(path);
  if (shared)
    store.set_behind(shared::locked_blobs(lock, *shared, [&](const std::string& line) {
      sum.trouble = true;
      complain(line, done);
    }));
  for (const cache::LockEntry& entry : lock.entries) {
    if (!entry.variant) continue;
    if (!entry.key_parts.empty()) (void)store.promote(entry.key_parts);  // only explains; nobody misses it
    const auto promoted = store.promote(*entry.variant);
    ++(promoted ? sum.there : sum.missing);
    if (!promoted) complain(fmt::format("'{}': {}", printable_line(entry.name), promoted.error().message()), no);
  }
}

struct Pushed {
  std::size_t blobs = 0, records = 0, there = 0, missing = 0;
};

// What is there already is not sent again.
Result<void> push(shared::SharedStore& shared, Kind kind, const cache::Digest& name, const std::string& bytes,
                  Pushed& sum) {
  HONE_TRY(const auto there, shared.get(kind, name));
  if (there == bytes) return ++sum.there, Result<void>{};
  HONE_CHECK(shared.put(kind, name, bytes));
  ++(kind == Kind::record ? sum.records : sum.blobs);
  return {};
}

Result<void> push(const fs::path& path, const cache::LockFile& lock, shared::SharedStore& shared, Pushed& sum) {
  const cache::Store store = local_store(path);
  for (const cache::LockEntry& entry : lock.entries) {
    if (!entry.variant) continue;
    std::string why = lock.why_not(entry);
    const auto blob = why.empty() ? store.blob(*entry.variant) : std::nullopt;
    if (why.empty() && !blob) why = "its variant is in no store here";
    if (blob && cache::read_bound(*blob).key != entry.key) why = "its variant names another request key";
    if (!why.empty()) {
      ++sum.missing;
      complain(fmt::format("'{}' is not pushed: {}; build hone-tune", printable_line(entry.name), why), no);
      continue;
    }
    HONE_CHECK(push(shared, Kind::blob, *entry.variant, *blob, sum));
    if (const auto record = store.record(entry.key)) HONE_CHECK(push(shared, Kind::record, entry.key, *record, sum));
  }
  return {};
}

}  // namespace

int vendor(const ProjectOptions& options, bool pulling) {
  const auto shared = pulling ? shared::environment_store() : nullptr;
  if (pulling && !shared) return complain_of_no_store();
  const auto locks = locks_of(options);
  if (!locks) return complain(locks.error(), environment);
  Vendored sum;
  for (const auto& [path, lock] : *locks) vendor(path, lock, shared.get(), sum);
  const char* const where = pulling ? "here nor in the shared store: push them" : "here: pull them";
  say("in hone/: {} of {} variants; {}\n", sum.there, sum.there + sum.missing,
      sum.missing ? fmt::format("the others are in no store {}, or build hone-tune", where) : "commit it");
  if (sum.missing == 0) return done;
  return sum.trouble ? environment : no;
}

int push(const ProjectOptions& options) {
  const auto shared = shared::environment_store();
  if (!shared) return complain_of_no_store();
  const auto locks = locks_of(options);
  if (!locks) return complain(locks.error(), environment);
  Pushed sum;
  Result<void> pushed;
  for (const auto& [path, lock] : *locks)
    if (pushed) pushed = push(path, lock, *shared, sum);
  if (!pushed) return complain(pushed.error(), environment);
  say("{} variants and {} records went to {}, {} were there\n", sum.blobs, sum.records, shared->place(), sum.there);
  return sum.missing == 0 ? done : no;
}

}  // namespace hone::cli
