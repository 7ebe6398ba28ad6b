// nvcc's commands and what lies in its objects, for tests that need no device. Pure, but for has_nvcc().
#pragma once

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <regex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace hone::tests {

inline constexpr const char* nvcc_program = "/usr/local/cuda/bin/nvcc";
// Where a test's code needs no later one. nvcc puts <cmath> in front of every file, and C++17's brings a third more
// lines, which four compilers in a row read.
inline constexpr const char* quick_dialect = "-std=c++14";

inline bool has_nvcc() {
  return ::access(nvcc_program, X_OK) == 0;
}

// The flag for "90": machine code and PTX.
inline std::string code_for(const std::string& architecture) {
  return "--generate-code=arch=compute_" + architecture + ",code=[compute_" + architecture + ",sm_" + architecture +
         "]";
}

// `nvcc -std=c++14 flags… -c file -o object`
inline std::vector<std::string> nvcc_compile(const std::vector<std::string>& flags, const std::filesystem::path& file,
                                             const std::filesystem::path& object) {
  std::vector<std::string> command = {nvcc_program, quick_dialect};
  command.insert(command.end(), flags.begin(), flags.end());
  command.insert(command.end(), {"-c", file.string(), "-o", object.string()});
  return command;
}

// `hone cc options… -- command…`
inline std::vector<std::string> under_hone(const std::string& hone, const std::vector<std::string>& options,
                                           const std::vector<std::string>& command) {
  std::vector<std::string> words = {hone, "cc"};
  words.insert(words.end(), options.begin(), options.end());
  words.emplace_back("--");
  words.insert(words.end(), command.begin(), command.end());
  return words;
}

// Of an object, a library or a fat binary: "compute_80", "sm_80", "sm_90".
inline std::set<std::string> device_images(std::string_view bytes) {
  constexpr std::string_view magic = "\x50\xed\x55\xba";
  struct Header {
    std::uint32_t magic;
    std::uint16_t version, size;
    std::uint64_t content;
  };
  struct Entry {
    std::uint16_t kind, version;
    std::uint32_t size;
    std::uint64_t content;
    std::uint32_t unknown[3], architecture;
  };
  constexpr std::uint16_t ptx = 1;
  std::set<std::string> images;
  for (std::size_t at = bytes.find(magic); at != std::string_view::npos; at = bytes.find(magic, at + 1)) {
    Header header;
    if (bytes.size() - at < sizeof header) break;
    std::memcpy(&header, bytes.data() + at, sizeof header);
    std::string_view content = bytes.substr(at).substr(std::min<std::size_t>(header.size, bytes.size() - at));
    content = content.substr(0, header.content);
    for (Entry entry; content.size() >= sizeof entry;) {
      std::memcpy(&entry, content.data(), sizeof entry);
      images.insert((entry.kind == ptx ? "compute_" : "sm_") + std::to_string(entry.architecture));
      if (entry.size + entry.content >= content.size()) break;
      content.remove_prefix(entry.size + entry.content);
    }
  }
  return images;
}

// The PTX for "sm_80", of an object that was made with --no-compress.
inline std::string ptx_of(const std::string& object, const std::string& architecture) {
  const std::size_t at = object.find(".target " + architecture);
  return at == std::string::npos ? "" : object.substr(at, object.find('\0', at) - at);
}

// A kernel's part of it. Its labels have the kernel's number among all.
inline std::string code_of(const std::string& object, const std::string& architecture, const std::string& kernel) {
  const std::string text = ptx_of(object, architecture);
  const std::size_t at = text.find(".entry " + kernel);
  return at == std::string::npos
             ? "there is none"
             : std::regex_replace(text.substr(at, text.find("\n}", at) - at), std::regex("__BB[0-9]+_"), "__BB_");
}

}  // namespace hone::tests
