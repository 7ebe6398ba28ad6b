// Content-addressed storage in folders: cas/<sha256> immutable blobs, ac/<request key> small JSON records that name
// them. A record's file ends in the digest of the rest (checked_record.h), which is neither given here nor got.
//
// A reader needs no lock; a writer stages, fsyncs and renames. Every read checks the digest: a corrupt entry is a miss,
// reported once through `warn` and set aside (renamed to *.corrupt); a blob that a later level has whole is repaired
// from there. What cannot be read is a miss that stays in its place. A level that cannot be written (read-only, full)
// is a warning, never an error, while a later one can. Levels are asked in order; a hit in a later level is else not
// copied up unless promote() is called. Thread-safe; several processes may share the folders. store_folder.h has the
// layout.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cache/digest.h"
#include "tool/base/result.h"

namespace hone::cache {

// $XDG_CACHE_HOME/hone, else ~/.cache/hone, else Error.
Result<std::filesystem::path> user_folder();

class Store {
 public:
  struct Level {
    std::filesystem::path folder;
    bool writable = true;        // false: only ever read
    bool only_promoted = false;  // put_blob and put_record pass it by; promote() alone writes there
  };
  using Warn = std::function<void(const std::string&)>;  // called by one thread at a time, once for each message

  Store(std::vector<Level> levels, Warn warn);

  // What stands behind all levels, further away: it is asked for a blob that none of them has. What it gives is checked
  // as any other, and kept in the writable levels; where none takes it, it is used all the same. It need not be
  // thread-safe, if the store is used by one thread.
  using Behind = std::function<std::optional<std::string>(const Digest&)>;
  void set_behind(Behind behind) { behind_ = std::move(behind); }

  std::optional<std::string> blob(const Digest& digest) const;         // bytes, checked; nullopt: a miss
  Result<Digest> put_blob(std::string_view bytes);                     // into every writable level; Error: none took it
  std::optional<std::string> record(const Digest& request_key) const;  // JSON text, parsed once to see that it is whole
  Result<void> put_record(const Digest& request_key, std::string_view json);

  // Sets a record aside that is whole and yet not the key's, with a warning, wherever its text is `json`.
  void reject_record(const Digest& request_key, const std::string& json, const std::string& why) const;

  // Puts the blob into the project's level (level 0), where it is committed. Used when a variant is locked.
  Result<void> promote(const Digest& digest);

  // What a level holds. `bytes` counts all four.
  struct Stats {
    std::filesystem::path folder;
    std::size_t blobs = 0, records = 0, corrupt = 0, temporaries = 0;
    std::uintmax_t bytes = 0;
  };
  std::vector<Stats> stats() const;  // one for each level

  // Reads everything. What is corrupt is set aside where the level is writable, and listed.
  struct Fault {
    std::filesystem::path path;
    std::string what;
  };
  std::vector<Fault> verify() const;

  // Removes from one level what was set aside, what killed writers left, and then the least recently used blobs and
  // records until at most max_bytes are left. What is used meanwhile stays. One pruning of a folder at a time; readers
  // and writers need not care.
  //
  // Times are the file system's, as `now` is: over NFS another machine keeps them. A time that is further ahead than
  // temporary_age was written while a clock was wrong and says nothing. The entry then counts as used now, and is
  // marked so; a staged file counts as left. What has a time long past goes first, however it came by it.
  struct PruneOptions {
    std::uintmax_t max_bytes = std::uintmax_t{1} << 30;
    std::chrono::seconds temporary_age{3600};  // staged files that are younger may belong to a writer at work
    std::optional<std::chrono::system_clock::time_point> now;  // nullopt: by the clock of the store's file system
  };
  struct Pruned {
    std::size_t files = 0;
    std::uintmax_t bytes = 0;
    std::uintmax_t bytes_left = 0;
  };
  Result<Pruned> prune(std::size_t level, const PruneOptions& options) const;

 private:
  class Warnings;

  std::optional<std::string> from_behind(const Digest& digest) const;
  std::optional<std::string> find(bool record, const std::string& name) const;
  Result<void> put(bool record, const std::string& name, std::string_view bytes) const;
  void set_aside(const Level& level, bool record, const std::string& name, const std::string& why,
                 const std::optional<std::string>& rejected = {}) const;
  void leave_out(const Level& level, bool record, const std::string& name, const std::string& why) const;
  void repair(const Level& level, const Digest& digest, std::string_view bytes, const std::string& why) const;

  std::vector<Level> levels_;
  Behind behind_;
  std::shared_ptr<Warnings> warnings_;
};

}  // namespace hone::cache
