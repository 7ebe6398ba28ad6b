// Compilers warn of a pragma that they do not know, and gcc knows no pragma that would stop it. So what hone_target()
// has not quieted is compiled without the annotations: warnings of other pragmas stay. Pure.
#pragma once

#include <string>

#include "tool/command/compiler_line.h"

namespace hone::apply {

// Does this compile warn of unknown pragmas?
bool warns_of_pragmas(const CompilerLine& line);

// `#pragma hone …` is blank; each line and column keeps its number.
std::string without_annotations(std::string text);

}  // namespace hone::apply
