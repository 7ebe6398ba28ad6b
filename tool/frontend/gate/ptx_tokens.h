// The text of an asm statement in device code, cut into words: read as CUDA's compilers read it.
//
// nvcc replaces %0 by a register, %% by %, and drops what follows any other %, so that "%%clo%{ck" is %clock. Behind it
// ptxas reads what is left, beside the compiler's own code. So whatever two readers could take in two ways is wrong
// here: comments in comments, backslashes, dollars, an operand within a word, quotes, characters that nobody sees.
// Pure; linear in the text.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace hone::frontend {

struct PtxToken {
  enum class Kind { word, modifier, number, operand, special, mark };
  Kind kind;
  std::string_view text;  // of a modifier without its dot, of a special register and an operand without '%'
  std::size_t at = 0;     // in the statement's text
};

struct PtxText {
  std::vector<PtxToken> tokens;
  std::string wrong;  // "" or what cannot be read, at the place
  std::size_t wrong_at = 0;
};

// `operands`: how many the statement has. Of a statement without any, compilers leave a single % as it is. The tokens
// look into `text`.
PtxText read_ptx(std::string_view text, std::size_t operands);

}  // namespace hone::frontend
