#include "tool/lock/verified_pairs.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "cache/bound_source.h"
#include "cache/key_parts.h"
#include "cache/lock_file.h"
#include "cache/store_folder.h"
#include "tool/lock/ledger.h"
#include "tool/lock/record.h"
#include "tool/search/text/token_layout.h"

namespace hone::lock {
namespace {

namespace fs = std::filesystem;
using search::VerifiedPair;

constexpr std::string_view reaches = "reaches ", macro = "macro ";  // how names of parts begin: frontend/find

// Language and text of what was tuned; nullopt: the parts are not a kernel's.
std::optional<VerifiedPair> original_of(const cache::KeyParts& parts) {
  const auto definition = std::ranges::find(parts, "definition", &cache::KeyParts::value_type::first);
  const auto language = std::ranges::find(parts, "language", &cache::KeyParts::value_type::first);
  if (definition == parts.end() || language == parts.end()) return std::nullopt;
  VerifiedPair pair;
  pair.language = language->second;
  for (const auto& [name, text] : parts)
    if (name.starts_with(macro)) pair.original += "#define " + name.substr(macro.size()) + text + '\n';
  for (const auto& [name, text] : parts)
    if (name.starts_with(reaches)) pair.original += search::laid_out_tokens(text);
  pair.original += search::laid_out_tokens(definition->second);
  return pair;
}

std::optional<VerifiedPair> pair_of(const cache::Store& store, const cache::Digest& key, const cache::Digest& key_parts,
                                    const std::optional<cache::Digest>& variant) {
  const auto winner = variant ? store.blob(*variant) : std::nullopt;
  const auto text = winner && !key_parts.empty() ? store.blob(key_parts) : std::nullopt;
  const auto parts = text ? cache::read_key_parts(*text, key) : std::nullopt;
  auto pair = parts ? original_of(*parts) : std::nullopt;
  if (!pair) return std::nullopt;
  cache::BoundSource bound = cache::read_bound(*winner);
  if (bound.key != key) return std::nullopt;
  pair->key = key;
  pair->winner = std::move(bound.source);
  return pair;
}

std::optional<Record> record_of(const cache::Store& store, const cache::Digest& key) {
  const auto text = store.record(key);
  auto record = text ? parse_record(*text) : Result<Record>(failure("none"));
  return record && record->key == key ? std::optional(std::move(*record)) : std::nullopt;
}

void warn_of_nothing(const std::string&) {}

}  // namespace

std::vector<VerifiedPair> pairs_of_project(const fs::path& lock) {
  const auto file = cache::LockFile::read(lock);
  if (!file) return {};
  const cache::Store store = reading_store(lock, warn_of_nothing);
  std::vector<VerifiedPair> pairs;
  for (const cache::LockEntry& entry : file->entries) {
    if (entry.unconfirmed || !file->why_not(entry).empty()) continue;
    auto pair = pair_of(store, entry.key, entry.key_parts, entry.variant);
    if (!pair) continue;
    pair->kernel = entry.name;
    pair->gain = entry.speedup;
    if (const auto record = record_of(store, entry.key); record && record->variant == entry.variant)
      pair->thought = record->thought;
    pairs.push_back(std::move(*pair));
  }
  return pairs;
}

std::vector<VerifiedPair> pairs_in_store(const fs::path& folder, std::size_t most) {
  std::vector<std::string> keys;
  for (const auto& entry : cache::StoreFolder(folder).entries())
    if (entry.kind == cache::StoreFolder::Kind::record) keys.push_back(entry.name);
  std::ranges::sort(keys);
  if (keys.size() > most) keys.resize(most);
  const cache::Store store({{.folder = folder, .writable = false}}, warn_of_nothing);
  std::vector<VerifiedPair> pairs;
  for (const std::string& key : keys) {
    const auto record = record_of(store, key);
    if (!record || record->unconfirmed()) continue;
    auto pair = pair_of(store, key, record->key_parts, record->variant);
    if (!pair) continue;
    pair->kernel = record->kernel;
    pair->gain = record->speedup.median;
    pair->thought = record->thought;
    pairs.push_back(std::move(*pair));
  }
  return pairs;
}

}  // namespace hone::lock
