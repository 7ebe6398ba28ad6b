// One small operation applied to each 32-bit word, chosen by an op code: enum class and a switch inside the loop.
#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace wordvm {

enum class Op : std::uint8_t { AddSaturated, SubSaturated, Xor, ClearBits, RotateLeft, ShiftRight, Max, CountBits };

struct WordOp {
  std::uint8_t code;
  std::uint8_t amount;
  std::uint32_t operand;

  Op op() const { return static_cast<Op>(code & 7u); }
  int shift() const { return amount & 31; }
};

inline std::uint32_t add_saturated(std::uint32_t a, std::uint32_t b) {
  const std::uint32_t sum = a + b;
  return sum < a ? UINT32_MAX : sum;
}

inline std::uint32_t sub_saturated(std::uint32_t a, std::uint32_t b) { return a > b ? a - b : 0u; }

}  // namespace wordvm

#pragma hone kernel inout(words[0:words.size()]) problem(program.size()=2003, words.size()=2003)
void run_word_ops(std::span<const wordvm::WordOp> program, std::vector<std::uint32_t>& words) {
  using wordvm::Op;
  const std::size_t n = std::min(program.size(), words.size());
  for (std::size_t i = 0; i < n; ++i) {
    const wordvm::WordOp& step = program[i];
    std::uint32_t& word = words[i];
    switch (step.op()) {
      case Op::AddSaturated:
        word = wordvm::add_saturated(word, step.operand);
        break;
      case Op::SubSaturated:
        word = wordvm::sub_saturated(word, step.operand);
        break;
      case Op::Xor:
        word ^= step.operand;
        break;
      case Op::ClearBits:
        word &= ~step.operand;
        break;
      case Op::RotateLeft:
        word = std::rotl(word, step.shift());
        break;
      case Op::ShiftRight:
        word >>= step.shift();
        break;
      case Op::Max:
        word = std::max(word, step.operand);
        break;
      case Op::CountBits:
        word = static_cast<std::uint32_t>(std::popcount(word & step.operand));
        break;
    }
  }
}
