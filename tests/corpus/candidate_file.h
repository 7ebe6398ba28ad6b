// One candidate of the corpus: a C++ or CUDA file that says in its leading comments which kernel it would replace, what
// the judge must make of it, and what it tries.
//
//   // kernel: squash                       the file of that name in kernels/
//   // verdict: gate "fork"                 where it must end, and a part of the reason or of the detail
//   // verdict: verify "a" or time "b"      several may be named, where chance decides between them; good ones: right
//   // wall: harmless                       of one that the gate refuses: what happens when the gate is left out
//   // needs: avx512f                       skipped where the processor lacks it
//   // standard: c++17                     what it is compiled as; c++14 where nothing is said, whose headers are short
//   // limit: 2                             seconds that a compile of it may take, where it would take all of them
//   // tries: to start a process            one sentence
//
// The words @SENTINEL@ (a file that everyone may write), @FOLDER@ (the folder around it) and @JUDGE@ (the process that
// judges) stand for what exists only while it is judged.
#pragma once

#include <filesystem>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "tool/model/verdict.h"

namespace hone::corpus {

// One way in which a judgment may end.
struct Ending {
  std::string stage;  // gate compile verify time; right: right, faster or not; harmless: right and not faster
  std::string part;   // of the reason or the detail
};

struct CandidateFile {
  std::string name;  // the file's stem: memory_write_past_end
  std::string kernel;
  std::vector<Ending> verdict;
  std::vector<Ending> wall;
  std::string needs;
  std::string standard = "c++14";
  std::optional<int> limit;
  std::string tries;
  std::string text;
};
void PrintTo(const CandidateFile& file, std::ostream* out);  // for GoogleTest

// All files of a folder by name. Throws std::runtime_error that names a file whose comments say too little.
std::vector<CandidateFile> read_candidates(const std::filesystem::path& folder);

// "" when the verdict is one of those, else what was expected and what came.
std::string differs(const std::vector<Ending>& expected, const Verdict& verdict);

}  // namespace hone::corpus
