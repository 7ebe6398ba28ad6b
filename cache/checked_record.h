// A record as a store's folder keeps it: with the digest of its other bytes as its last member.
//
//   {
//    "record": 1,
//    …                                       as it was given, byte for byte
//    "digest": "<64 hex>"
//   }
//
// A blob is named by its digest, and a signature covers a record from elsewhere. A record that was judged here had
// neither, so a flipped digit of its speedup was believed. The member has one spelling, of one length, as a signature
// has (tool/trust/signed_record.h). Records of before have none and are read as they are. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace hone::cache {

// As it is where a signature is its last member, or where it is not laid out as Hone writes records.
std::string with_digest(std::string_view record);

// What was given. nullopt: it has a digest, and that is of other bytes.
std::optional<std::string> without_digest(std::string_view stored);

}  // namespace hone::cache
