// A request key: SHA-256 over named, length-prefixed fields, and the same fields for a person to read.
//
// Length prefixes keep ("ab","c") and ("a","bc") apart. Order matters. Nothing of the machine goes in by itself.
#pragma once

#include <string>
#include <string_view>

#include "cache/digest.h"

namespace hone::cache {

class KeyBuilder {
 public:
  void add(std::string_view name, std::string_view value);
  Digest key() const;
  const std::string& dump() const;  // "name: value" lines; a value of several lines is indented below its name

 private:
  std::string hashed_;
  std::string dump_;
};

}  // namespace hone::cache
