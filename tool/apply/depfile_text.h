// The make rules that a compiler writes beside an object (-MD), put right after a compile of a shadow unit.
//
// The shadow's name gives way to the original's, and the first rule gains what the object depends on besides: the lock
// file, the settings, the variants. All else stays byte for byte. Escapes are those of GCC and Clang: `\ `, `\#`, `$$`.
// Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hone::apply {

struct DepfileChange {
  std::string shadow;  // "": no name to replace
  std::string original;
  std::vector<std::string> further;  // prerequisites to add
  bool phony = false;                // an empty rule for each, as -MP makes
  std::vector<std::string> absent;   // names that are no files: nvcc takes those of line directives for prerequisites
};

// Text without any rule comes back as it is.
std::string changed_depfile(std::string_view text, const DepfileChange& change);

// A file name as it stands in a rule.
std::string depfile_name(std::string_view path);

}  // namespace hone::apply
