// What binds an entry of the lock file to itself: which kernel, which key, which variant.
//
// A merge of two branches may keep the key of one and the variant of the other; both are whole, and the pair is wrong.
// A seal is a digest over all that must belong together. It guards against mixing, not against forging: whoever can
// write the lock file can seal what he likes. Pure.
//
// A sum beside it is over the rest of the entry (decision 92).
#pragma once

#include <string>

#include "cache/digest.h"
#include "cache/lock_file.h"

namespace hone::cache {

// Over name, file, key, target, measured_on and variant; what it was compiled with, where the entry says that.
Digest seal_of(const LockEntry& entry);

// Over all other members that this version knows, which the seal leaves out since they change without it: evidence and
// figures. The first digits are those of the seal, so that a sum which an older Hone carried on to another variant is
// known for what it is.
std::string sum_of(const LockEntry& entry);

// Is there a sum of this seal, and is it not that of what the entry says?
bool has_other_sum(const LockEntry& entry);

}  // namespace hone::cache
