// Where a __global__ kernel is launched in its file, and whether these launches are all that the file shows of it: then
// a variant may bring launches of its own, and takes the place of these.
//
// A launch counts if it is written out in the main file, behind the kernel's definition, in code of the host that is no
// template. Asking for the kernel's attributes or occupancy is no launch. One other use of the kernel, and nobody knows
// where it is launched. Walks what the user's files declare; pure.
#pragma once

#include <string>
#include <vector>

#include "tool/frontend/describe/attachment.h"
#include "tool/frontend/describe/placement.h"
#include "tool/frontend/parse/translation_unit.h"

namespace hone::frontend {

struct Launches {
  std::vector<LaunchSite> sites;
  std::string why_not;  // a sentence: why not all of them can be rewritten; "" where they can
};

Launches find_launches(const TranslationUnit& unit, const Attachment& kernel);

}  // namespace hone::frontend
