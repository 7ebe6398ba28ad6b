// Tokens with a blank between any two, as request keys have a function's text, laid out for who reads them.
//
// A statement a line, two blanks a level. No token is changed, and none run together: the compiler reads the same. A
// guess where lines end, since nothing is parsed. Lines of the preprocessor stay what they are. Pure; any bytes are
// welcome.
#pragma once

#include <string>
#include <string_view>

namespace hone::search {

std::string laid_out_tokens(std::string_view tokens);

}  // namespace hone::search
