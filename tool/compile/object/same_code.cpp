#include "tool/compile/object/same_code.h"

#include <elf.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "tool/compile/object/object_file.h"

namespace hone::compile {
namespace {

constexpr std::size_t kMostPadding = 64;  // compilers align to at most a cache line

// A place in an object: an offset into one of its sections.
struct Place {
  unsigned section = 0;
  std::uint64_t offset = 0;
  auto operator<=>(const Place&) const = default;
};

// What stands at a place: the function, variable or constant that it lies in.
struct Item {
  unsigned section = 0;
  std::uint64_t begin = 0, end = 0;
  const ObjectSymbol* symbol = nullptr;  // nullptr: a constant without a name
};

class Side {
 public:
  explicit Side(const ObjectFile& file) : file_(file) {
    for (const ObjectSymbol& symbol : file.symbols) {
      if (symbol.name.empty() || symbol.type == STT_FILE || symbol.type == STT_SECTION) continue;
      if (symbol.binding != STB_LOCAL) globals_[symbol.name] = &symbol;
      if (symbol.section != SHN_UNDEF && symbol.section < file.sections.size()) {
        borders_.insert({symbol.section, symbol.value});
        if (symbol.size > 0) named_[{symbol.section, symbol.value}] = &symbol;
      }
    }
    for (const auto& relocations : file.relocations)
      for (const ObjectRelocation& one : relocations)
        if (const auto place = place_of(one, one.offset)) borders_.insert(*place);
  }

  const ObjectFile& file() const { return file_; }
  const ObjectSymbol* global(std::string_view name) const {
    const auto found = globals_.find(name);
    return found == globals_.end() ? nullptr : found->second;
  }

  // Where a relocation leads within this object. In code distances count from the next instruction on, in a table of
  // jumps from the table's begin on.
  std::optional<Place> place_of(const ObjectRelocation& one, std::uint64_t begin, bool code = true) const {
    const ObjectSymbol& symbol = file_.symbols[one.symbol];
    if (symbol.section == SHN_UNDEF || symbol.section >= file_.sections.size()) return std::nullopt;
    std::int64_t offset = static_cast<std::int64_t>(symbol.value) + one.addend;
    if (is_relative(one.type)) offset += code ? 4 : -static_cast<std::int64_t>(one.offset - begin);
    if (offset < 0 && offset >= -8) offset = 0;  // a constant stands behind the distance in its instruction
    return Place{symbol.section, static_cast<std::uint64_t>(offset)};
  }

  Item item_at(const Place& place) const {
    if (auto above = named_.upper_bound(place); above != named_.begin()) {
      const auto& [start, symbol] = *--above;
      if (start.section == place.section && place.offset < symbol->value + symbol->size)
        return {place.section, symbol->value, symbol->value + symbol->size, symbol};
    }
    const std::uint64_t size = file_.sections[place.section].size;
    const auto next = borders_.upper_bound(place);
    const bool within = next != borders_.end() && next->section == place.section;
    return {place.section, std::min(place.offset, size), within ? std::min(next->offset, size) : size, nullptr};
  }

 private:
  // Is it a relocation of x86 that is relative to the program counter?
  static bool is_relative([[maybe_unused]] std::uint32_t type) {
#ifdef __x86_64__
    switch (type) {
      case R_X86_64_PC32:
      case R_X86_64_PLT32:
      case R_X86_64_GOTPCREL:
      case R_X86_64_GOTPCRELX:
      case R_X86_64_REX_GOTPCRELX:
        return true;
      default:
        break;
    }
#endif
    return false;
  }

  const ObjectFile& file_;
  std::map<std::string_view, const ObjectSymbol*> globals_;
  std::map<Place, const ObjectSymbol*> named_;
  std::set<Place> borders_;
};

// GCC's numbers behind local names: lookup.constprop.0, CSWTCH.12, helper.part.1.
std::string_view without_numbers(std::string_view name) {
  const std::size_t dot = name.find('.', 1);
  return name.substr(0, dot);
}

class Comparison {
 public:
  Comparison(const Side& judged, const Side& linked) : judged_(judged), linked_(linked) {}

  std::string run(const std::vector<std::string>& names) {
    for (const std::string& name : names) {
      const ObjectSymbol *one = find(judged_, name), *other = find(linked_, name);
      if (!one && !other) continue;
      if (!one || !other) return fmt::format("'{}' is inlined in one of the two and not in the other", name);
      if (!same({one->section, one->value}, {other->section, other->value})) break;
    }
    // Items that were met are compared one after the other, not within each other: no depth is too deep.
    while (difference_.empty() && !open_.empty()) {
      const auto [one, other] = open_.back();
      open_.pop_back();
      compare(one, other);
    }
    return difference_;
  }

 private:
  // Local functions (static ones) too.
  static const ObjectSymbol* find(const Side& side, const std::string& name) {
    for (const ObjectSymbol& symbol : side.file().symbols)
      if (symbol.name == name && symbol.section != SHN_UNDEF && symbol.section < side.file().sections.size())
        return &symbol;
    return nullptr;
  }

