#include "cache/target_fit.h"

#include <algorithm>
#include <set>
#include <sstream>
#include <vector>

#include "tool/command/cuda_architecture.h"

namespace hone::cache {
namespace {

// A target's words: those of GPUs, and those of the processor.
struct Words {
  bool cuda = false;
  std::set<std::string> architectures;
  std::string processor;  // "x86_64"; "" where a GPU's target names none
  std::set<std::string> features;
};

Words words_of(const std::string& target) {
  Words words;
  std::istringstream text(target);
  for (std::string word; text >> word;) {
    if (word == "cuda")
      words.cuda = true;
    else if (words.cuda && architecture_number(word) > 0)
      words.architectures.insert(word);
    else if (words.processor.empty())
      words.processor = word;
    else
      words.features.insert(word);
  }
  return words;
}

std::string family_of(const std::string& compiled_with) {
  return compiled_with.substr(0, compiled_with.find(' '));
}

bool includes(const std::set<std::string>& all, const std::set<std::string>& some) {
  return std::ranges::includes(all, some);
}

// Whatever the oldest of them had, each of the others has.
bool reaches_back(const std::string& here, const std::string& earlier) {
  const auto now = code_architectures(here), then = code_architectures(earlier);
  return !now.empty() && !then.empty() && now.front() >= then.front();
}

}  // namespace

const char* to_string(TargetFit fit) {
  switch (fit) {
    case TargetFit::none:
      return "none";
    case TargetFit::compatible:
      return "compatible";
    case TargetFit::same_features:
      return "same features";
    case TargetFit::exact:
      return "exact";
  }
  return "";
}

TargetFit target_fit(const TunedFor& earlier, const TunedFor& here) {
  const bool unsaid = earlier.compiled_with.empty();
  if (!unsaid && family_of(earlier.compiled_with) != family_of(here.compiled_with)) return TargetFit::none;
  const Words then = words_of(earlier.target), now = words_of(here.target);
  if (then.cuda != now.cuda || then.processor != now.processor) return TargetFit::none;
  if (then.architectures == now.architectures && then.features == now.features)
    return earlier.compiled_with == here.compiled_with ? TargetFit::exact : TargetFit::same_features;
  const bool code = !now.cuda || reaches_back(here.target, earlier.target);
  return code && includes(now.features, then.features) ? TargetFit::compatible : TargetFit::none;
}

TargetFit target_fit(const LockEntry& earlier, const TunedFor& here) {
  return target_fit(TunedFor{earlier.target, earlier.compiled_with}, here);
}

}  // namespace hone::cache
