#include "tool/cli/cache/cache_exchange.h"

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "cache/bound_source.h"
#include "cache/lock_file.h"
#include "cache/store.h"
#include "tool/cli/cache/signing.h"
#include "tool/diagnostics/coded_failure.h"
#include "tool/lock/ledger.h"
#include "tool/shared/environment_store.h"
#include "tool/shared/locked_blobs.h"
#include "tool/trust/standing.h"

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
  return complain(
      coded_failure(DiagnosticCode::shared_store, "no shared store is named", "", "set HONE_CACHE_URL to its address")
          .value(),
      environment);
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
  bool unsigned_records = false;
};

// With what, and for whom.
struct Sender {
  shared::SharedStore& shared;
  std::optional<trust::SigningKey> key;
  Pushed sum = {};
  const std::set<std::string>* only = nullptr;  // these request keys
};

using Counts = std::function<bool(const std::string& there)>;

// What is there already is not sent again, nor what counts less than that.
Result<void> push(Sender& sender, Kind kind, const cache::Digest& name, const std::string& bytes,
                  const Counts& counts_more) {
  HONE_TRY(const auto there, sender.shared.get(kind, name));
  if (there && (*there == bytes || counts_more(*there))) return ++sender.sum.there, Result<void>{};
  HONE_CHECK(sender.shared.put(kind, name, bytes));
  ++(kind == Kind::record ? sender.sum.records : sender.sum.blobs);
  return {};
}

bool is_trusted(const std::string& record, const cache::Digest& key, const trust::TrustFile& trusted) {
  const auto read = trust::read_signed(record);
  return read && std::holds_alternative<trust::Trusted>(trust::standing_of(*read, key, trusted));
}

// The record of just that entry as it is sent: with the signature that it has, else with ours. nullopt: there is none.
std::optional<std::string> to_send(const std::string& record, const cache::LockEntry& entry, Sender& sender) {
  const auto read = trust::read_signed(record);
  if (!read || read->key != entry.key || read->variant != entry.variant || (read->by && !read->holds))
    return std::nullopt;
  if (read->by) return record;
  if (!sender.key) return sender.sum.unsigned_records = true, record;
  auto made = trust::sign_record(record, *sender.key);
  return made ? std::optional(*made) : std::nullopt;
}

Result<void> push_record(const std::string& record, const cache::LockEntry& entry, const trust::TrustFile& trusted,
                         Sender& sender) {
  const auto sent = to_send(record, entry, sender);
  if (!sent) return {};
  const bool counts = is_trusted(*sent, entry.key, trusted);
  return push(sender, Kind::record, entry.key, *sent,
              [&](const std::string& there) { return !counts && is_trusted(there, entry.key, trusted); });
}

// What this user judged, or took on somebody's signature. What lies in hone/ as a record is a branch's word, which we
// do not sign.
std::optional<std::string> own_record(const cache::Digest& key) {
  const auto user = cache::user_folder();
  return user ? cache::Store({{*user, true}}, [](const std::string& line) { complain(line, done); }).record(key)
              : std::nullopt;
}

Result<void> push(const fs::path& path, const cache::LockFile& lock, Sender& sender) {
  HONE_TRY(const trust::TrustFile trusted, trust::TrustFile::read(trust::trust_file_beside(path)));
  const cache::Store store = local_store(path);
  for (const cache::LockEntry& entry : lock.entries) {
    if (sender.only && !sender.only->contains(entry.key)) continue;
    std::string why = lock.why_not(entry);
    const auto blob = why.empty() && entry.variant ? store.blob(*entry.variant) : std::nullopt;
    if (why.empty() && entry.variant && !blob) why = "its variant is in no store here";
    if (blob && cache::read_bound(*blob).key != entry.key) why = "its variant names another request key";
    if (!why.empty()) {
      ++sender.sum.missing;
      complain(fmt::format("'{}' is not pushed: {}; build hone-tune", printable_line(entry.name), why), no);
      continue;
    }
    if (blob) HONE_CHECK(push(sender, Kind::blob, *entry.variant, *blob, [](const std::string&) { return false; }));
    if (const auto record = own_record(entry.key)) HONE_CHECK(push_record(*record, entry, trusted, sender));
  }
  return {};
}

// What is needed so that others take the records' word.
void say_whose_word(const Sender& sender, const Locks& locks) {
  if (sender.sum.unsigned_records)
    say("the records are not signed, so nobody need believe them; hone cache keygen makes a key\n");
  if (!sender.key) return;
  const trust::PublicKey key = sender.key->public_key();
  for (const auto& [path, lock] : locks) {
    const auto trusted = trust::TrustFile::read(trust::trust_file_beside(path));
    if (trusted && !trusted->find(key))
      return say("{} does not name your key, so nobody need believe your records; hone cache trust {}\n",
                 trust::trust_file_beside(path).string(), key.text());
  }
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
  auto key = own_signing_key();
  if (!key) return complain(key.error(), environment);
  Sender sender{*shared, std::move(*key)};
  Result<void> pushed;
  for (const auto& [path, lock] : *locks)
    if (pushed) pushed = push(path, lock, sender);
  if (!pushed) return complain(pushed.error(), environment);
  const Pushed& sum = sender.sum;
  say("{} variants and {} records went to {}, {} were there\n", sum.blobs, sum.records, shared->place(), sum.there);
  say_whose_word(sender, *locks);
  return sum.missing == 0 ? done : no;
}

void push_tuned(const LockedKeys& tuned, shared::SharedStore& store) {
  auto key = own_signing_key();
  Result<void> pushed;
  if (!key) pushed = tl::unexpected(key.error());
  Sender sender{store, key ? std::move(*key) : std::nullopt};
  for (const auto& [path, keys] : tuned) {
    if (!pushed) break;
    const auto lock = cache::LockFile::read(path);
    sender.only = &keys;
    pushed = lock ? push(path, *lock, sender) : tl::unexpected(lock.error());
  }
  const Pushed& sum = sender.sum;
  if (!pushed)
    complain(fmt::format("what was tuned is not in the shared store: {}; `hone cache push` sends it later",
                         pushed.error().message()),
             done);
  else if (sum.blobs + sum.records > 0)
    complain(fmt::format("{} variants and {} records went to {}{}", sum.blobs, sum.records, store.place(),
                         sum.unsigned_records ? ", not signed; hone cache keygen makes a key" : ""),
             done);
}

}  // namespace hone::cli
