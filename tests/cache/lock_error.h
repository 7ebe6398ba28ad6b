// What is wrong with a lock file's text; "" where it can be read.
#pragma once

#include <string>

#include "cache/lock_file.h"

namespace hone::cache {

inline std::string error_of(const std::string& text) {
  const auto file = LockFile::parse(text, "hone.lock");
  return file ? "" : file.error().message();
}

}  // namespace hone::cache
