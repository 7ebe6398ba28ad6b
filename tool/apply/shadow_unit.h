// A copy of a source beside its object, in which variants stand for the originals, and the command that compiles it as
// if it were the original.
//
// <object>.hone/<name of the source>: same name, so that what compilers derive from it (symbols, .file, -save-temps) is
// unchanged. `#line` (in the text) gives diagnostics, __FILE__ and debug lines their places, -iquote the quoted
// includes, the prefix maps __BASE_FILE__ and the name of the unit in debug info. nvcc is told to keep its intermediate
// files, in <object>.hone/kept: one of them is named in the object, and what it does not keep has a process number for
// a name. All of it goes with the compile; what a killed process left is overwritten by the next one. Never touches
// anything else.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "tool/base/result.h"
#include "tool/command/compiler_line.h"

namespace hone::apply {

class ShadowUnit {
 public:
  // Error: it cannot be written.
  static Result<ShadowUnit> create(const CompilerLine& line, std::string_view text);
  ShadowUnit(ShadowUnit&& other) noexcept;
  ShadowUnit& operator=(ShadowUnit&&) = delete;
  ~ShadowUnit();

  const std::string& path() const { return path_; }
  // `folders`: where quoted headers are looked for behind the source's own.
  std::vector<std::string> command(const CompilerLine& line, const std::vector<std::string>& folders = {}) const;

 private:
  explicit ShadowUnit(std::string path);
  std::string kept_folder() const;
  std::string path_;  // as spelled in the command; "" once moved from
};

// What the command's own -ffile-prefix-map and its kin make of a path: the last that fits counts.
// `kind` is "debug" or "macro".
std::string prefix_mapped(const std::string& path, const std::vector<std::string>& arguments, std::string_view kind);

}  // namespace hone::apply
