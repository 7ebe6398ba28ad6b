// What the machine calls its processor: provenance for a record, never part of a key.
#pragma once

#include <string>

namespace hone::tune {

std::string processor_name();  // "AMD EPYC 9B14, 2 cores"

}  // namespace hone::tune
