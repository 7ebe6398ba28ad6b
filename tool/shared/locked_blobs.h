// What a build may take out of a shared store: blobs that a lock file names, and nothing else.
//
// The lock file is reviewed with the commit; the store is anybody's. So a blob is asked for only where a whole entry
// names its digest, and taken only if its bytes have that digest and name that entry's request key. A record is never
// asked for: a build goes by no word but the commit's.
#pragma once

#include "cache/lock_file.h"
#include "cache/store.h"
#include "tool/shared/shared_store.h"

namespace hone::shared {

// To stand behind the levels of a store (cache::Store::set_behind). Each blob is asked for once, and `warn` hears of
// each trouble once. Borrows the lock file and the shared store.
cache::Store::Behind locked_blobs(const cache::LockFile& lock, SharedStore& store, cache::Store::Warn warn);

}  // namespace hone::shared
