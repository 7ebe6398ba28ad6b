// What earlier searches made faster, as pairs of texts: for the prompts of a search with a language model.
//
// A pair's winner is what its lock entry or record names, its original what went into the request key
// (cache/key_parts.h): both blobs prove themselves, and an entry or record that misses one of them is left out. Only
// what was measured afresh counts. Reads; changes nothing, warns of nothing.
#pragma once

#include <filesystem>
#include <vector>

#include "cache/store.h"
#include "tool/search/verified_pair.h"

namespace hone::lock {

// Of the project: what its lock file has, whatever state of a kernel it is of. Empty where that is broken.
std::vector<search::VerifiedPair> pairs_of_project(const std::filesystem::path& lock);

// Of a user's store, whichever projects they come from; of more than `most` records those whose keys sort first.
std::vector<search::VerifiedPair> pairs_in_store(const std::filesystem::path& store, std::size_t most = 1000);

}  // namespace hone::lock
