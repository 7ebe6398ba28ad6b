// Lays out C++ text as the project around it does, for people who read the diff.
//
// Contract: only blanks and line ends change; tokens, includes' order and string literals stay. Text that cannot be
// laid out comes back as it is. Cheap to copy; laying out may be done by several threads.
#pragma once

#include <memory>
#include <string>

namespace clang::format {
struct FormatStyle;
}

namespace hone::frontend {

class Layout {
 public:
  // By the .clang-format that applies to `file`. Where there is none, or it is broken or asks for nothing, by the style
  // that the file itself is written in; LLVM's where it cannot be read.
  explicit Layout(std::string file);

  std::string laid_out(const std::string& text) const;
  // How long lines may be; 0: as long as they like.
  unsigned column_limit() const;

 private:
  std::string file_;
  std::shared_ptr<const clang::format::FormatStyle> style_;
};

}  // namespace hone::frontend
