#include "tool/tune/profile/machine_code_feedback.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace hone::tune {
namespace {

struct Kind {
  std::string_view words;
  std::vector<std::string_view> opcodes;  // without what stands behind the first dot; a prefix where it ends in *
};

// Opcodes of sm_50 to sm_120: CUDA Binary Utilities, "Instruction Set Reference".
const std::vector<Kind>& kinds() {
  static const std::vector<Kind> all = {
      {"global loads", {"LDG", "LD"}},
      {"global stores", {"STG", "ST"}},
      {"asynchronous copies to shared memory", {"LDGSTS", "UBLKCP", "UTMALDG"}},
      {"shared loads", {"LDS", "LDSM"}},
      {"shared stores", {"STS", "STSM"}},
      {"local loads (spills or local arrays)", {"LDL"}},
      {"local stores (spills or local arrays)", {"STL"}},
      {"atomics", {"ATOM", "ATOMG", "ATOMS", "RED", "REDG"}},
      {"matrix (tensor core)", {"HMMA", "IMMA", "DMMA", "BMMA", "QMMA", "OMMA", "HGMMA", "IGMMA", "QGMMA", "UTC*"}},
      {"float", {"FFMA", "FADD", "FMUL", "FMNMX", "FSETP", "FSEL", "FCHK", "FFMA2", "FADD2", "FMUL2"}},
      {"double", {"DFMA", "DADD", "DMUL", "DSETP"}},
      {"half", {"HFMA2", "HADD2", "HMUL2", "HMNMX2", "HSETP2"}},
      {"special functions", {"MUFU"}},
      {"conversions", {"F2F", "F2FP", "F2I", "I2F", "I2FP", "F2IP", "FRND", "I2I"}},
      {"shuffles and votes", {"SHFL", "VOTE", "VOTEU", "MATCH", "REDUX"}},
      {"barriers", {"BAR", "SYNCS", "DEPBAR", "WARPSYNC"}},
      {"integer", {"I*",  "UI*", "LEA", "ULEA", "LOP3", "ULOP3", "LOP",   "SHF",   "USHF",   "SHL",
                   "SHR", "BFE", "BFI", "POPC", "FLO",  "PRMT",  "UPRMT", "VIADD", "VIMNMX", "XMAD"}},
  };
  return all;
}

bool is_one_of(std::string_view opcode, const Kind& kind) {
  return std::ranges::any_of(kind.opcodes, [&](std::string_view one) {
    return one.ends_with('*') ? opcode.starts_with(one.substr(0, one.size() - 1)) : opcode == one;
  });
}

struct Code {
  std::string name, architecture;
  unsigned instructions = 0, loops = 0;
  std::map<std::string_view, unsigned> counts;  // by Kind::words
  unsigned wide_loads = 0, wide_stores = 0;     // of 128 bits, global
};

std::string_view behind(std::string_view line, std::string_view mark) {
  const std::size_t at = line.find(mark);
  if (at == std::string_view::npos) return {};
  line.remove_prefix(at + mark.size());
  return line.substr(0, line.find_last_not_of(" \t\r") + 1);
}

// "/*00d0*/   @!P0 BRA 0x100 ;  /* 0x… */" → where, "BRA 0x100 ".
bool read_instruction(std::string_view line, unsigned& address, std::string_view& text) {
  const std::size_t open = line.find("/*"), close = line.find("*/");
  if (open == std::string_view::npos || close == std::string_view::npos || close - open != 6) return false;
  const auto [end, error] = std::from_chars(line.data() + open + 2, line.data() + close, address, 16);
  if (error != std::errc() || end != line.data() + close) return false;
  text = line.substr(close + 2);
  const std::size_t semicolon = text.find(';');
  if (semicolon == std::string_view::npos) return false;
  text = text.substr(0, semicolon);
  text.remove_prefix(std::min(text.find_first_not_of(" \t{"), text.size()));
  if (text.starts_with('@')) {
    text.remove_prefix(std::min(text.find(' '), text.size()));
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  }
  return !text.empty();
}

bool jumps_back(std::string_view text, unsigned address) {
  const std::size_t at = text.find("0x");
  unsigned target = address;
  if (text.starts_with("BRA") && at != std::string_view::npos)
    std::from_chars(text.data() + at + 2, text.data() + text.size(), target, 16);
  return target < address;
}

void count(Code& code, std::string_view text, unsigned address) {
  const std::string_view name = text.substr(0, text.find(' '));
  const std::string_view opcode = name.substr(0, name.find('.'));
  if (opcode == "NOP") return;  // padding
  ++code.instructions;
  if (jumps_back(text, address)) ++code.loops;
  const auto& all = kinds();
  const auto kind = std::ranges::find_if(all, [&](const Kind& one) { return is_one_of(opcode, one); });
  if (kind == all.end()) return;
  ++code.counts[kind->words];
  if (name.find(".128") != std::string_view::npos) {
    if (kind == all.begin()) ++code.wide_loads;
    if (kind == all.begin() + 1) ++code.wide_stores;
  }
}

std::string in_words(const Code& code) {
  std::vector<std::string> parts;
  for (const Kind& kind : kinds()) {
    const auto found = code.counts.find(kind.words);
    if (found == code.counts.end()) continue;
    const unsigned wide = &kind == &kinds()[0] ? code.wide_loads : &kind == &kinds()[1] ? code.wide_stores : 0;
    parts.push_back(fmt::format("{} {}{}", kind.words, found->second,
                                wide > 0 ? fmt::format(" ({} of 128 bits)", wide) : std::string()));
  }
  return fmt::format("- {} on {}: {} instructions{}{}{}\n", code.name, code.architecture, code.instructions,
                     code.loops > 0 ? fmt::format(", {} {}", code.loops, code.loops == 1 ? "loop" : "loops") : "",
                     parts.empty() ? "" : ": ", fmt::join(parts, ", "));
}

}  // namespace

