// How well what was tuned for one build fits another: the processor's features or the GPU's architectures, and what
// compiles for them.
//
// Only what fits exactly is ever linked: the request key sees to that, and this type takes no part in it. The others
// say what an earlier variant is worth trying as. Pure.
#pragma once

#include <string>

#include "cache/lock_file.h"

namespace hone::cache {

enum class TargetFit {
  none,           // it asks for features that this build has not, for an older GPU, or for another compiler family
  compatible,     // all that it may use is here, and more
  same_features,  // the same target, with other options of the same compiler family; or nobody noted which
  exact,          // the same target, compiler family and options
};
const char* to_string(TargetFit fit);  // "same features"

struct TunedFor {
  std::string target;         // KernelIdentity::target
  std::string compiled_with;  // "gcc -O3"; "": nobody noted it
};

TargetFit target_fit(const TunedFor& earlier, const TunedFor& here);
TargetFit target_fit(const LockEntry& earlier, const TunedFor& here);

}  // namespace hone::cache
