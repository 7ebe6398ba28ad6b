// A variant's source as the store keeps it: with the request key that it was judged under.
//
//   <the source, byte for byte>
//   <newline>// hone: a variant for the request key <64 hex><newline>
//
// The digest is of all of it, so that equal sources of two kernels are two blobs, and a blob says by itself what it may
// stand in for. Behind the source, so that lines keep their numbers. Hone 0.1 wrote sources alone. Pure.
#pragma once

#include <string>
#include <string_view>

#include "cache/digest.h"

namespace hone::cache {

struct BoundSource {
  std::string source;
  Digest key;  // "": the blob names none
};

std::string bound_blob(std::string_view source, const Digest& key);
BoundSource read_bound(std::string_view blob);

}  // namespace hone::cache
