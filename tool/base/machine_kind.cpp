#include "tool/base/machine_kind.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>
#include <fstream>
#include <iterator>
#include <vector>

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

namespace hone {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words(1);
  for (const char c : text) {
    const bool space = std::isspace(static_cast<unsigned char>(c)) || c == '\0';
    if (!space) words.back() += c;
    if (space && !words.back().empty()) words.emplace_back();
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

std::string without_marks(std::string_view text) {
  std::string plain(text);
  for (const std::string_view mark : {"(R)", "(r)", "(TM)", "(tm)"})
    for (std::size_t at = 0; (at = plain.find(mark, at)) != plain.npos;) plain.replace(at, mark.size(), " ");
  return plain;
}

// "64-Core", "Eight-Core", "2.70GHz": how many and how fast, which others of the model share or do not.
bool is_of_one_offer(const std::string& word) {
  return word == "CPU" || word == "Processor" || word == "processor" || word.ends_with("-Core") ||
         (is_digit(word.front()) && word.ends_with("GHz"));
}

// "9V74", "8480C", "i7-1165G7": three digits at least.
bool names_model(const std::string& kind) {
  const auto words = words_of(kind);
  return std::ranges::any_of(words, [](const std::string& word) { return std::ranges::count_if(word, is_digit) >= 3; });
}

// "AMD EPYC\t: …" of a line of /proc/cpuinfo; "": it has no such line.
std::string value_of(std::string_view cpuinfo, std::string_view name) {
  for (std::size_t at = 0; at < cpuinfo.size();) {
    const std::string_view line = cpuinfo.substr(at, cpuinfo.find('\n', at) - at);
    at += line.size() + 1;
    const std::size_t colon = line.find(':');
    if (!line.starts_with(name) || colon == line.npos) continue;
    if (line.find_first_not_of(" \t", name.size()) != colon) continue;
    const std::size_t begin = line.find_first_not_of(" \t", colon + 1);
    return begin == line.npos ? "" : std::string(line.substr(begin));
  }
  return "";
}

#if defined(__x86_64__) || defined(__i386__)
// What `cpuid` says: no file is opened.
std::string ask() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  __get_cpuid(1, &a, &b, &c, &d);
  unsigned family = (a >> 8) & 15, model = (a >> 4) & 15;
  if (family == 6 || family == 15) model += ((a >> 16) & 15) << 4;
  if (family == 15) family += (a >> 20) & 255;
  std::array<char, 48> brand{};
  for (unsigned part = 0; part < 3; ++part) {
    unsigned words[4] = {};
    __get_cpuid(0x80000002 + part, &words[0], &words[1], &words[2], &words[3]);
    std::memcpy(brand.data() + part * sizeof words, words, sizeof words);
  }
  return kind_of_processor({brand.data(), ::strnlen(brand.data(), brand.size())}, family, model);
}
#else
std::string ask() {
  std::ifstream file("/proc/cpuinfo");
  return kind_in(std::string(std::istreambuf_iterator<char>(file), {}));
}
#endif

}  // namespace

const std::string& processor_kind() {
  static const std::string kind = ask();
  return kind;
}

std::string device_kind(std::string_view name, std::string_view architecture) {
  return std::string(name) + " (" + std::string(architecture) + ")";
}

std::string architecture_of_kind(std::string_view kind) {
  const std::size_t open = kind.rfind(" (sm_");
  if (open == kind.npos || !kind.ends_with(')')) return "";
  return std::string(kind.substr(open + 2, kind.size() - open - 3));
}

std::string tidy_kind(std::string_view name) {
  const bool device = !architecture_of_kind(name).empty();
  std::string plain = device ? std::string(name) : without_marks(name);
  if (!device)
    for (const char* behind : {" @", " with "}) plain = plain.substr(0, plain.find(behind));
  std::string kind;
  for (const std::string& word : words_of(plain))
    if (device || !is_of_one_offer(word)) kind += (kind.empty() ? "" : " ") + word;
  return kind;
}

bool is_machine_kind(std::string_view text) {
  const auto fits = [](unsigned char c) { return c >= ' ' && c < 127 && !std::strchr("/\\@:\"'", c); };
  return text.size() >= 3 && text.size() <= 100 && std::ranges::all_of(text, fits) && tidy_kind(text) == text;
}

std::string kind_of_processor(std::string_view brand, unsigned family, unsigned model) {
  std::string kind = tidy_kind(brand);
  std::erase_if(kind, [](unsigned char c) { return c < ' ' || c >= 127 || std::strchr("/\\@:\"'", c); });
  if (kind.size() < 3) kind = "processor";
  if (names_model(kind)) return kind;
  return kind + ", family " + std::to_string(family) + " model " + std::to_string(model);
}

std::string kind_in(std::string_view cpuinfo) {
  for (const char* name : {"model name", "cpu"})
    if (const std::string kind = tidy_kind(value_of(cpuinfo, name)); is_machine_kind(kind) && names_model(kind))
      return kind;
  const std::string implementer = value_of(cpuinfo, "CPU implementer"), part = value_of(cpuinfo, "CPU part");
  const std::string kind = "implementer " + implementer + " part " + part;
  return !implementer.empty() && is_machine_kind(kind) ? kind : "unknown processor";
}

}  // namespace hone
