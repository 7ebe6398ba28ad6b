// How long verification goes on trying cases. The first case of each declared problem is judged whatever it takes.
#pragma once

#include "tool/bundle/bundle.h"

namespace hone::judge {

// Seconds. A trial is one of hundreds of candidates, a winner is one.
constexpr double verification_budget(bundle::Depth depth) {
  return depth == bundle::Depth::trial ? 0.15 : depth == bundle::Depth::thorough ? 0.3 : 0.8;
}

}  // namespace hone::judge
