// A proposed replacement for a kernel's definition: text, and where it came from.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace hone {

// One step of the built-in proposer: a named transformation at the `site`-th place where it applies in the text as
// the steps before it left it, with the transformation's own arguments (tile sizes, factors, …).
struct Gene {
  std::string transform;
  unsigned site = 0;
  std::vector<int> arguments;
  bool operator==(const Gene&) const = default;
};
using Genome = std::vector<Gene>;

// The gene by which problems that the genes before it are slower on keep the original (tool/transforms/choice).
inline constexpr const char* choice_by_size = "by_size";

struct Candidate {
  std::string source;             // #include lines, helpers, the complete definition
  std::string name;               // short, for reports: "interchange+tile(64)"
  std::string thought;            // why it should be faster
  Genome genome;                  // empty when a model wrote it
  std::string operator_name;      // init, crossover, mutation, …
  std::vector<unsigned> parents;  // trial numbers
  std::string behind_choice;  // the source without its choice by size, which hides it from small sizes; "": it has none
};

// The candidate's leading #include lines, and the rest: the includes go in front of any namespace around the kernel.
struct SplitSource {
  std::string includes;  // each line ends in \n
  std::string definition;
  unsigned definition_line = 1;  // 1-based line of `definition` in the candidate
};
SplitSource split_includes(const std::string& source);

// The built-in proposer's choices at one kernel: what can be done where, and starts that are worth trying first.
struct TransformSite {
  std::string transform;
  unsigned sites = 1;  // gene.site < sites on the untransformed kernel, or with what it calls in place of the calls
  std::vector<std::vector<int>> argument_choices;  // per argument, the values worth trying
  bool less_exact = false;                         // single values come out otherwise rounded
};
struct Catalog {
  std::vector<TransformSite> transforms;
  std::vector<Genome> recipes;  // best guess first
};

}  // namespace hone
