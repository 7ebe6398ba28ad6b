// A compiler's object before it is linked: sections, symbols and what the linker is to fill in.
//
// Of a 64-bit ELF file of this machine's byte order (ET_REL or ET_DYN); everything is bounds-checked, since a candidate
// may have had a say in it. Views point into the bytes, which must outlive it. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace hone::compile {

struct ObjectSection {
  std::string_view name;
  std::uint32_t type = 0;
  std::uint64_t flags = 0;
  std::uint64_t size = 0;
  std::string_view bytes;  // empty where the file has none (.bss)
};

struct ObjectSymbol {
  std::string_view name;  // of a section's own symbol: ""
  unsigned char type = 0, binding = 0;
  unsigned section = 0;  // SHN_UNDEF, SHN_ABS, SHN_COMMON or an index into sections
  std::uint64_t value = 0, size = 0;
};

struct ObjectRelocation {
  std::uint64_t offset = 0;
  std::uint32_t type = 0;
  std::uint32_t symbol = 0;  // index into symbols
  std::int64_t addend = 0;
};

struct ObjectFile {
  bool relocatable = false;  // what a compiler writes; else a shared object
  std::vector<ObjectSection> sections;
  std::vector<ObjectSymbol> symbols;                       // of .symtab, in its order
  std::vector<std::vector<ObjectRelocation>> relocations;  // for each section, by offset

  static std::optional<ObjectFile> read(std::string_view bytes);
};

}  // namespace hone::compile