std::string device_resources(const std::vector<compile::DeviceFunction>& functions, std::size_t most) {
  std::string text;
  for (const compile::DeviceFunction& one : functions) {
    if (most-- == 0) return text + "- …\n";
    text += fmt::format("- {} on {}: {} registers a thread", one.name, one.architecture, one.registers);
    if (one.shared_bytes > 0) text += fmt::format(", {} bytes of shared memory a block", one.shared_bytes);
    if (one.stack_bytes > 0) text += fmt::format(", {} bytes of stack in local memory a thread", one.stack_bytes);
    const std::size_t spilled = one.spill_store_bytes + one.spill_load_bytes;
    text += spilled == 0
                ? ", no spills\n"
                : fmt::format(", spills ({} bytes stored, {} loaded)\n", one.spill_store_bytes, one.spill_load_bytes);
  }
  return text;
}

std::string instruction_mix(std::string_view machine_code, std::size_t most) {
  std::vector<Code> all;
  std::string architecture;
  while (!machine_code.empty()) {
    const std::size_t end = machine_code.find('\n');
    const std::string_view line = machine_code.substr(0, end);
    machine_code.remove_prefix(end == std::string_view::npos ? machine_code.size() : end + 1);
    unsigned address = 0;
    std::string_view text;
    if (const std::string_view name = behind(line, "code for "); !name.empty()) {
      architecture = name;
    } else if (const std::string_view symbol = behind(line, "Function : "); !symbol.empty()) {
      all.push_back({compile::demangled(std::string(symbol)), architecture});
    } else if (!all.empty() && read_instruction(line, address, text)) {
      count(all.back(), text, address);
    }
  }
  std::string words;
  for (const Code& code : all) {
    if (most-- == 0) return words + "- …\n";
    words += in_words(code);
  }
  return words;
}

}  // namespace hone::tune
