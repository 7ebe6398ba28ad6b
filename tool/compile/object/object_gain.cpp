#include "tool/compile/object/object_gain.h"

#include <elf.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "tool/compile/object/needed_names.h"
#include "tool/compile/object/object_file.h"

namespace hone::compile {
namespace {

// What the loader or the C library runs by itself, and what a sentence calls it.
struct Hook {
  std::string_view section, what;
};
constexpr std::array<Hook, 7> kGuardedSections = {{{".init_array", "a constructor"},
                                                   {".preinit_array", "a constructor"},
                                                   {".ctors", "a constructor"},
                                                   {".init", "code that runs at start"},
                                                   {".fini_array", "a destructor"},
                                                   {".dtors", "a destructor"},
                                                   {".fini", "code that runs at exit"}}};

// Sections of compilers that are neither run nor written.
constexpr std::string_view kHarmless[] = {".rodata",
                                          ".data.rel.ro",
                                          ".eh_frame",
                                          ".gcc_except_table",
                                          ".note.gnu.property",
                                          ".note.GNU-stack",
                                          ".comment",
                                          ".symtab",
                                          ".strtab",
                                          ".shstrtab",
                                          ".rela",
                                          ".group",
                                          ".llvm_addrsig",
                                          ".llvm.call-graph-profile"};

bool is_or_begins(std::string_view name, std::string_view stem) {
  return name.starts_with(stem) && (name.size() == stem.size() || name[stem.size()] == '.');
}

const Hook* hook_of(std::string_view section) {
  for (const Hook& hook : kGuardedSections)
    if (is_or_begins(section, hook.section)) return &hook;
  return nullptr;
}

std::uint64_t bytes_of_hook(const ObjectFile& file, std::string_view section) {
  std::uint64_t bytes = 0;
  for (const ObjectSection& one : file.sections)
    if (const Hook* hook = hook_of(one.name); hook && hook->section == section) bytes += one.size;
  return bytes;
}

bool is_defined(const ObjectSymbol& symbol) {
  return symbol.section != SHN_UNDEF && symbol.type != STT_FILE && symbol.type != STT_SECTION && !symbol.name.empty();
}

class GainComparison {
 public:
  GainComparison(const ObjectFile& original, const ObjectFile& candidate, bool threads)
      : original_(original), candidate_(candidate), threads_(threads) {
    for (const ObjectSection& section : original.sections) sections_.insert(section.name);
    for (const ObjectSymbol& symbol : original.symbols) {
      if (is_defined(symbol)) defined_[symbol.name] = std::max(defined_[symbol.name], symbol.size);
      if (symbol.section == SHN_UNDEF) undefined_.insert(symbol.name);
    }
  }

  std::string run() const {
    std::string gain = hooks();
    if (!gain.empty() || !candidate_.relocatable) return gain;
    for (const auto look : {&GainComparison::of_section, &GainComparison::of_symbol})
      for (std::size_t i = 0; i < count(look); ++i)
        if (gain = (this->*look)(i); !gain.empty()) return gain;
    return nameless_data();
  }

 private:
  using Look = std::string (GainComparison::*)(std::size_t) const;
  std::size_t count(Look look) const {
    return look == &GainComparison::of_section ? candidate_.sections.size() : candidate_.symbols.size();
  }

  std::string hooks() const {
    for (const Hook& hook : kGuardedSections)
      if (bytes_of_hook(candidate_, hook.section) > bytes_of_hook(original_, hook.section))
        return fmt::format("it brings {} ({})", hook.what, hook.section);
    return "";
  }

  std::string of_section(std::size_t index) const {
    const ObjectSection& section = candidate_.sections[index];
    if (section.type == SHT_NULL || section.size == 0 || hook_of(section.name)) return "";
    const bool runs = (section.flags & SHF_EXECINSTR) != 0, changes = (section.flags & SHF_WRITE) != 0;
    if (section.name == ".note.GNU-stack" && runs && !original_has_executable_stack())
      return "it asks for a stack that can be executed";
    if (runs && section.name != ".note.GNU-stack")
      return changes                   ? fmt::format("it brings code that can be changed (section {})", section.name)
             : is_code(section, index) ? ""
                                       : fmt::format("it brings code in a section of its own ({})", section.name);
    if (changes || sections_.contains(section.name)) return "";  // by its symbols
    const bool harmless =
        std::ranges::any_of(kHarmless, [&](std::string_view stem) { return is_or_begins(section.name, stem); });
    if (harmless || section.type == SHT_GROUP ||
        ((section.flags & SHF_ALLOC) == 0 && section.name.starts_with(".debug_")))
      return "";
    return fmt::format("it brings a section of its own ({})", section.name);
  }

  bool original_has_executable_stack() const {
    return std::ranges::any_of(original_.sections, [](const ObjectSection& section) {
      return section.name == ".note.GNU-stack" && (section.flags & SHF_EXECINSTR) != 0;
    });
  }

  // .text, .text.unlikely, .text.hot, and those that a compiler names after the function that they hold.
  bool is_code(const ObjectSection& section, std::size_t index) const {
    std::string_view name = section.name;
    if (name == ".text" || sections_.contains(name)) return true;
    if (!name.starts_with(".text.")) return false;
    name.remove_prefix(6);
    for (const std::string_view part : {"unlikely", "hot", "exit", "split"}) {
      if (name == part) return part != "exit";
      if (name.starts_with(part) && name[part.size()] == '.') name.remove_prefix(part.size() + 1);
    }
    return std::ranges::any_of(candidate_.symbols, [&](const ObjectSymbol& symbol) {
      return symbol.section == index && symbol.type != STT_SECTION && !name.empty() && symbol.name.starts_with(name);
    });
  }

