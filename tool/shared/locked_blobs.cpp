#include "tool/shared/locked_blobs.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "cache/bound_source.h"

namespace hone::shared {
namespace {

template <class Holds>
bool any_entry(const cache::LockFile& lock, const cache::Digest& digest, Holds holds) {
  return std::ranges::any_of(lock.entries, [&](const cache::LockEntry& entry) {
    return entry.variant == digest && lock.why_not(entry).empty() && holds(entry);
  });
}

bool is_named(const cache::LockFile& lock, const cache::Digest& digest) {
  return any_entry(lock, digest, [](const cache::LockEntry&) { return true; });
}

// "" or why these bytes are not what the lock file names.
std::string fault(const cache::LockFile& lock, const cache::Digest& digest, const std::string& bytes) {
  if (cache::sha256(bytes) != digest) return "other bytes than the lock file names";
  const cache::Digest key = cache::read_bound(bytes).key;
  const bool fits = any_entry(lock, digest, [&](const cache::LockEntry& entry) { return entry.key == key; });
  return fits ? "" : "a variant of another kernel, or of another state of it";
}

}  // namespace

cache::Store::Behind locked_blobs(const cache::LockFile& lock, SharedStore& store, cache::Store::Warn warn) {
  auto say = [warn = std::move(warn), last = std::string()](std::string what) mutable {
    if (what != last) warn(what);  // a store that is left alone says the same each time
    last = std::move(what);
  };
  auto fetched = [&lock, &store, say](const cache::Digest& digest) mutable -> std::optional<std::string> {
    auto got = store.get(Kind::blob, digest);
    if (!got) return say(got.error().message()), std::nullopt;
    const std::string wrong = *got ? fault(lock, digest, **got) : "";
    if (wrong.empty()) return std::move(*got);
    say(fmt::format(
        "the shared store {} gave {} for cas/{}…; it is not used; check what HONE_CACHE_URL names, and push "
        "that entry again",
        store.place(), wrong, digest.substr(0, 12)));
    return std::nullopt;
  };
  return [&lock, fetched, known = std::map<cache::Digest, std::optional<std::string>>()](
             const cache::Digest& digest) mutable -> std::optional<std::string> {
    if (!is_named(lock, digest)) return std::nullopt;
    const auto [at, is_new] = known.try_emplace(digest);
    if (is_new) at->second = fetched(digest);
    return at->second;
  };
}

}  // namespace hone::shared
