// Genomes as text: for reports, and to ask for none of them twice.
#pragma once

#include <string>

#include "tool/model/candidate.h"

namespace hone::search {

// "interchange+tile@1(64,4)": the site is named unless it is the first. "original" for the empty genome.
std::string describe(const Genome& genome);

}  // namespace hone::search