  std::string of_symbol(std::size_t index) const {
    const ObjectSymbol& symbol = candidate_.symbols[index];
    if (symbol.section == SHN_UNDEF) return undefined(symbol);
    if (!is_defined(symbol)) return "";
    if (symbol.type == STT_GNU_IFUNC && !is_cloned(symbol.name) && !defined_.contains(symbol.name))
      return fmt::format("it chooses a function while it is loaded (ifunc '{}')", symbol.name);
    if (std::string data = changing(symbol); !data.empty()) return data;
    if (symbol.binding == STB_LOCAL || defined_.contains(symbol.name) || may_be_seen(symbol)) return "";
    return fmt::format("it defines a name that other files see ('{}')", symbol.name);
  }

  std::string undefined(const ObjectSymbol& symbol) const {
    if (symbol.name.empty() || undefined_.contains(symbol.name) || defined_.contains(symbol.name)) return "";
    if (is_for_computing(symbol.name) || (threads_ && is_for_threads(symbol.name))) return "";
    return fmt::format("it needs '{}', which the original does not and computing does not", symbol.name);
  }

  // target_clones: the versions of one function and what chooses among them, made by the compiler.
  bool is_cloned(std::string_view name) const {
    const auto begins = [&](const std::string& stem) {
      return std::ranges::any_of(
          candidate_.symbols, [&](const ObjectSymbol& one) { return is_defined(one) && one.name.starts_with(stem); });
    };
    if (name.ends_with(".ifunc")) name.remove_suffix(6);
    const std::string stem(name);
    return begins(stem + ".resolver") && begins(stem + ".default");
  }

  bool may_be_seen(const ObjectSymbol& symbol) const {
    if (symbol.name.starts_with("DW.ref.") || symbol.name.starts_with(".gomp_critical_user_")) return true;
    if (symbol.name.starts_with("__x86.get_pc_thunk") || symbol.name == "__clang_call_terminate") return true;
    if (is_of_the_library(symbol.name)) return symbol.binding != STB_GLOBAL;
    // A function of the original's that is there in versions: squash.avx2.0.
    if (const std::size_t dot = symbol.name.find('.');
        dot != symbol.name.npos && dot > 0 && defined_.contains(symbol.name.substr(0, dot)))
      return true;
    // What the linker merges with the same of other files: instances of templates, inline functions.
    const bool allocation = std::ranges::any_of(std::array{"_Znw", "_Zna", "_Zdl", "_Zda"},
                                                [&](const char* start) { return symbol.name.starts_with(start); });
    return symbol.binding != STB_GLOBAL && symbol.name.starts_with("_Z") && !allocation && is_merged(symbol);
  }

  bool is_merged(const ObjectSymbol& symbol) const {
    return symbol.section < candidate_.sections.size() && (candidate_.sections[symbol.section].flags & SHF_GROUP) != 0;
  }

  static bool changes(const ObjectSection& section) {
    return (section.flags & SHF_WRITE) != 0 && (section.flags & SHF_TLS) == 0 &&
           !is_or_begins(section.name, ".data.rel.ro") && !hook_of(section.name);
  }

  std::string changing(const ObjectSymbol& symbol) const {
    const bool common = symbol.section == SHN_COMMON;
    if (!common && (symbol.section >= candidate_.sections.size() || !changes(candidate_.sections[symbol.section])))
      return "";
    if (symbol.name.starts_with("DW.ref.") || (threads_ && symbol.name.starts_with(".gomp_critical_user_"))) return "";
    const auto known = defined_.find(symbol.name);
    if (known != defined_.end() && known->second >= symbol.size) return "";
    return fmt::format("it brings data that lasts and can be changed ('{}')", symbol.name);
  }

  // Data that no symbol names, as assembly writes it.
  std::string nameless_data() const {
    const auto of = [](const ObjectFile& file) {
      std::map<std::string_view, std::uint64_t> bytes;
      for (std::size_t i = 0; i < file.sections.size(); ++i) {
        const ObjectSection& section = file.sections[i];
        const bool named = std::ranges::any_of(
            file.symbols, [&](const ObjectSymbol& symbol) { return symbol.section == i && is_defined(symbol); });
        if (changes(section) && !named) bytes[section.name] += section.size;
      }
      return bytes;
    };
    const auto before = of(original_);
    for (const auto& [name, bytes] : of(candidate_)) {
      const auto known = before.find(name);
      if (bytes > (known == before.end() ? 0 : known->second))
        return fmt::format("it brings data that lasts and can be changed (section {})", name);
    }
    return "";
  }

  const ObjectFile &original_, &candidate_;
  const bool threads_;
  std::set<std::string_view> sections_, undefined_;
  std::map<std::string_view, std::uint64_t> defined_;
};

}  // namespace

std::string object_gain(std::string_view original, std::string_view candidate, bool threads) {
  const auto before = ObjectFile::read(original);
  if (!before) return "";  // of a kind that is not known here
  const auto after = ObjectFile::read(candidate);
  if (!after) return "its object cannot be read";
  return GainComparison(*before, *after, threads).run();
}

}  // namespace hone::compile
