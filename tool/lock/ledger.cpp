#include "tool/lock/ledger.h"

#include <algorithm>
#include <utility>

#include "cache/bound_source.h"
#include "cache/key_parts.h"
#include "tool/base/machine_kind.h"
#include "tool/frontend/parse/compiled_with.h"
#include "tool/frontend/unit/variant_launch.h"
#include "tool/lock/locked_variants.h"
#include "tool/lock/measured_entries.h"
#include "tool/lock/strict_objection.h"
#include "tool/trust/standing.h"

namespace hone::lock {
namespace fs = std::filesystem;
namespace {

void take_tried(const Verdict& verdict, cache::LockEntry& entry) {
  entry.tried.clear();
  for (const TriedLine& line : lines_of(verdict.tried)) entry.tried.emplace_back(line.label, line.text);
}

void take_figures(const Verdict& verdict, cache::LockEntry& entry) {
  const Speedup& speedup = verdict.measurement.speedup;
  entry.speedup = speedup.median;
  entry.speedup_low = speedup.low;
  entry.speedup_high = speedup.high;
  take_tried(verdict, entry);
}

// The kind of machine that it was accepted on.
void take_machine(const Verdict& verdict, cache::LockEntry& entry) {
  if (!entry.variant || !is_machine_kind(verdict.machine)) return;
  const auto& speedup = verdict.measurement.speedup;
  cache::MachineFigure figure = cache::figure_of(*entry.variant, speedup.median, speedup.low, speedup.high);
  figure.tuned = true;
  if (cache::why_no_figure(figure).empty()) entry.held_on[verdict.machine] = figure;
}

}  // namespace

fs::path project_store(const fs::path& lock) {
  return lock.parent_path() / "hone";
}

cache::Store reading_store(const fs::path& lock, cache::Store::Warn warn) {
  std::vector<cache::Store::Level> levels{
      {project_store(lock), true, true}};  // what is stored but not locked stays out of it
  if (auto user = cache::user_folder()) levels.push_back({*user, true});
  return cache::Store(std::move(levels), std::move(warn));
}

Ledger::Ledger(const KernelSpec& spec, const project::ProjectUnit& unit, cache::Store::Warn warn)
    : spec_(spec),
      lock_(unit.settings.lock),
      unit_(unit),
      compiled_with_(frontend::compiled_with(unit.command)),
      store_(reading_store(unit.settings.lock, warn)) {
  if (auto user = cache::user_folder()) user_.emplace(std::vector<cache::Store::Level>{{*user, true}}, std::move(warn));
}

bool Ledger::is_usable(const std::optional<cache::Digest>& variant) const {
  if (!variant) return true;
  const auto text = source(*variant);
  return text && frontend::why_not_here(spec_, *text).empty();
}

std::optional<std::string> Ledger::source(const cache::Digest& variant) const {
  auto text = variant_text(spec_, variant, store_);
  if (!text) return std::nullopt;
  return std::move(*text);
}

// "" where it is this kernel's. Of Hone 0.1's records nobody can say.
std::string Ledger::why_foreign(const Record& record) const {
  if (record.key != spec_.key) return "it is the record of another request key";
  if (record.signature != spec_.signature || record.target != spec_.target)
    return "it is the record of another function or target";
  const auto blob = record.variant ? store_.blob(*record.variant) : std::nullopt;
  if (blob && cache::read_bound(*blob).key != spec_.key) return "its variant is of another request key";
  return "";
}

Result<std::optional<cache::LockEntry>> Ledger::locked(const std::string& device) const {
  HONE_TRY(const auto file, cache::LockFile::read(lock_));
  const cache::LockEntry* entry = entry_for(file, spec_, device);
  if (!entry || !is_usable(entry->variant)) return std::nullopt;
  cache::LockEntry found = *entry;
  found.unconfirmed |= !is_vouched_for(found, lock_);
  return found;
}

// What has no signature was judged here: nothing else is put into the user's store without one.
bool Ledger::is_trusted(const std::string& record) const {
  const auto read = trust::read_signed(record);
  if (!read || !read->by) return read.has_value();
  const auto trusted = trust::TrustFile::read(trust::trust_file_beside(lock_));
  return trusted && std::holds_alternative<trust::Trusted>(trust::standing_of(*read, spec_.key, *trusted));
}

// "" or why it says nothing of what is compiled here.
std::string Ledger::why_unfit(const Record& record, const std::string& device) const {
  if (!is_usable(record.variant)) return "its variant does not fit this file";
  cache::LockFile as_locked;
  as_locked.put(entry_of(record));
  return entry_for(as_locked, spec_, device) ? "" : "it was measured for other code";
}

std::vector<EarlierVariant> Ledger::earlier(const std::string& device) const {
  const auto file = cache::LockFile::read(lock_);
  return file ? earlier_variants(*file, spec_, unit_, store_, device) : std::vector<EarlierVariant>{};
}

std::optional<Record> Ledger::recorded(const std::string& device) const {
  const auto text = user_ ? user_->record(spec_.key) : std::nullopt;
  if (!text) return std::nullopt;
  auto record = parse_record(*text);
  if (!record || record->key.empty()) return std::nullopt;
  if (const std::string foreign = why_foreign(*record); !foreign.empty()) {
    user_->reject_record(spec_.key, *text, foreign);
    return std::nullopt;
  }
  if (!is_trusted(*text) || !why_unfit(*record, device).empty()) return std::nullopt;
  return std::move(*record);
}

Result<Record> Ledger::adopt(const std::string& text, const std::optional<std::string>& blob,
                             const std::string& device) {
  HONE_TRY(Record record, parse_record(text));
  if (blob) HONE_CHECK(keep_blob(*blob));
  std::string why = why_foreign(record);
  if (why.empty() && (record.signed_by.empty() || !is_trusted(text))) why = "no trusted key signed it";
  if (why.empty()) why = why_unfit(record, device);
  if (!why.empty()) return failure(std::move(why));
  if (user_) (void)user_->put_record(spec_.key, text);
  return record;
}

cache::LockEntry Ledger::entry_of(const Record& record) const {
  cache::LockEntry entry;
  entry.name = spec_.name;
  entry.file = project::file_in_lock(spec_.file, lock_);
  entry.key = spec_.key;
  entry.target = spec_.target;
  entry.compiled_with = compiled_with_;
  entry.build_target = unit_.settings.target;
  entry.measured_on = record.measured_on;
  entry.variant = record.variant;
  entry.signed_by = record.signed_by;
  entry.unconfirmed = record.unconfirmed();
  entry.unfinished = record.unfinished;
  entry.speedup = record.speedup.median;
  entry.speedup_low = record.speedup.low;
  entry.speedup_high = record.speedup.high;
  entry.evidence = record.evidence;
  if (record.final) take_machine(*record.final, entry);
  if (const Verdict* verdict = record.counting_verdict()) take_tried(*verdict, entry);
  return entry;
}

// What went into the key, so that one can say later what has changed. Nothing that is linked depends on it.
// C and C++ may include one header: its kernel is one of each, and neither is an earlier state of the other.
bool Ledger::is_of_other_language(const cache::LockEntry& entry) const {
  const auto text = entry.key_parts.empty() ? std::nullopt : store_.blob(entry.key_parts);
  const auto parts = text ? cache::read_key_parts(*text, entry.key) : std::nullopt;
  if (!parts) return false;
  const auto language = std::ranges::find(*parts, "language", &cache::KeyParts::value_type::first);
  const auto is_cxx = [](const std::string& standard) { return standard.find("++") != std::string::npos; };
  return language != parts->end() && is_cxx(language->second) != is_cxx(spec_.language);
}

void Ledger::put(cache::LockFile& file, cache::LockEntry entry) const {
  file.put(std::move(entry), [this](const cache::LockEntry& other) { return is_of_other_language(other); });
}

cache::Digest Ledger::keep_key_parts() const {
  cache::KeyParts parts;
  for (const KeyField& field : spec_.key_fields) parts.emplace_back(field.name, field.value);
  const auto text = cache::key_of(parts) == spec_.key ? cache::key_parts_text(parts) : std::nullopt;
  if (!text) return "";
  cache::Store project({{project_store(lock_), true}}, [](const std::string&) {});
  if (user_) (void)cache::Store(*user_).put_blob(*text);
  return project.put_blob(*text).value_or("");
}

Result<void> Ledger::restore(const cache::LockEntry& entry) {
  return entry.variant ? store_.promote(*entry.variant) : Result<void>{};
}

Result<void> Ledger::lock_as_finished(cache::LockEntry entry) const {
  entry.unfinished = false;
  return cache::LockFile::update(lock_, [&](cache::LockFile& file) { put(file, entry); });
}

void Ledger::renew_record(const cache::LockEntry& renewed, const Renewal& renewal) const {
  auto record = recorded();
  if (!user_ || !record || record->variant != renewed.variant) return;
  record->final = renewal.verdict;
  record->speedup = renewal.verdict.measurement.speedup;
  record->evidence = renewed.evidence;
  record->compiler = renewal.compiler;
  record->device = renewal.device;
  record->executor = renewal.executor;
  (void)cache::Store(*user_).put_record(spec_.key, to_json(*record));  // the lock file is what counts
}

Result<bool> Ledger::renew(const cache::LockEntry& verified, const Renewal& renewal) const {
  cache::LockEntry renewed = verified;
  take_figures(renewal.verdict, renewed);
  renewed.evidence = lock::evidence(renewal.verdict, spec_, renewal.compiler);
  renewed.unconfirmed = false;
  renewed.signed_by.clear();  // it was judged here
  take_machine(renewal.verdict, renewed);
  if (renewed.key_parts.empty()) renewed.key_parts = keep_key_parts();
  bool there = false;
  HONE_CHECK(cache::LockFile::update(lock_, [&](cache::LockFile& file) {
    for (const cache::LockEntry* entry : file.find_all(spec_.key)) there = there || *entry == verified;
    if (there) put(file, renewed);
  }));
  if (there) renew_record(renewed, renewal);
  return there;
}

Result<void> Ledger::lock(const Record& record) {
  return lock(record, keep_key_parts());
}

Result<void> Ledger::lock(const Record& record, const cache::Digest& key_parts) {
  if (record.variant) HONE_CHECK(store_.promote(*record.variant));
  cache::LockEntry entry = entry_of(record);
  entry.key_parts = key_parts;
  return cache::LockFile::update(lock_, [&](cache::LockFile& file) { put(file, entry); });
}

// The user's store is a cache: where it takes nothing (full, read-only, no home) the project's own still does.
Result<void> Ledger::keep_blob(const std::string& blob) {
  if (user_ && user_->put_blob(blob)) return {};
  cache::Store project({{project_store(lock_), true}}, [](const std::string&) {});
  HONE_TRY([[maybe_unused]] auto digest, project.put_blob(blob));
  return {};
}

Result<void> Ledger::keep(const Record& record, const std::string& source) {
  if (record.variant) HONE_CHECK(keep_blob(cache::bound_blob(source, spec_.key)));
  Record kept = record;
  kept.key_parts = keep_key_parts();
  const bool stored = user_ && (!record.variant || user_->blob(*record.variant));
  if (stored) (void)user_->put_record(spec_.key, to_json(kept));
  return lock(kept, kept.key_parts);
}

}  // namespace hone::lock
