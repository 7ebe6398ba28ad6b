#include "tool/linked/note_reader.h"

#include <algorithm>
#include <optional>

#include "tool/base/elf.h"
#include "tool/linked/archive_members.h"

namespace hone::linked {
namespace {

// LLVM's, alone or in a wrapper.
bool is_bitcode(std::string_view bytes) {
  return bytes.starts_with("BC\xC0\xDE") || bytes.starts_with("\xDE\xC0\x17\x0B");
}

// GCC's, in an object without machine code.
bool holds_only_gimple(std::string_view object) {
  const std::vector<ElfSection> sections = elf_sections(object);
  const auto is_code = [](const ElfSection& section) { return section.name.starts_with(".text") && section.size > 0; };
  return std::ranges::any_of(sections,
                             [](const ElfSection& section) { return section.name.starts_with(".gnu.lto_"); }) &&
         std::ranges::none_of(sections, is_code);
}

std::optional<LinkedKernel> kernel_of(std::string_view text) {
  LinkedKernel kernel;
  for (std::string* field :
       {&kernel.name, &kernel.file, &kernel.key, &kernel.variant, &kernel.reason, &kernel.built_for}) {
    const std::size_t end = text.find('\0');
    if (end == text.npos) return std::nullopt;
    *field = text.substr(0, end);
    text.remove_prefix(end + 1);
  }
  return kernel;
}

Result<LinkedUnit> unit_of(std::string_view object) {
  LinkedUnit unit;
  if (is_bitcode(object)) {
    unit.is_bytecode = true;
    return unit;
  }
  HONE_TRY(const std::vector<ElfNote> notes, elf_notes(object));
  for (const ElfNote& note : notes) {
    if (note.owner != note_owner || note.type != kernel_note) continue;
    std::optional<LinkedKernel> kernel = kernel_of(note.description);
    if (!kernel) return failure("a note of Hone's in it is broken");
    if (std::ranges::find(unit.kernels, *kernel) == unit.kernels.end()) unit.kernels.push_back(std::move(*kernel));
  }
  unit.is_bytecode = unit.kernels.empty() && holds_only_gimple(object);
  return unit;
}

bool says_something(const LinkedUnit& unit) {
  return unit.is_bytecode || !unit.kernels.empty();
}

bool is_object(std::string_view bytes) {
  return is_bitcode(bytes) || bytes.starts_with(
                                  "\x7f"
                                  "ELF");
}

}  // namespace

Result<std::vector<LinkedUnit>> read_linked(std::string_view bytes) {
  std::vector<LinkedUnit> units;
  if (!is_archive(bytes)) {
    HONE_TRY(LinkedUnit unit, unit_of(bytes));
    if (says_something(unit)) units.push_back(std::move(unit));
    return units;
  }
  HONE_TRY(const std::vector<ArchiveMember> members, archive_members(bytes));
  for (const ArchiveMember& member : members) {
    if (!is_object(member.bytes)) continue;
    HONE_TRY(LinkedUnit unit, unit_of(member.bytes));
    unit.member = member.name;
    if (says_something(unit)) units.push_back(std::move(unit));
  }
  return units;
}

}  // namespace hone::linked
