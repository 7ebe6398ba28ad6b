// The store that a team shares, as a port: whoever can write to it is a stranger.
//
// What comes out of it is a claim. A blob is used only where a lock file names its digest (locked_blobs.h), or a record
// does that a trusted key signed (record_offers.h). The port itself checks nothing of what it brings.
//
// The first failure to be served is the last: from then on the store is left alone, and each call gives that same
// Error at once. One thread at a time.
#pragma once

#include <optional>
#include <string>

#include "cache/digest.h"
#include "tool/base/result.h"

namespace hone::shared {

enum class Kind { blob, record };

class SharedStore {
 public:
  virtual ~SharedStore() = default;
  virtual std::string place() const = 0;  // for messages; no secret is in it

  // nullopt: it has none of that name. Error: it does not serve us.
  virtual Result<std::optional<std::string>> get(Kind kind, const cache::Digest& name) = 0;
  virtual Result<void> put(Kind kind, const cache::Digest& name, const std::string& bytes) = 0;

  // Ends connections and threads, for a process that forks after this. The next call makes new ones.
  virtual void hang_up() {}
};

}  // namespace hone::shared
