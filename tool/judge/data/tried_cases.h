// Notes in a verdict's evidence what one case tried: its scalars, and what its arrays held.
#pragma once

#include "tool/judge/data/case.h"
#include "tool/model/tried.h"

namespace hone::judge {

// Of a case whose answers were compared. Scalars that no problem assigns are left out: they are drawn, and no size.
void note_case(Tried& tried, const KernelData& spec, const Case& c);

}  // namespace hone::judge
