// The members of a static library, as `ar` writes it (System V and GNU, BSD's long names too).
//
// Everything is bounds-checked; views point into the bytes. Tables of symbols and names are left out. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tool/base/result.h"

namespace hone::linked {

bool is_archive(std::string_view bytes);

struct ArchiveMember {
  std::string name;
  std::string_view bytes;
};

// Error: it is cut short, or thin, so that it holds no members at all.
Result<std::vector<ArchiveMember>> archive_members(std::string_view bytes);

}  // namespace hone::linked
