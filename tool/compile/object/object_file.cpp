#include "tool/compile/object/object_file.h"

#include <elf.h>

#include <algorithm>
#include <cstring>

namespace hone::compile {
namespace {

class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}

  bool run(ObjectFile& file) {
    const auto header = at<Elf64_Ehdr>(0);
    if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_ident[EI_CLASS] != ELFCLASS64 ||
        header->e_ident[EI_DATA] != ELFDATA2LSB || header->e_shentsize != sizeof(Elf64_Shdr))
      return false;
    file.relocatable = header->e_type == ET_REL;
    return read_headers(*header) && take_sections(file) && take_symbols(file) && take_relocations(file);
  }

 private:
  template <class T>
  std::optional<T> at(std::uint64_t offset) const {
    if (offset > bytes_.size() || sizeof(T) > bytes_.size() - offset) return std::nullopt;
    T value;
    std::memcpy(&value, bytes_.data() + offset, sizeof value);
    return value;
  }

  // "" where it does not end within the table.
  static std::string_view text_at(std::string_view table, std::uint64_t offset) {
    if (offset >= table.size()) return {};
    table.remove_prefix(offset);
    const std::size_t end = table.find('\0');
    return end == table.npos ? std::string_view() : table.substr(0, end);
  }

  std::optional<std::string_view> bytes_of(const Elf64_Shdr& section) const {
    if (section.sh_type == SHT_NOBITS || section.sh_type == SHT_NULL) return std::string_view();
    if (section.sh_offset > bytes_.size() || section.sh_size > bytes_.size() - section.sh_offset) return std::nullopt;
    return bytes_.substr(section.sh_offset, section.sh_size);
  }

  // The first header has the number of them where that does not fit into the file's.
  bool read_headers(const Elf64_Ehdr& header) {
    const auto first = at<Elf64_Shdr>(header.e_shoff);
    if (!first) return false;
    const std::uint64_t count = header.e_shnum != 0 ? header.e_shnum : first->sh_size;
    names_ = header.e_shstrndx != SHN_XINDEX ? header.e_shstrndx : first->sh_link;
    if (count > bytes_.size() / sizeof(Elf64_Shdr) || names_ >= count) return false;
    for (std::uint64_t i = 0; i < count; ++i) {
      const auto section = at<Elf64_Shdr>(header.e_shoff + i * sizeof(Elf64_Shdr));
      if (!section) return false;
      headers_.push_back(*section);
    }
    return true;
  }

  bool take_sections(ObjectFile& file) const {
    const auto names = bytes_of(headers_[names_]);
    if (!names) return false;
    for (const Elf64_Shdr& header : headers_) {
      const auto bytes = bytes_of(header);
      if (!bytes) return false;
      file.sections.push_back(
          {text_at(*names, header.sh_name), header.sh_type, header.sh_flags, header.sh_size, *bytes});
    }
    return true;
  }

  bool take_symbols(ObjectFile& file) const {
    for (std::size_t i = 0; i < headers_.size(); ++i) {
      if (headers_[i].sh_type != SHT_SYMTAB) continue;
      const std::uint64_t link = headers_[i].sh_link;
      if (link >= headers_.size()) return false;
      const std::string_view names = file.sections[link].bytes, table = file.sections[i].bytes;
      for (std::size_t at = 0; at + sizeof(Elf64_Sym) <= table.size(); at += sizeof(Elf64_Sym)) {
        Elf64_Sym symbol;
        std::memcpy(&symbol, table.data() + at, sizeof symbol);
        if (symbol.st_shndx == SHN_XINDEX) return false;
        file.symbols.push_back({text_at(names, symbol.st_name),
                                static_cast<unsigned char>(ELF64_ST_TYPE(symbol.st_info)),
                                static_cast<unsigned char>(ELF64_ST_BIND(symbol.st_info)), symbol.st_shndx,
                                symbol.st_value, symbol.st_size});
      }
    }
    return true;
  }

  bool take_relocations(ObjectFile& file) const {
    file.relocations.resize(headers_.size());
    for (std::size_t i = 0; file.relocatable && i < headers_.size(); ++i) {
      if (headers_[i].sh_type != SHT_RELA) continue;
      if (headers_[i].sh_info >= headers_.size()) return false;
      auto& found = file.relocations[headers_[i].sh_info];
      const std::string_view table = file.sections[i].bytes;
      for (std::size_t at = 0; at + sizeof(Elf64_Rela) <= table.size(); at += sizeof(Elf64_Rela)) {
        Elf64_Rela entry;
        std::memcpy(&entry, table.data() + at, sizeof entry);
        if (ELF64_R_SYM(entry.r_info) >= file.symbols.size()) return false;
        found.push_back({entry.r_offset, static_cast<std::uint32_t>(ELF64_R_TYPE(entry.r_info)),
                         static_cast<std::uint32_t>(ELF64_R_SYM(entry.r_info)), entry.r_addend});
      }
      std::ranges::stable_sort(found, {}, &ObjectRelocation::offset);
    }
    return true;
  }

  std::string_view bytes_;
  std::vector<Elf64_Shdr> headers_;
  std::uint64_t names_ = 0;
};

}  // namespace

std::optional<ObjectFile> ObjectFile::read(std::string_view bytes) {
  ObjectFile file;
  return Reader(bytes).run(file) ? std::optional(std::move(file)) : std::nullopt;
}

}  // namespace hone::compile
