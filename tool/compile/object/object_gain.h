// What a candidate's object would bring into a program beside its function's code.
//
// The original's object and the candidate's are made of the same text but for the function, by the same command. What
// the second has more of than code, constants and scratch of threads wakes up only when it is linked: constructors,
// sections of other kinds, names that other files see, functions of libraries that no computation needs, data that
// changes. The gate refuses texts that ask for such things; this is asked of what the compiler made of them, whatever
// the text looked like. Milliseconds; pure.
#pragma once

#include <string>
#include <string_view>

namespace hone::compile {

// "" or a sentence that names the symbol or section: "it brings a constructor (.init_array)". Relocatable objects; of
// shared ones (CUDA's) constructors alone. `threads`: whether the kernel may have any.
std::string object_gain(std::string_view original, std::string_view candidate, bool threads);

}  // namespace hone::compile
