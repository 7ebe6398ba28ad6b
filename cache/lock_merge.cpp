#include "cache/lock_merge.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include <nlohmann/json.hpp>

#include "cache/seal.h"

namespace hone::cache {
namespace {

// What makes an entry one of its own in the file, in the file's order.
using Identity = std::tuple<std::string, std::string, std::string, std::string, Digest, std::string>;
using Entries = std::map<Identity, LockEntry>;

Entries entries_of(LockFile file) {
  file.keep_broken_sums();
  const bool sealed = file.is_sealed();
  Entries entries;
  for (LockEntry& entry : file.entries) {
    if (!sealed) entry.seal = seal_of(entry);
    entries.emplace(Identity{entry.name, entry.file, entry.target, entry.compiled_with, entry.key, entry.measured_on},
                    std::move(entry));
  }
  return entries;
}

const LockEntry* find(const Entries& entries, const Identity& identity) {
  const auto found = entries.find(identity);
  return found == entries.end() ? nullptr : &found->second;
}

bool same(const LockEntry* a, const LockEntry* b) {
  if (!a || !b) return a == b;
  LockEntry one = *a;
  one.held_on = b->held_on;
  return one == *b;
}

auto evidence_of(const LockEntry& entry) {
  return std::tuple(entry.seal == seal_of(entry) && !entry.sum.broken, !entry.unconfirmed, !entry.unfinished,
                    entry.variant.has_value(), entry.speedup_low);
}

const LockEntry* chosen(const LockEntry* base, const LockEntry* ours, const LockEntry* theirs) {
  if (same(ours, theirs) || same(theirs, base)) return ours;
  if (same(ours, base)) return theirs;
  if (!ours || !theirs) return ours ? ours : theirs;
  return evidence_of(*theirs) > evidence_of(*ours) ? theirs : ours;
}

HeldOn figures(const LockEntry* entry, const LockEntry& about) {
  return entry && about.variant ? figures_about(entry->held_on, *about.variant) : HeldOn();
}

// Members that this version does not know: ours, and theirs where we have none.
std::string joined(const std::string& ours, const std::string& theirs) {
  if (ours.empty() || theirs.empty()) return ours.empty() ? theirs : ours;
  auto all = nlohmann::ordered_json::parse(theirs);
  all.update(nlohmann::ordered_json::parse(ours));
  return all.dump();
}

}  // namespace

LockFile merge(LockFile base, LockFile ours, LockFile theirs) {
  LockFile merged;
  merged.extra = joined(ours.extra, theirs.extra);
  const Entries before = entries_of(std::move(base)), mine = entries_of(std::move(ours)),
                other = entries_of(std::move(theirs));
  std::set<Identity> identities;
  for (const Entries* side : {&mine, &other})
    for (const auto& [identity, entry] : *side) identities.insert(identity);
  for (const Identity& identity : identities) {
    const LockEntry *base_entry = find(before, identity), *our = find(mine, identity), *their = find(other, identity);
    const LockEntry* entry = chosen(base_entry, our, their);
    if (!entry) continue;
    // A side that does not fit its sum has nothing to say of figures.
    const auto sound = [&](const LockEntry* side) { return side && side->sum.broken ? base_entry : side; };
    merged.entries.push_back(*entry);
    merged.entries.back().held_on =
        merged_figures(figures(base_entry, *entry), figures(sound(our), *entry), figures(sound(their), *entry));
  }
  return merged;
}

}  // namespace hone::cache
