// Man pages: hone.1 and one for each command, in the man macros that groff and mandoc know. Pure.
#pragma once

#include <string>

#include "tool/manual/command_text.h"

namespace hone::manual {

std::string man_page(const ProgramText& program);                              // hone.1
std::string man_page(const ProgramText& program, const CommandText& command);  // hone-tune.1

}  // namespace hone::manual
