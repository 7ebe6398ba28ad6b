// What went into a request key, kept as a blob beside the variants: once the key no longer fits, one can say why.
//
//   { "key": "<64 hex>", "parts": [
//   ["schema", "3"],
//   ["definition", "void blur3x3 ( …"],
//   … ] }
//
// Names and values as they were hashed, in their order, so that the blob proves itself: it is believed only where its
// parts give the key. It has no places, paths or dates. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cache/digest.h"

namespace hone::cache {

using KeyParts = std::vector<std::pair<std::string, std::string>>;  // name, value

Digest key_of(const KeyParts& parts);

// nullopt: they are not worth keeping (over 256 KiB), or cannot be (no UTF-8).
std::optional<std::string> key_parts_text(const KeyParts& parts);

// nullopt: the text is not what went into `key`.
std::optional<KeyParts> read_key_parts(std::string_view text, const Digest& key);

}  // namespace hone::cache
