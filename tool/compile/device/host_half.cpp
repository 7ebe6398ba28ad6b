#include "tool/compile/device/host_half.h"

#include <elf.h>

#include <algorithm>
#include <charconv>
#include <cstring>

#include <fmt/format.h>

#include "tool/base/elf.h"

namespace hone::compile {
namespace {

constexpr const char* room_name = ".hone_device_code";
constexpr std::size_t room_bytes = std::size_t{1} << 20;  // a kernel's images take 5 to 300 kB

const ElfSection* named(const std::vector<ElfSection>& sections, std::string_view name) {
  const auto found = std::ranges::find(sections, name, &ElfSection::name);
  return found == sections.end() ? nullptr : &*found;
}

bool is_relative(const Elf64_Rela& relocation) {
  const auto type = ELF64_R_TYPE(relocation.r_info);
  return type == R_X86_64_RELATIVE || type == R_AARCH64_RELATIVE;
}

bool holds(const ElfSection& section, std::uint64_t address) {
  return address >= section.address && address - section.address < section.size;
}

// A fat binary's record, as fatbinary_section.h has it. Where the host's compiler does not optimize, one more stands
// beside that of a unit, of version 2, for code that is linked on the device.
struct Record {
  std::uint32_t magic, version;
  std::uint64_t images, more;
};

bool is_record_of_unit(const std::string& object, const ElfSection& records, std::uint64_t address) {
  Record record;
  const std::uint64_t at = address - records.address;
  if (at % sizeof record != 0 || at > records.size || records.size - at < sizeof record) return false;
  std::memcpy(&record, object.data() + records.offset + at, sizeof record);
  return record.magic == 0x466243b1 && record.version == 1;
}

// Where the file holds what the dynamic linker writes into a unit's records that point to `images`.
std::vector<std::uint64_t> pointers(const std::string& object, const std::vector<ElfSection>& sections,
                                    const ElfSection& records, const ElfSection& images) {
  std::vector<std::uint64_t> found;
  for (const ElfSection& section : sections) {
    if (section.type != SHT_RELA) continue;
    for (std::uint64_t at = 0; at + sizeof(Elf64_Rela) <= section.size; at += sizeof(Elf64_Rela)) {
      Elf64_Rela relocation;
      std::memcpy(&relocation, object.data() + section.offset + at, sizeof relocation);
      if (is_relative(relocation) && holds(records, relocation.r_offset) &&
          holds(images, static_cast<std::uint64_t>(relocation.r_addend)) &&
          is_record_of_unit(object, records, relocation.r_offset - offsetof(Record, images)))
        found.push_back(section.offset + at + offsetof(Elf64_Rela, r_addend));
    }
  }
  return found;
}

// Names hold it as one of their parts, with the part's length in front: "39_GLOBAL__N__<mark>", "37_INTERNAL_<mark>".
std::string_view mark_in(std::string_view text) {
  for (const std::string_view word : {"_GLOBAL__N__", "_INTERNAL_"})
    for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
      std::size_t digits = at;
      while (digits > 0 && text[digits - 1] >= '0' && text[digits - 1] <= '9') --digits;
      std::size_t length = 0;
      std::from_chars(text.data() + digits, text.data() + at, length);
      if (length > word.size() && length <= text.size() - at) return text.substr(at, length).substr(word.size());
    }
  return {};
}

}  // namespace

std::string room_for_device_code() {
  return fmt::format(
      "#line 1 \"<room for device code>\"\n"
      "extern \"C\" {{\n"
      "__attribute__((used, visibility(\"default\"), section(\"{}\"), aligned(16))) extern const unsigned char "
      "hone_device_code[{}];\n"
      "const unsigned char hone_device_code[{}] = {{}};\n}}\n",
      room_name, room_bytes, room_bytes);
}

std::vector<DeviceName> device_names(std::string_view fat_binary) {
  // EM_CUDA and STO_CUDA_ENTRY, which elf.h need not have.
  constexpr Elf64_Half cuda = 190;
  constexpr unsigned char entry = 0x10;
  std::vector<DeviceName> names;
  for (std::size_t at = fat_binary.find(ELFMAG); at != std::string_view::npos; at = fat_binary.find(ELFMAG, at + 1)) {
    Elf64_Ehdr header;
    if (fat_binary.size() - at < sizeof header) break;
    std::memcpy(&header, fat_binary.data() + at, sizeof header);
    if (header.e_machine != cuda) continue;
    for (ElfSymbol& symbol : defined_symbols(fat_binary.substr(at)))
      if (symbol.type == STT_FUNC || symbol.type == STT_OBJECT)
        names.push_back({std::move(symbol.name), symbol.type == STT_FUNC && (symbol.other & entry) != 0});
  }
  return names;
}

bool change_mark(std::string& fat_binary, std::string_view mark) {
  const std::string old(mark_in(fat_binary));
  if (old.empty() || mark.empty()) return true;
  if (old.size() != mark.size()) return false;
  for (std::size_t at = fat_binary.find(old); at != std::string::npos; at = fat_binary.find(old, at + old.size()))
    fat_binary.replace(at, old.size(), mark);
  return true;
}

std::optional<HostHalf> HostHalf::of(std::string object) {
  const std::vector<ElfSection> sections = elf_sections(object);
  const ElfSection* room = named(sections, room_name);
  const ElfSection* records = named(sections, ".nvFatBinSegment");
  const ElfSection* images = named(sections, ".nv_fatbin");
  const ElfSection* texts = named(sections, ".rodata");
  if (!room || !records || !images || !texts) return std::nullopt;
  const std::vector<std::uint64_t> found = pointers(object, sections, *records, *images);
  if (found.size() != 1) return std::nullopt;
  HostHalf half;
  half.room_ = room->offset;
  half.room_size_ = room->size;
  half.room_address_ = room->address;
  half.pointer_ = found.front();
  half.texts_ = texts->offset;
  half.texts_size_ = texts->size;
  half.object_ = std::move(object);
  return half;
}

// Linkers let a text share the end of a longer one: nothing is asked of what stands in front.
bool HostHalf::names(std::string_view device_name) const {
  return !device_name.empty() && texts().find(std::string(device_name) + '\0') != std::string_view::npos;
}

std::string HostHalf::mark() const {
  return std::string(mark_in(texts()));
}

std::optional<std::string> HostHalf::with(std::string_view fat_binary) const {
  if (fat_binary.empty() || fat_binary.size() > room_size_) return std::nullopt;
  std::string object = object_;
  std::copy(fat_binary.begin(), fat_binary.end(), object.begin() + static_cast<std::ptrdiff_t>(room_));
  std::memcpy(object.data() + pointer_, &room_address_, sizeof room_address_);
  return object;
}

}  // namespace hone::compile
