// Why a kernel's request key is no longer the one that it was tuned under, in words and with the place.
//
// Compares what was hashed then (cache/key_parts.h) with what is hashed now. Places are those of the present text; what
// is gone has none. Pure.
#pragma once

#include <string>
#include <vector>

#include "cache/key_parts.h"
#include "tool/model/kernel_spec.h"

namespace hone::lock {

struct KeyChange {
  // kernel, helper, macro, annotation, flags, target, compiler, language, system, assertions, order, hone
  std::string what;
  std::string brief;   // "`clamp()` changed"
  std::string detail;  // "`255` became `254`"; "": there is no more to say
  std::string file;    // absolute; "": it has no place
  unsigned line = 0;
  bool operator==(const KeyChange&) const = default;
};

// In the order of the key's parts. Empty: nothing differs.
std::vector<KeyChange> key_changes(const cache::KeyParts& then, const std::vector<KeyField>& now);

// "`clamp()` changed (src/blur.cpp:12) and 2 more"; files are named as in a lock file that stands in `folder`.
std::string in_short(const std::vector<KeyChange>& changes, const std::string& folder);
// "`clamp()` changed (src/blur.cpp:12): `255` became `254`"
std::string in_words(const KeyChange& change, const std::string& folder);

}  // namespace hone::lock
