// Content-addressed storage in folders: cas/<sha256> immutable blobs, ac/<request key> small JSON records that name them.
//
// A reader needs no lock; a writer stages, fsyncs and renames. Every read checks the digest: a corrupt entry is a miss,
// reported once through `warn` and set aside (renamed to *.corrupt). A level that cannot be written (read-only, full) is
// a warning, never an error, while a later one can. Levels are asked in order; a hit in a later level is not copied up
// unless promote() is called. Thread-safe; several processes may share the folders.
#pragma once

#include <filesystem>
#include <functional>
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
    bool writable = true;  // false: only ever read
  };
  using Warn = std::function<void(const std::string&)>;

  Store(std::vector<Level> levels, Warn warn);

  std::optional<std::string> blob(const Digest& digest) const;            // bytes, checked; nullopt: a miss
  Result<Digest> put_blob(std::string_view bytes);                        // into every writable level; Error: none took it
  std::optional<std::string> record(const Digest& request_key) const;     // JSON text, parsed once to see that it is whole
  Result<void> put_record(const Digest& request_key, std::string_view json);

  // Puts the blob into the project's level (level 0), where it is committed. Used when a variant is locked.
  Result<void> promote(const Digest& digest);

 private:
  std::vector<Level> levels_;
  Warn warn_;
};

}  // namespace hone::cache
