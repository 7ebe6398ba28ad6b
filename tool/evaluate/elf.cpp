#include "tool/evaluate/elf.h"

#include <elf.h>

#include <cstring>
#include <optional>

namespace hone::evaluate {
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

// The dynamic section, found by its section header, and its string table.
std::vector<std::string> read_dynamic(std::string_view object, const Elf64_Ehdr& header, const Elf64_Shdr& dynamic) {
  std::vector<std::string> names;
  const auto strings =
      read_at<Elf64_Shdr>(object, header.e_shoff + std::uint64_t{dynamic.sh_link} * sizeof(Elf64_Shdr));
  if (!strings) return names;
  for (std::uint64_t at = 0; at + sizeof(Elf64_Dyn) <= dynamic.sh_size; at += sizeof(Elf64_Dyn)) {
    const auto entry = read_at<Elf64_Dyn>(object, dynamic.sh_offset + at);
    if (!entry || entry->d_tag == DT_NULL) break;
    if (entry->d_tag == DT_NEEDED) names.push_back(text_at(object, strings->sh_offset + entry->d_un.d_val));
  }
  return names;
}

}  // namespace

std::vector<std::string> needed_libraries(std::string_view object) {
  const auto header = read_at<Elf64_Ehdr>(object, 0);
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_ident[EI_CLASS] != ELFCLASS64)
    return {};
  for (unsigned i = 0; i < header->e_shnum; ++i) {
    const auto section = read_at<Elf64_Shdr>(object, header->e_shoff + std::uint64_t{i} * sizeof(Elf64_Shdr));
    if (section && section->sh_type == SHT_DYNAMIC) return read_dynamic(object, *header, *section);
  }
  return {};
}

}  // namespace hone::evaluate
