// What a project's store holds for nothing: variants that were replaced, and whose digest no lock file names any more.
//
// A lock file beside another shares its folder hone/, under whatever name. So a blob counts as named where any file
// beside the lock file that speaks of "kernels" has its digest in its text: a second lock file, one that a merge has
// left half done, a backup.
// Never says that of what Hone did not write (another name, other bytes than the name promises, a link), nor of what is
// younger than `grace`: a tuning at work stores a variant first and names it then.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <vector>

#include "cache/store_folder.h"
#include "tool/base/result.h"

namespace hone::cache {

struct UnnamedBlobs {
  std::vector<StoreFolder::Entry> unnamed;  // by name
  std::size_t named = 0, young = 0, foreign = 0;
};

// Of the store at `folder`, which belongs to `lock`. Error: the lock file is missing or broken, or a file beside it
// cannot be read, so that nobody can say what is named.
Result<UnnamedBlobs> unnamed_blobs(const std::filesystem::path& folder, const std::filesystem::path& lock,
                                   std::chrono::system_clock::time_point now,
                                   std::chrono::seconds grace = std::chrono::minutes(1));

}  // namespace hone::cache
