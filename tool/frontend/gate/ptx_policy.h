// May this text stand in device code as an asm statement? What it says is read as PTX, statement by statement.
//
// Instructions, special registers and types go by the lists of ptx_words.h. Of names, only registers and labels count
// that the text itself declares within braces: any other would be a variable or a function of somebody's, or a register
// of the compiler's. Pure; linear in the text, but for labels.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace hone::frontend {

struct PtxObjection {
  std::string why;
  std::size_t at = 0;  // in the text
};

// `operands`: how many the asm statement has.
std::optional<PtxObjection> object_to_ptx_text(std::string_view text, std::size_t operands);

}  // namespace hone::frontend
