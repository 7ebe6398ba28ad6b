// The little that the judge and the compiler have to know of a shared object's file, or a device's.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tool/base/result.h"

namespace hone {

// The libraries that it names as needed (DT_NEEDED), in order. Empty for what is not a 64-bit ELF file of this
// machine's byte order: every offset is checked.
std::vector<std::string> needed_libraries(std::string_view object);

// The symbols that it takes from others, without their versions.
std::vector<std::string> imported_symbols(std::string_view object);

// A part of the file, whole within it. Those without bytes there are left out.
struct ElfSection {
  std::string name;
  std::uint32_t type = 0;
  std::uint64_t address = 0;  // where it is loaded
  std::uint64_t offset = 0, size = 0;
};
std::vector<ElfSection> elf_sections(std::string_view object);

struct ElfSymbol {
  std::string name;
  unsigned char type = 0;   // STT_FUNC, STT_OBJECT
  unsigned char other = 0;  // st_other
};
// The symbols that the file itself defines.
std::vector<ElfSymbol> defined_symbols(std::string_view object);

struct ElfNote {
  std::string_view owner;
  std::uint32_t type = 0;
  std::string_view description;
};
// Of sections; of segments where the file has no section headers. The views point into the object. A note that does
// not end within its section ends the notes there. Error: it is no 64-bit ELF file of this machine's byte
// order, or is cut short.
Result<std::vector<ElfNote>> elf_notes(std::string_view object);

}  // namespace hone
