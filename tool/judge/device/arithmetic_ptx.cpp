#include "tool/judge/device/arithmetic_ptx.h"

#include <string_view>

namespace hone::judge {
namespace {

constexpr unsigned chains = 8;       // that do not wait for one another, which hides how long an instruction takes
constexpr unsigned in_a_round = 16;  // instructions of a chain, so that the loop's own weigh nothing

// `#` stands for the number of a chain.
struct Words {
  std::string_view version, target;
  std::string_view registers;  // that all chains have
  std::string_view start;      // of a chain, from %thread
  std::string_view step;
  std::string_view end;  // of a chain, into %word
  double operations;     // of a warp in a step
};

Words words_of(ArithmeticPipe pipe) {
  switch (pipe) {
    case ArithmeticPipe::on_float:
      return {"6.3",
              "sm_60",
              ".reg .f32 %factor;\n cvt.rn.f32.u32 %factor, %thread;\n",
              ".reg .f32 %a#;\n add.f32 %a#, %factor, 0f3F80000#;\n",
              "fma.rn.f32 %a#, %a#, %factor, %factor;\n",
              "mov.b32 %word, %a#;\n",
              2 * 32};
    case ArithmeticPipe::on_double:
      return {"6.3",
              "sm_60",
              ".reg .f64 %factor;\n.reg .b32 %other;\n cvt.rn.f64.u32 %factor, %thread;\n",
              ".reg .f64 %a#;\n add.f64 %a#, %factor, 0d3FF000000000000#;\n",
              "fma.rn.f64 %a#, %a#, %factor, %factor;\n",
              "mov.b64 {%word, %other}, %a#;\n",
              2 * 32};
    case ArithmeticPipe::on_half:
      return {"6.3",
              "sm_60",
              ".reg .b32 %factor;\n add.u32 %factor, %thread, 0x3c003c00;\n",
              ".reg .b32 %a#;\n add.u32 %a#, %thread, 0x3c003c0#;\n",
              "fma.rn.f16x2 %a#, %a#, %factor, %factor;\n",
              "mov.b32 %word, %a#;\n",
              2 * 2 * 32};
    case ArithmeticPipe::on_tensor_cores:
      return {"7.0",
              "sm_80",
              ".reg .b32 %factor;\n add.u32 %factor, %thread, 0x3c003c00;\n",
              ".reg .f32 %a#, %b#, %c#, %d#;\n cvt.rn.f32.u32 %a#, %thread;\n mov.f32 %b#, 0f3F80000#;\n"
              " mov.f32 %c#, %b#;\n mov.f32 %d#, %b#;\n",
              "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%a#, %b#, %c#, %d#}, "
              "{%factor, %factor, %factor, %factor}, {%factor, %factor}, {%a#, %b#, %c#, %d#};\n",
              "add.f32 %a#, %a#, %b#;\n add.f32 %a#, %a#, %c#;\n add.f32 %a#, %a#, %d#;\n mov.b32 %word, %a#;\n",
              2.0 * 16 * 8 * 16};
  }
  return {};
}

void add_for_each_chain(std::string& ptx, std::string_view words) {
  for (unsigned chain = 0; chain < chains; ++chain)
    for (const char letter : words)
      if (letter == '#')
        ptx += static_cast<char>('0' + chain);
      else
        ptx += letter;
}

}  // namespace

ArithmeticProgram arithmetic_program(ArithmeticPipe pipe) {
  const Words words = words_of(pipe);
  std::string ptx = ".version ";
  ptx.append(words.version).append("\n.target ").append(words.target);
  ptx += R"(
.address_size 64
.visible .entry work(.param .u64 out, .param .u32 rounds)
{
.reg .pred %again, %stored;
.reg .b32 %thread, %left, %word, %all;
.reg .b64 %out;
 ld.param.u64 %out, [out];
 ld.param.u32 %left, [rounds];
 mov.u32 %thread, %tid.x;
 mov.u32 %all, 0;
)";
  ptx += words.registers;
  add_for_each_chain(ptx, words.start);
  ptx += "round:\n";
  for (unsigned step = 0; step < in_a_round; ++step) add_for_each_chain(ptx, words.step);
  ptx += R"( sub.u32 %left, %left, 1;
 setp.ne.u32 %again, %left, 0;
 @%again bra round;
)";
  add_for_each_chain(ptx, std::string(words.end) + " xor.b32 %all, %all, %word;\n");
  // A value that does not come out, of which the compiler does not know that.
  ptx += R"( setp.eq.u32 %stored, %all, 0x7fedcba9;
 @%stored st.global.u32 [%out], %all;
 ret;
}
)";
  return {std::move(ptx), words.operations * chains * in_a_round};
}

}  // namespace hone::judge
