// One level of the store: a folder with cas/<sha256> and ac/<request key>.
//
//   cas/<64 hex>           blob; its name is the SHA-256 of its bytes
//   ac/<64 hex>            record; one whole JSON object, with a digest at its end (checked_record.h)
//   {cas,ac}/*.corrupt     set aside: did not hold what its name promises
//   {cas,ac}/.*.tmp        staged by a writer that is at work, or was killed
//
// Knows no other level and no policy. Anything else in the folder is left alone. Thread-safe (no state but the path).
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cache/digest.h"
#include "tool/base/result.h"

namespace hone::cache {

class StoreFolder {
 public:
  enum class Kind { blob, record, corrupt, temporary };

  struct Entry {
    Kind kind = Kind::blob;
    std::filesystem::path path;
    std::string name;  // the digest or key of a blob or record
    std::uintmax_t bytes = 0;
    std::int64_t accessed = 0, changed = 0;  // ns since the epoch, by whichever clock was there
  };

  // What read() finds: neither bytes nor trouble where no file is there. `trouble`: why the file is not to be used.
  // `corrupt`: it never will be; else it is only out of reach, and may be whole.
  struct Content {
    std::optional<std::string> bytes;
    std::string trouble;
    bool corrupt = false;
  };

  explicit StoreFolder(std::filesystem::path folder) : folder_(std::move(folder)) {}

  const std::filesystem::path& folder() const { return folder_; }
  std::filesystem::path path(Kind kind, const std::string& name) const;

  Content read(Kind kind, const std::string& name) const;  // blob or record, checked
  Result<void> write(Kind kind, const std::string& name, std::string_view bytes) const;
  // Only while the file does not hold what its name promises, or holds `rejected`: another process may have put a whole
  // one there. false: it stays, or the folder cannot be written.
  bool set_aside(Kind kind, const std::string& name, const std::optional<std::string>& rejected = {}) const;
  // For the least-recently-used order; may do nothing. false: the file is gone.
  bool mark_used(Kind kind, const std::string& name) const;

  std::vector<Entry> entries() const;

  // Removes what nobody has used since it was listed, whatever moment somebody does.
  enum class Removal { removed, used, gone };
  static Result<Removal> remove_unused(const Entry& listed);

  // "" or why these bytes are not a blob or record of that name.
  static std::string fault(Kind kind, const std::string& name, std::string_view bytes);

 private:
  std::filesystem::path folder_;
};

}  // namespace hone::cache
