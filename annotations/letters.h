// Which characters beyond ASCII an identifier may have: those of C++11's Annex E without the invisible ones (U+200B,
// U+202E …), which newer compilers refuse too. Wider than Unicode's XID_Continue, so that no name of today's compilers
// is refused; narrow enough that a typographic quote or a no-break blank is no name.
#pragma once

namespace hone::annotations {

bool is_letter(char32_t code);

}  // namespace hone::annotations
