// What the preprocessor made of a main file with a variant in it: every token and pragma that reached the compiler, the
// variant's apart from those around it.
//
// Tokens of system headers are left out, and those of headers that the variant brings. Attach before the parse, read
// behind it, while what was parsed is alive. One thread.
#pragma once

#include <clang/Basic/SourceLocation.h>

#include <memory>
#include <string>
#include <vector>

namespace clang {
class Preprocessor;
}

namespace hone::frontend {

class FileRegions;

struct RecordedToken {
  std::string text;  // a pragma: its whole line
  clang::SourceLocation at;
};

struct TextRecord {
  std::vector<RecordedToken> variant, around;
  std::unique_ptr<FileRegions> regions;
};

// `record` must stay where it is until the parse has ended.
void attach(clang::Preprocessor& preprocessor, TextRecord& record);

}  // namespace hone::frontend
