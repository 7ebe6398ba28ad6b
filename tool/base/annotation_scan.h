// A quick look at a source's text, without a compiler: could it hold an annotation?
//
// The launcher asks this of every file that is compiled, so it costs microseconds and links nothing. It answers yes
// when the word `hone` stands anywhere (in `#pragma hone`, in `_Pragma("hone …")`, as an argument of a macro that makes
// one), even where the word is cut by a line splice. Yes may be wrong, no never is for text of that file; a macro of
// another file that makes the whole pragma is not seen. Pure, thread-safe.
#pragma once

#include <string_view>

namespace hone {

bool mentions_hone(std::string_view text);

}  // namespace hone