  static std::string called(const Item& item) {
    return item.symbol ? fmt::format("'{}'", item.symbol->name) : std::string("a constant");
  }

  bool differ(const Item& item, const char* how) {
    difference_ = fmt::format("{} {}", called(item), how);
    return false;
  }

  // Whether two places may be the same so far; what they lie in is compared later.
  bool same(const Place& one, const Place& other) {
    if (one.offset > judged_.file().sections[one.section].size ||
        other.offset > linked_.file().sections[other.section].size) {
      difference_ = "it refers to a place outside of its section";
      return false;
    }
    const Item a = judged_.item_at(one), b = linked_.item_at(other);
    if (one.offset - a.begin != other.offset - b.begin) return differ(a, "is referred to at another place");
    const auto [known, fresh] = partner_.insert({{a.section, a.begin}, {b.section, b.begin}});
    if (!fresh) return known->second == Place{b.section, b.begin} || !a.symbol || differ(a, "is two different things");
    open_.push_back({a, b});
    return true;
  }

  void compare(const Item& a, const Item& b) {
    const ObjectSection &one = judged_.file().sections[a.section], &other = linked_.file().sections[b.section];
    if ((a.symbol != nullptr) != (b.symbol != nullptr)) return void(differ(a.symbol ? a : b, "is not the same"));
    if (a.symbol && without_numbers(a.symbol->name) != without_numbers(b.symbol->name))
      return void(differ(a, "is another one"));
    constexpr std::uint64_t meaning = SHF_WRITE | SHF_EXECINSTR | SHF_TLS;
    if ((one.flags & meaning) != (other.flags & meaning) || (one.type == SHT_NOBITS) != (other.type == SHT_NOBITS))
      return void(differ(a, "is kept in another kind of section"));
    const std::uint64_t size = length(one, a), size_there = length(other, b);
    if (a.symbol && size != size_there) return void(differ(a, "is compiled to code or data of another size"));
    const std::uint64_t common = std::min(size, size_there);
    if (one.type != SHT_NOBITS) {
      if (one.bytes.substr(a.begin, common) != other.bytes.substr(b.begin, common))
        return void(differ(a, "is compiled to other code or data"));
      if (!is_padding(one.bytes.substr(a.begin, size).substr(common)) ||
          !is_padding(other.bytes.substr(b.begin, size_there).substr(common)))
        return void(differ(a, "is compiled to data of another size"));
    }
    relocations(a, b, common);
  }

  // A constant of a section that linkers merge has that section's size, or ends with its text.
  static std::uint64_t length(const ObjectSection& section, const Item& item) {
    if (item.symbol || (section.flags & SHF_STRINGS) == 0) return item.end - item.begin;
    const std::size_t end = section.bytes.find('\0', item.begin);
    return end == section.bytes.npos ? item.end - item.begin : end + 1 - item.begin;
  }

  static bool is_padding(std::string_view bytes) {
    return bytes.size() < kMostPadding && bytes.find_first_not_of('\0') == bytes.npos;
  }

  static std::vector<ObjectRelocation> within(const Side& side, const Item& item, std::uint64_t size) {
    std::vector<ObjectRelocation> found;
    for (const ObjectRelocation& one : side.file().relocations[item.section])
      if (one.offset >= item.begin && one.offset < item.begin + size) found.push_back(one);
    return found;
  }

  void relocations(const Item& a, const Item& b, std::uint64_t size) {
    const auto ours = within(judged_, a, size), theirs = within(linked_, b, size);
    if (ours.size() != theirs.size()) return void(differ(a, "refers to other things"));
    for (std::size_t i = 0; i < ours.size() && difference_.empty(); ++i) {
      if (ours[i].type != theirs[i].type || ours[i].offset - a.begin != theirs[i].offset - b.begin)
        return void(differ(a, "refers to other things"));
      const ObjectSymbol &one = judged_.file().symbols[ours[i].symbol],
                         &other = linked_.file().symbols[theirs[i].symbol];
      const bool code = (judged_.file().sections[a.section].flags & SHF_EXECINSTR) != 0;
      const auto here = judged_.place_of(ours[i], a.begin, code), there = linked_.place_of(theirs[i], b.begin, code);
      if (one.binding != STB_LOCAL || other.binding != STB_LOCAL) {
        if (one.name != other.name || ours[i].addend != theirs[i].addend)
          return void(differ(a, "refers to other things"));
        if (!here && !there) continue;  // of a library
      }
      if (!here || !there) return void(differ(a, "refers to what only one of the two defines"));
      if (!same(*here, *there)) return;
    }
  }

  const Side &judged_, &linked_;
  std::map<Place, Place> partner_;
  std::vector<std::pair<Item, Item>> open_;
  std::string difference_;
};

}  // namespace

std::string code_difference(std::string_view judged, std::string_view linked, const std::vector<std::string>& names) {
  const auto one = ObjectFile::read(judged), other = ObjectFile::read(linked);
  if (!one || !other || !one->relocatable || !other->relocatable) return "its objects cannot be read";
  const Side here(*one), there(*other);
  return Comparison(here, there).run(names);
}

}  // namespace hone::compile
