// A compile's main file as one text: with the annotated headers of the project written out in it, where it includes
// them.
//
// A variant replaces text, and everything here looks at the main file's text. So a header that is annotated, and each
// header that includes one, stands in the main file in place of its first #include; where it is included again, nothing
// stands. What the compiler sees is the same but for the names of files and the numbers of lines, which Origins give
// back. Whoever edits the text for other reasons keeps them too (edited()). Headers that are included further on are
// found as before: by -iquote with the written-out header's folder, or, where that would find another file, by their
// path. Without annotated headers the text is the file's own.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "tool/base/result.h"
#include "tool/command/compile_command.h"
#include "tool/frontend/parse/clang_options.h"

namespace hone::frontend {

class Parsed;
class Parser;

// A place in a file as the user knows it.
struct FilePlace {
  std::string file;
  unsigned line = 0;
};

// Which of the user's files each byte of a main text is from. Values.
class Origins {
 public:
  Origins() = default;
  explicit Origins(std::string main_file) : main_file_(std::move(main_file)) {}

  // From `begin` on the text is that of `file`, from the line `line` on. In the order of the text.
  void add(std::size_t begin, std::string file, unsigned line) {
    if (!pieces_.empty() && pieces_.back().begin == begin) pieces_.pop_back();
    pieces_.push_back({begin, {std::move(file), line}});
  }

  FilePlace place(const std::string& text, std::size_t at) const;
  // `line` counts the lines of the whole text.
  FilePlace place_of_line(const std::string& text, unsigned line) const;

  bool one_file() const { return pieces_.empty(); }
  // Where a piece begins that is not the text's first.
  std::vector<std::size_t> borders() const;

 private:
  struct Piece {
    std::size_t begin = 0;
    FilePlace place;
  };
  std::string main_file_;
  std::vector<Piece> pieces_;
};

// Takes the place of [begin, end) of a main text.
struct TextEdit {
  std::size_t begin = 0, end = 0;
  std::string text;
  std::size_t from = 0;  // where in the main text it is from: it gets that place's file and line
};

struct MainText {
  std::string text;
  CompileCommand command;            // that finds what the text includes
  Origins origins;                   // files as the compiler opens them
  std::vector<std::string> headers;  // those that are written out, so spelled
  std::vector<std::string> folders;  // where the compiler is to look for quoted headers behind the source's own
};

// The same file with other text in places. Edits are sorted and do not overlap; several at one place stay in order.
MainText edited(MainText main, const std::vector<TextEdit>& edits);

// `looked` is told what was read where headers had to be looked for, whether or not one is written out. Error: the file
// or the command is unusable.
using LookedThrough = std::function<void(const Parsed&, const Parser&)>;
Result<MainText> read_main_text(
    const CompileCommand& command, const Options& options,
    const LookedThrough& looked = [](const Parsed&, const Parser&) {});

}  // namespace hone::frontend
