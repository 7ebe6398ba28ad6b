#include "tool/base/elf.h"

#include <elf.h>

#include <algorithm>
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

// How many sections there are: where that does not fit into the header, the first of them has it.
std::uint64_t section_count(std::string_view object, const Elf64_Ehdr& header) {
  if (header.e_shnum != 0 || header.e_shoff == 0) return header.e_shnum;
  const auto first = read_section(object, header, 0);
  return first ? first->sh_size : 0;
}

constexpr std::uint64_t up_to(std::uint64_t size, std::uint64_t alignment) {
  return (size + alignment - 1) / alignment * alignment;
}

void add_notes(std::string_view bytes, std::uint64_t alignment, std::vector<ElfNote>& notes) {
  alignment = alignment == 8 ? 8 : 4;
  while (const auto head = read_at<Elf64_Nhdr>(bytes, 0)) {
    const std::uint64_t description = up_to(sizeof *head + head->n_namesz, alignment);
    if (description > bytes.size() || head->n_descsz > bytes.size() - description) return;
    const std::string_view owner = bytes.substr(sizeof *head, head->n_namesz);
    notes.push_back({owner.substr(0, owner.find('\0')), head->n_type, bytes.substr(description, head->n_descsz)});
    bytes.remove_prefix(std::min<std::uint64_t>(bytes.size(), up_to(description + head->n_descsz, alignment)));
  }
}

std::optional<std::string_view> part_of(std::string_view object, std::uint64_t offset, std::uint64_t size) {
  if (offset > object.size() || size > object.size() - offset) return std::nullopt;
  return object.substr(offset, size);
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

Result<std::vector<ElfNote>> elf_notes(std::string_view object) {
  const auto short_file = [] { return failure("it is an ELF file that is cut short"); };
  if (!object.starts_with("\x7f"
                          "ELF"))
    return failure("it is no ELF file");
  const auto header = read_header(object);
  if (object.size() > EI_CLASS && object[EI_CLASS] != ELFCLASS64) return failure("it is no 64-bit ELF file");
  if (!header) return short_file();
  if (header->e_ident[EI_DATA] != ELFDATA2LSB) return failure("its byte order is not this machine's");
  std::vector<ElfNote> notes;
  const std::uint64_t count = section_count(object, *header);
  for (std::uint64_t at = 0; at < count; ++at) {
    const auto section = read_section(object, *header, at);
    if (!section) return short_file();
    if (section->sh_type != SHT_NOTE) continue;
    const auto bytes = part_of(object, section->sh_offset, section->sh_size);
    if (!bytes) return short_file();
    add_notes(*bytes, section->sh_addralign, notes);
  }
  for (std::uint64_t at = 0; count == 0 && at < header->e_phnum; ++at) {
    const auto segment = read_at<Elf64_Phdr>(object, header->e_phoff + at * sizeof(Elf64_Phdr));
    if (!segment) return short_file();
    if (segment->p_type != PT_NOTE) continue;
    const auto bytes = part_of(object, segment->p_offset, segment->p_filesz);
    if (!bytes) return short_file();
    add_notes(*bytes, segment->p_align, notes);
  }
  return notes;
}

}  // namespace hone
