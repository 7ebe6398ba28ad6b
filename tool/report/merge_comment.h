// What changed in a project's lock files, as a comment of a merge request: who reviews it sees what is linked from now
// on, by how much it is faster and where, what was tried, and the code.
//
// A table, then folded parts: for each kernel its figures and its code, and how to reproduce. Never longer than what
// GitHub takes: rows, then code, are cut, and a line says how to see the rest. Everything that came from lock files and
// records stays text (markdown_text.h). Nothing in it is of this machine but what was measured here. Pure.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tool/model/tried.h"
#include "tool/model/verdict.h"

namespace hone::report {

// An entry as it was or is.
struct CommentEntry {
  std::string variant;             // digest; "": searched, and the original is kept
  Speedup speedup;                 // of the variant
  std::vector<std::string> notes;  // "unconfirmed"
};

struct CommentProblem {
  std::string label;
  Speedup speedup;
  double reference_seconds = 0, candidate_seconds = 0;
  std::size_t pairs = 0;
};

struct CommentMachine {
  std::string name;
  std::string standing;  // "holds", "slower", "wrong"
  std::optional<Speedup> speedup;
};

struct CommentKernel {
  std::string name, file;
  unsigned line = 0;    // 0: nobody knows
  std::string outcome;  // "new", "replaced", "measured again", "dropped", "locked"
  std::optional<CommentEntry> before, after;
  std::string machine;   // where the variant was measured
  std::string built_as;  // target and compiler: "x86_64 …, gcc -O3"
  std::string evidence;
  std::vector<TriedLine> tried;
  std::vector<CommentProblem> problems;
  std::vector<CommentMachine> machines;
  std::string code;        // the original against the variant, or the variant alone
  bool is_diff = true;     // `code` is a diff
  std::string about_code;  // a sentence above it, or on why there is none
};

struct CommentLock {
  std::string path;  // as the project knows it: "hone.lock"
  std::string note;  // a sentence: "it is not in that revision"
  std::vector<CommentKernel> kernels;
  std::size_t unchanged = 0;
};

struct MergeComment {
  std::string since;  // the revision; "": all that is locked
  std::vector<CommentLock> locks;
  std::vector<std::string> reproduce;  // shell commands
};

// Nothing is locked, and nothing was: there is nothing to check or to reproduce.
bool holds_nothing(const MergeComment& comment);

// GitHub refuses a comment of more than 65,536 characters; GitLab takes a million.
inline constexpr std::size_t longest_comment = 65'000;

// What a program can know the comment by, to replace it: its first line.
inline constexpr const char* comment_mark = "<!-- hone report -->";

std::string comment_markdown(const MergeComment& comment, std::size_t most = longest_comment);

// {since, locks [{lock, note, unchanged, kernels [{name, file, line, outcome, before, after, machine, …, code}]}],
// reproduce}; before and after are null or {variant, speedup, notes}. Nothing is cut.
std::string comment_json(const MergeComment& comment);

}  // namespace hone::report
