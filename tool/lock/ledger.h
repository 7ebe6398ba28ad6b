// Where the results about one kernel are kept: the lock file, the project's store beside it, the user's store.
//
// Written in an order that leaves nothing dangling when the process dies: blob, what went into the key, record, the
// project's copy of the blob, the lock file. A lock entry counts as known only while it is what was sealed, its blob
// can be read, names the same key and fits the file (why_not_here()). A record that is another key's, kernel's or
// target's is set aside, with a warning: what is locked from it is not verified again. Not thread-safe; other processes
// may write the same files.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "cache/lock_file.h"
#include "cache/store.h"
#include "tool/base/result.h"
#include "tool/lock/earlier_variants.h"
#include "tool/lock/record.h"
#include "tool/model/kernel_spec.h"
#include "tool/project/project.h"

namespace hone::lock {

// `hone/` beside the lock file.
std::filesystem::path project_store(const std::filesystem::path& lock);

// The project's level, then the user's. A user without a home has the project's alone.
cache::Store reading_store(const std::filesystem::path& lock, cache::Store::Warn warn);

class Ledger {
 public:
  Ledger(const KernelSpec& spec, const project::ProjectUnit& unit, cache::Store::Warn warn);

  // The lock file's entry for this key and the code that `device` runs (measured_entries.h), if its variant is there
  // too. One that was locked on the word of a key that is trusted no more is unconfirmed. Error: the lock file is
  // broken.
  Result<std::optional<cache::LockEntry>> locked(const std::string& device = {}) const;

  // The text of that variant; nullopt: it cannot be read.
  std::optional<std::string> source(const cache::Digest& variant) const;

  // What is locked for the kernel under other keys (earlier_variants.h). Empty where the lock file is broken.
  std::vector<EarlierVariant> earlier(const std::string& device = {}) const;

  // What an earlier search recorded for the same request, if its variant is there too; keep() has yet to lock it. The
  // user's store alone is asked: what a branch brings as a record was judged by nobody here. One that came from
  // elsewhere counts while the project trusts the key that signed it.
  std::optional<Record> recorded(const std::string& device = {}) const;

  // Puts what somebody else recorded for the same request into the user's store: a record as it was sent, signed by a
  // key that the project trusts, and its variant's blob. Error: it is not this kernel's, or does not fit its file.
  Result<Record> adopt(const std::string& record, const std::optional<std::string>& blob,
                       const std::string& device = {});

  // Puts a locked variant into the project's store where only another has it, or has it whole.
  Result<void> restore(const cache::LockEntry& entry);

  // The search that locked the entry has come to its end.
  Result<void> lock_as_finished(cache::LockEntry entry) const;

  // A locked variant was judged anew: its figure and its evidence take the place of the entry's, and of the record's
  // where this machine has that. False: the entry is not what was verified any more, and stays as it is.
  struct Renewal {
    const Verdict& verdict;
    std::string compiler, device, executor;
  };
  Result<bool> renew(const cache::LockEntry& verified, const Renewal& renewal) const;

  // Locks what the store has.
  Result<void> lock(const Record& record);
  // Stores the variant's source with its key (none: the original is kept) and the record, whose `variant` is the digest
  // of that (cache/bound_source.h), then locks.
  Result<void> keep(const Record& record, const std::string& source);

 private:
  cache::LockEntry entry_of(const Record& record) const;
  void put(cache::LockFile& file, cache::LockEntry entry) const;
  bool is_of_other_language(const cache::LockEntry& entry) const;
  cache::Digest keep_key_parts() const;
  Result<void> lock(const Record& record, const cache::Digest& key_parts);
  void renew_record(const cache::LockEntry& renewed, const Renewal& renewal) const;
  std::string why_foreign(const Record& record) const;
  std::string why_unfit(const Record& record, const std::string& device) const;
  bool is_trusted(const std::string& record) const;
  Result<void> keep_blob(const std::string& blob);
  bool is_usable(const std::optional<cache::Digest>& variant) const;

  const KernelSpec& spec_;
  std::filesystem::path lock_;
  const project::ProjectUnit unit_;
  std::string compiled_with_;
  cache::Store store_;
  std::optional<cache::Store> user_;
};

}  // namespace hone::lock
