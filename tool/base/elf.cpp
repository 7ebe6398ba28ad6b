#include "tool/base/elf.h"

#include <elf.h>

#include <cstdint>
#include <cstring>
#include <optional>

namespace hone {
namespace {

template <class T>
std::optional<T> read_at(std::string_view object, std::uint64_t offset) {
  if (offset > object.size() || sizeof(T) > object.size() - offset) return std::nullopt;
  T value;
  std::memcpy(&value, object.data() + offset, sizeof value);
  return value;
}

std::string text_at(std::string_view object, std::uint64_t offset) {
  if (offset >= object.size()) return "";
  object.remove_prefix(offset);
  return std::string(object.substr(0, object.find('\0')));
}

// A section of entries, found by its header, and its string table.
struct Table {
  Elf64_Shdr section;
  std::uint64_t strings = 0;
};

std::optional<Elf64_Ehdr> read_header(std::string_view object) {
  const auto header = read_at<Elf64_Ehdr>(object, 0);
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_ident[EI_CLASS] != ELFCLASS64)
    return std::nullopt;
  return header;
}

std::optional<Elf64_Shdr> read_section(std::string_view object, const Elf64_Ehdr& header, std::uint64_t i) {
  return read_at<Elf64_Shdr>(object, header.e_shoff + i * sizeof(Elf64_Shdr));
}

std::optional<Table> find_table(std::string_view object, Elf64_Word type) {
  const auto header = read_header(object);
  if (!header) return std::nullopt;
  for (unsigned i = 0; i < header->e_shnum; ++i) {
    const auto found = read_section(object, *header, i);
    if (!found || found->sh_type != type) continue;
    const auto strings = read_section(object, *header, found->sh_link);
    if (!strings) return std::nullopt;
    return Table{*found, strings->sh_offset};
  }
  return std::nullopt;
}

// Calls `take` for each of the table's entries, in order, until it returns false.
template <class Entry, class Take>
void for_each(std::string_view object, const Table& table, const Take& take) {
  for (std::uint64_t at = 0; at + sizeof(Entry) <= table.section.sh_size; at += sizeof(Entry)) {
    const auto entry = read_at<Entry>(object, table.section.sh_offset + at);
    if (!entry || !take(*entry)) return;
  }
}

}  // namespace

std::vector<std::string> needed_libraries(std::string_view object) {
  std::vector<std::string> names;
  const auto table = find_table(object, SHT_DYNAMIC);
  if (!table) return names;
  for_each<Elf64_Dyn>(object, *table, [&](const Elf64_Dyn& entry) {
    if (entry.d_tag == DT_NEEDED) names.push_back(text_at(object, table->strings + entry.d_un.d_val));
    return entry.d_tag != DT_NULL;
  });
  return names;
}

std::vector<std::string> imported_symbols(std::string_view object) {
  std::vector<std::string> names;
  const auto table = find_table(object, SHT_DYNSYM);
  if (!table) return names;
  for_each<Elf64_Sym>(object, *table, [&](const Elf64_Sym& symbol) {
    if (symbol.st_shndx == SHN_UNDEF && symbol.st_name != 0)
      names.push_back(text_at(object, table->strings + symbol.st_name));
    return true;
  });
  return names;
}

std::vector<ElfSection> elf_sections(std::string_view object) {
  std::vector<ElfSection> sections;
  const auto header = read_header(object);
  const auto names = header ? read_section(object, *header, header->e_shstrndx) : std::nullopt;
  for (unsigned i = 0; names && i < header->e_shnum; ++i) {
    const auto section = read_section(object, *header, i);
    if (!section || section->sh_type == SHT_NOBITS || section->sh_type == SHT_NULL) continue;
    if (section->sh_offset > object.size() || section->sh_size > object.size() - section->sh_offset) continue;
    sections.push_back({text_at(object, names->sh_offset + section->sh_name), section->sh_type, section->sh_addr,
                        section->sh_offset, section->sh_size});
  }
  return sections;
}

std::vector<ElfSymbol> defined_symbols(std::string_view object) {
  std::vector<ElfSymbol> symbols;
  const auto table = find_table(object, SHT_SYMTAB);
  if (!table) return symbols;
  for_each<Elf64_Sym>(object, *table, [&](const Elf64_Sym& symbol) {
    if (symbol.st_shndx != SHN_UNDEF && symbol.st_name != 0)
      symbols.push_back({text_at(object, table->strings + symbol.st_name),
                         static_cast<unsigned char>(ELF64_ST_TYPE(symbol.st_info)), symbol.st_other});
    return true;
  });
  return symbols;
}

}  // namespace hone
