#include "tool/compile/toolchain/ptxas_report.h"

#include <charconv>
#include <cstdlib>
#include <memory>

#include <cxxabi.h>

namespace hone::compile {
namespace {

// The number in front of `words`: "24" of "Used 24 registers, …" in front of " registers". 0: they are not there.
std::size_t number_before(std::string_view line, std::string_view words) {
  const std::size_t end = line.find(words);
  if (end == std::string_view::npos) return 0;
  std::size_t begin = end;
  while (begin > 0 && line[begin - 1] >= '0' && line[begin - 1] <= '9') --begin;
  std::size_t number = 0;
  std::from_chars(line.data() + begin, line.data() + end, number);
  return number;
}

// "360 bytes cmem[0], 8 bytes cmem[2]"
std::size_t constant_bytes(std::string_view line) {
  std::size_t sum = 0;
  for (std::size_t at; (at = line.find(" bytes cmem[")) != std::string_view::npos; line.remove_prefix(at + 1))
    sum += number_before(line.substr(0, at + 12), " bytes cmem[");
  return sum;
}

// The text within the `index`-th pair of quotes.
std::string quoted(std::string_view line, int index) {
  for (; index >= 0; --index) {
    const std::size_t open = line.find('\'');
    const std::size_t close = open == std::string_view::npos ? open : line.find('\'', open + 1);
    if (close == std::string_view::npos) return {};
    if (index == 0) return std::string(line.substr(open + 1, close - open - 1));
    line.remove_prefix(close + 1);
  }
  return {};
}

}  // namespace

std::vector<DeviceFunction> read_ptxas_report(std::string_view report) {
  std::vector<DeviceFunction> functions;
  std::string properties_of;
  while (!report.empty()) {
    const std::size_t end = report.find('\n');
    const std::string_view line = report.substr(0, end);
    report.remove_prefix(end == std::string_view::npos ? report.size() : end + 1);
    if (line.find("Compiling entry function '") != std::string_view::npos) {
      DeviceFunction function;
      function.symbol = quoted(line, 0);
      function.name = demangled(function.symbol);
      function.architecture = quoted(line, 1);
      functions.push_back(std::move(function));
      continue;
    }
    constexpr std::string_view properties = "Function properties for ";
    if (const std::size_t at = line.find(properties); at != std::string_view::npos)
      properties_of = line.substr(at + properties.size());
    if (functions.empty()) continue;
    DeviceFunction& last = functions.back();
    if (properties_of == last.symbol && line.find(" bytes stack frame") != std::string_view::npos) {
      last.stack_bytes = number_before(line, " bytes stack frame");
      last.spill_store_bytes = number_before(line, " bytes spill stores");
      last.spill_load_bytes = number_before(line, " bytes spill loads");
    } else if (line.find("Used ") != std::string_view::npos) {
      last.registers = static_cast<unsigned>(number_before(line, " registers"));
      last.barriers = static_cast<unsigned>(number_before(line, " barriers"));
      last.shared_bytes = number_before(line, " bytes smem");
      last.constant_bytes = constant_bytes(line);
    }
  }
  return functions;
}

std::string demangled(const std::string& symbol) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> name(
      symbol.starts_with("_Z") ? abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status) : nullptr, &std::free);
  return name && status == 0 ? name.get() : symbol;
}

}  // namespace hone::compile
