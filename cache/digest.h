// SHA-256, as 64 lower-case hex digits.
#pragma once

#include <string>
#include <string_view>

namespace hone::cache {

using Digest = std::string;

Digest sha256(std::string_view bytes);
bool is_digest(std::string_view text);  // 64 lower-case hex digits

}  // namespace hone::cache
