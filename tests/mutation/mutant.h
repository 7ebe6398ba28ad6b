// One deliberate mistake in a candidate, and the text with it.
#pragma once

#include <string>
#include <vector>

namespace hone::mutation {

struct Mutant {
  std::string kind;    // "comparison"; the kinds are listed in README.md
  unsigned line = 0;   // of the candidate that it was made of
  std::string before;  // the text that was exchanged
  std::string after;
  std::string text;  // the whole candidate, with a comment that says kind and line
};

}  // namespace hone::mutation
