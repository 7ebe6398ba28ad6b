// A kernel that an earlier search made faster: its text before and after, as a judge verified them.
//
// Who reads the store makes it (tool/lock/verified_pairs.h); prompts show it as an example, or its winner alone. Plain
// values. It holds source of the user's, and no path, host or date.
#pragma once

#include <string>

namespace hone::search {

struct VerifiedPair {
  std::string kernel;    // its name for people
  std::string key;       // request key
  std::string language;  // as TaskFacts has it: "c++17", "cuda c++17", "gnu11"
  std::string original;  // with what of the project's it reaches
  std::string winner;
  std::string thought;  // why it is faster; "" where nobody said
  double gain = 1;      // how many times as fast
  bool operator==(const VerifiedPair&) const = default;
};

}  // namespace hone::search
