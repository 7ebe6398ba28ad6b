#include "tool/compile/object/loosened_object.h"

#include <elf.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "tool/compile/object/object_file.h"

namespace hone::compile {
namespace {

constexpr std::string_view kStartSections[] = {".init_array", ".preinit_array", ".ctors", ".fini_array", ".dtors"};

bool is_hook(std::string_view section) {
  for (const std::string_view hook : kStartSections)
    if (section == hook || (section.starts_with(hook) && section[hook.size()] == '.')) return true;
  return false;
}

// What the compiler takes from its own archive (__cpu_model, __muldc3), which gives no member for a weak name.
bool is_compilers(std::string_view name) {
  return name.starts_with("__") && !name.starts_with("__start_") && !name.starts_with("__stop_");
}

}  // namespace

std::string loosened(std::string object) {
  const auto file = ObjectFile::read(object);  // whose offsets are within the bytes then
  if (!file || !file->relocatable) return object;
  Elf64_Ehdr header;
  std::memcpy(&header, object.data(), sizeof header);
  for (std::size_t i = 0; i < file->sections.size(); ++i) {
    const std::size_t at = header.e_shoff + i * sizeof(Elf64_Shdr);
    Elf64_Shdr section;
    std::memcpy(&section, object.data() + at, sizeof section);
    if (is_hook(file->sections[i].name)) {
      section.sh_flags = (section.sh_flags | SHF_EXCLUDE) & ~std::uint64_t{SHF_ALLOC};  // linkers leave it out
      std::memcpy(object.data() + at, &section, sizeof section);
    }
    if (section.sh_type != SHT_SYMTAB) continue;
    std::size_t number = 0;  // an object has one such table
    for (std::size_t entry = section.sh_offset; entry + sizeof(Elf64_Sym) <= section.sh_offset + section.sh_size;
         entry += sizeof(Elf64_Sym), ++number) {
      Elf64_Sym symbol;
      std::memcpy(&symbol, object.data() + entry, sizeof symbol);
      if (symbol.st_shndx != SHN_UNDEF || ELF64_ST_BIND(symbol.st_info) != STB_GLOBAL) continue;
      if (number < file->symbols.size() && is_compilers(file->symbols[number].name)) continue;
      symbol.st_info = ELF64_ST_INFO(STB_WEAK, ELF64_ST_TYPE(symbol.st_info));
      std::memcpy(object.data() + entry, &symbol, sizeof symbol);
    }
  }
  return object;
}

}  // namespace hone::compile
