// Do two objects of a compiler hold the same machine code of a function?
//
// One is made of the unit that is judged, the other of the user's whole file. What is equal there is what was judged;
// what is not was compiled otherwise: the text around it made a difference. Compared are the function, byte by byte,
// and all that it reaches in its object: other functions, constants, tables. What the linker fills in is compared by
// what it refers to: a global symbol by its name, a local one by its content, since compilers number these. Both have
// to be compiled with a section for each function (-ffunction-sections), else calls within a section hold distances.
// Tables for exceptions are not looked at. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hone::compile {

// "" or a sentence on the first difference. A function of `names` that neither object has is passed over: it went into
// its callers.
std::string code_difference(std::string_view judged, std::string_view linked, const std::vector<std::string>& names);

}  // namespace hone::compile
