// nvcc's own options, and what each means to one who reads or rebuilds an nvcc command.
//
// nvcc's command line is not GCC's: an option has a long name (`--generate-code`) and a short one (`-gencode`), its
// value is the next word or stands behind `=`, and only one-letter names take it without either (`-Iinc`). What nvcc
// does not know (`-fopenmp`, `-march=native` behind -forward-unknown-to-host-compiler) belongs to the host compiler.
// Names: `nvcc --help` of CUDA 13.0, what it takes beside that, and a few that older ones had. The one table: whoever
// reads nvcc's words, in any room, asks it. Pure, std only: the launcher links it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hone {

enum class NvccMeaning {
  code,            // decides the code, in no way of those that follow
  standard,        // of C++: -std
  optimization,    // -O
  mode,            // headers ask for it by a macro: --extended-lambda
  device_code,     // what device code means: -fmad, -rdc …
  architecture,    // -arch
  gpu_code,        // -code
  generated_code,  // -gencode
  macro,           // -D, -U
  folder,          // of headers: -I
  system_folder,   // of headers: -isystem
  header,          // -include
  host_compiler,   // -ccbin
  host_options,    // -Xcompiler: GCC's or Clang's, with commas between
  compile,         // into an object: -c, -dc
  relocatable,     // -dc: a compile with -rdc=true
  other_product,   // -E, -ptx, -dlink …: no object of a source
  output,          // -o
  output_folder,   // -odir
  language,        // -x
  depfile_too,     // -MD, -MMD
  depfile,         // -MF
  phony,           // -MP
  options_file,    // --options-file
  nothing,         // names or shapes outputs, links, warns: of no meaning to the code
};

// Any that decides the code.
constexpr bool decides_code(NvccMeaning meaning) {
  return meaning <= NvccMeaning::generated_code;
}

struct NvccOption {
  std::string_view name;   // long: "--generate-code"
  std::string_view alias;  // short: "-gencode"
  bool takes_value = false;
  NvccMeaning meaning = NvccMeaning::code;
};

// One word of a command, read as nvcc reads it.
struct NvccWord {
  const NvccOption* option = nullptr;  // null: none of nvcc's
  std::string_view value;              // behind `=` or the letter
  bool value_follows = false;          // the value is the next word
};
NvccWord read_nvcc_word(std::string_view word);

// "nvcc", "/usr/local/cuda/bin/nvcc", "nvcc-13.0". Not wrappers, which read GCC's words.
bool is_nvcc(std::string_view program);

// The parts of an option's list: commas separate, but not within double quotes or behind a backslash. The marks stay.
std::vector<std::string> nvcc_list(std::string_view value);

// A text that may hold blanks and commas as a part of -Xcompiler's list: nvcc hands such words to a shell.
// "": it cannot be written there (it holds a character that the shell would read).
std::string nvcc_host_word(std::string_view text);

}  // namespace hone
