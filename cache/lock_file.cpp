#include "cache/lock_file.h"

#include <algorithm>
#include <system_error>
#include <tuple>
#include <utility>

#include "cache/four_digits.h"
#include "cache/replaced_file_lock.h"
#include "cache/seal.h"
#include "cache/target_fit.h"
#include "tool/command/cuda_architecture.h"
#include "tool/diagnostics/coded_failure.h"
#include "tool/os/files/files.h"

namespace hone::cache {
namespace fs = std::filesystem;
namespace {

constexpr std::uintmax_t kMaxBytes = std::uintmax_t{64} << 20;

// Are both entries about one family's code? An entry that does not say where it was measured gives way to any.
bool says_the_same(const LockEntry& old, const LockEntry& entry) {
  return old.measured_on.empty() || code_families(entry.target).size() < 2 ||
         code_family(old.target, old.measured_on) == code_family(entry.target, entry.measured_on);
}

// Is `old` about the same build of a kernel as `entry`, of another text or other flags?
bool gives_way(const LockEntry& old, const LockEntry& entry) {
  const TargetFit fit = target_fit(old, {entry.target, entry.compiled_with});
  return (fit == TargetFit::exact || (fit == TargetFit::same_features && old.compiled_with.empty())) &&
         (old.build_target.empty() || old.build_target == entry.build_target);
}

}  // namespace

Result<LockFile> LockFile::read(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found) return LockFile{};
  if (fs::exists(status) && !fs::is_regular_file(status))
    return coded_failure(DiagnosticCode::lock_damaged, "the lock file is not a regular file", path.string());
  if (fs::file_size(path, error) > kMaxBytes && !error)
    return coded_failure(DiagnosticCode::lock_damaged, "the lock file is larger than 64 MiB", path.string());
  HONE_TRY(const std::string text, os::read_file(path));
  return parse(text, path.string());
}

const LockEntry* LockFile::find(const Digest& key) const {
  const auto found = std::find_if(entries.begin(), entries.end(), [&](const LockEntry& e) { return e.key == key; });
  return found == entries.end() ? nullptr : &*found;
}

std::vector<const LockEntry*> LockFile::find_all(const Digest& key) const {
  std::vector<const LockEntry*> found;
  for (const LockEntry& entry : entries)
    if (entry.key == key) found.push_back(&entry);
  return found;
}

std::vector<const LockEntry*> LockFile::find_others(const std::string& name, const std::string& file,
                                                    const Digest& key) const {
  std::vector<const LockEntry*> found;
  for (const LockEntry& entry : entries)
    if (entry.name == name && entry.file == file && entry.key != key) found.push_back(&entry);
  return found;
}

bool LockFile::is_sealed() const {
  return std::any_of(entries.begin(), entries.end(), [](const LockEntry& e) { return !e.seal.empty(); });
}

std::string LockFile::why_not(const LockEntry& entry) const {
  if (entry.seal.empty())
    return is_sealed()
               ? "its entry in the lock file has no seal, as the others have: an older Hone or a person wrote it"
               : "";
  if (entry.seal != seal_of(entry))
    return "its entry in the lock file does not fit its seal: key and variant are of two entries, as after a merge or "
           "an edit by hand";
  if (has_other_sum(entry))
    return "its entry in the lock file does not fit its sum: its evidence or its figures were damaged, or changed by "
           "hand";
  return "";
}

void LockFile::keep_broken_sums() {
  for (LockEntry& entry : entries) entry.sum.broken = has_other_sum(entry);
}

void LockFile::put(LockEntry entry, const std::function<bool(const LockEntry& other)>& stays) {
  if (!is_sealed())
    for (LockEntry& old : entries) old.seal = seal_of(old);
  for (double* value : {&entry.speedup, &entry.speedup_low, &entry.speedup_high}) *value = four_digits(*value);
  std::erase_if(entries, [&](const LockEntry& e) {
    const bool same_place = e.name == entry.name && e.file == entry.file;
    const bool same_key = e.key == entry.key;  // one key is of one target
    const bool replaced = same_place && (same_key ? e.target != entry.target || says_the_same(e, entry)
                                                  : gives_way(e, entry) && !(stays && stays(e)));
    if (replaced && same_key && !e.build_target.empty()) entry.build_target = e.build_target;
    if (replaced && entry.extra.empty()) entry.extra = e.extra;
    if (replaced && same_key) keep_figures(entry.held_on, e.held_on, entry.variant.value_or(""));
    return replaced;
  });
  entry.seal = seal_of(entry);
  entry.sum = {sum_of(entry)};
  const auto order = [](const LockEntry& a, const LockEntry& b) {
    return std::tie(a.name, a.file, a.target, a.compiled_with, a.key, a.measured_on) <
           std::tie(b.name, b.file, b.target, b.compiled_with, b.key, b.measured_on);
  };
  entries.insert(std::upper_bound(entries.begin(), entries.end(), entry, order), std::move(entry));
}

Result<void> LockFile::update(const fs::path& path, const std::function<void(LockFile&)>& change) {
  const auto cannot_write = [](const Error& error) {
    return coded_failure(DiagnosticCode::store_unwritable, "cannot write the lock file: " + error.what, error.where,
                         error.advice);
  };
  HONE_TRY(const fs::path file, followed_links(path));
  const auto lock = ReplacedFileLock::acquire(file, LockFile{}.text());
  if (!lock) return cannot_write(lock.error());
  HONE_TRY(LockFile content, read(file));
  content.keep_broken_sums();
  const std::string before = content.text();
  change(content);
  if (content.text() == before) return {};
  if (auto written = os::write_file_atomically(file, content.text()); !written) return cannot_write(written.error());
  return {};
}

}  // namespace hone::cache
