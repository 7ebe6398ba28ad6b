// Which part of a parsed main file a place belongs to, where a variant stands in it: to the variant, to the code around
// it, or to neither.
//
// The variant's lines are those that #line puts into kCandidateFile, Hone's own glue those in kGlueFile. Headers that
// the variant's own #include lines bring belong to neither, nor do the system's. Borrows the source manager; remembers
// what it was asked of each file. One thread.
#pragma once

#include <clang/Basic/SourceManager.h>

#include <unordered_map>

namespace hone::frontend {

// What #line calls a candidate's own lines.
inline constexpr const char* kCandidateFile = "<candidate>";
// And Hone's own lines beside it.
inline constexpr const char* kGlueFile = "<of hone>";

enum class Region { variant, around, neither };

class FileRegions {
 public:
  explicit FileRegions(const clang::SourceManager& sources) : sources_(sources) {}

  Region of(clang::SourceLocation location) const;
  // The line of the main file that the place stands in, or that includes it; 0: in front of the file, or in the
  // variant.
  unsigned main_line(clang::SourceLocation location) const;

 private:
  struct Header {
    Region region = Region::neither;
    unsigned line = 0;
  };
  const Header& header(clang::FileID file) const;

  const clang::SourceManager& sources_;
  mutable std::unordered_map<unsigned, Header> headers_;
};

}  // namespace hone::frontend
