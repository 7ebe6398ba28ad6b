// The command line that a build hands to a compiler, read just far enough to know what is compiled into what.
//
// Knows GCC's, Clang's and nvcc's spelling. Only a compile of one C, C++ or CUDA source into one object (or assembly
// file) is a CompilerLine; preprocessing, linking, dependency scans, headers and several sources at once are not. Reads
// response files (@file, nvcc's --options-file), else touches nothing. Pure otherwise, thread-safe, std only: the
// launcher links it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hone {

// As what the compiler reads the source: by -x, else by the source's name and the compiler's, as `g++ a.c` is C++.
enum class SourceLanguage { c, c_plus_plus, cuda };

// What -x of GCC and Clang calls it: "c", "c++".
const char* language_word(SourceLanguage language);

struct CompilerLine {
  std::vector<std::string> arguments;  // as given, response files expanded
  std::size_t compiler = 0;            // index of the compiler: what stands before it (ccache) launches it
  std::size_t source = 0;              // index of the main source
  bool nvcc = false;                   // the compiler is nvcc, whose words are its own (nvcc_options.h)
  SourceLanguage language = SourceLanguage::c_plus_plus;
  std::string output;                // of -o, else what the compiler calls it by itself
  std::string depfile;               // "": none is written
  bool phony_prerequisites = false;  // -MP
};

// Index of the compiler: behind launchers, with or without options of their own (`nice -n 5 ccache g++`, `hone cc --`).
// Of a line that names none, the last word that may be one; 0 of an empty line.
std::size_t find_compiler(const std::vector<std::string>& arguments);

// nullopt: not the compile of one source.
std::optional<CompilerLine> read_compiler_line(const std::vector<std::string>& arguments);

// A command that makes something of sources that is no CompilerLine: it compiles several, or links at once.
struct SourcesLine {
  std::vector<std::string> arguments;  // response files expanded
  std::vector<std::size_t> sources;    // their indices
  bool apart = false;                  // each gets an object of its own: -c without -o, and no nvcc

  // What the command does with one of them; of those that are apart.
  std::vector<std::string> command_for(std::size_t source) const;
};
// nullopt: it is a CompilerLine, or makes nothing of sources: it preprocesses, scans, links objects.
std::optional<SourcesLine> read_sources_line(const std::vector<std::string>& arguments);

// "g++", "/usr/bin/aarch64-linux-gnu-clang++-19", "mpicxx": it reads C sources as C++.
bool is_plus_plus_driver(std::string_view program);

// The words of a response file, by GCC's rules: blanks separate, quotes and backslashes protect.
std::vector<std::string> response_words(std::string_view text);

}  // namespace hone
