// The kernels that measure a device's arithmetic: the real ptxas translates them, where it is installed.
#include "tool/judge/device/arithmetic_ptx.h"

#include <filesystem>

#include <gtest/gtest.h>
#include <unistd.h>

#include "tool/os/files/files.h"
#include "tool/os/process/process_runner.h"

namespace hone::judge {
namespace {

constexpr const char* ptxas = "/usr/local/cuda/bin/ptxas";

std::size_t count(const std::string& text, const std::string& word) {
  std::size_t found = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++found;
  return found;
}

TEST(ArithmeticPtx, CountsOperationsPerWarpAndRound) {
  const auto operations = [](ArithmeticPipe pipe, const std::string& instruction, double each) {
    const ArithmeticProgram program = arithmetic_program(pipe);
    EXPECT_GT(count(program.ptx, instruction), 100u);
    EXPECT_EQ(program.operations, static_cast<double>(count(program.ptx, instruction)) * each) << instruction;
  };
  operations(ArithmeticPipe::on_float, "fma.rn.f32 ", 2 * 32);
  operations(ArithmeticPipe::on_double, "fma.rn.f64 ", 2 * 32);
  operations(ArithmeticPipe::on_half, "fma.rn.f16x2 ", 2 * 2 * 32);
  operations(ArithmeticPipe::on_tensor_cores, "mma.sync.aligned.m16n8k16", 2 * 16 * 8 * 16);
}

TEST(ArithmeticPtx, IsCompiledByPtxasWithoutDroppingInstructions) {
  if (::access(ptxas, X_OK) != 0) GTEST_SKIP() << "there is no " << ptxas;
  const auto folder = os::TemporaryFolder::create("hone-ptx-test").value();
  os::PosixProcessRunner runner;
  for (const ArithmeticPipe pipe : {ArithmeticPipe::on_float, ArithmeticPipe::on_double, ArithmeticPipe::on_half,
                                    ArithmeticPipe::on_tensor_cores}) {
    const bool tensor = pipe == ArithmeticPipe::on_tensor_cores;
    for (const char* architecture : {"sm_75", "sm_80", "sm_90"}) {
      if (tensor && std::string(architecture) == "sm_75") continue;  // the driver there refuses it: not measured
      const std::string code = folder.path() / "work.cubin";
      const auto ran = runner.run(
          {.arguments = {ptxas, "-arch", architecture, "-o", code, "-"}, .input = arithmetic_program(pipe).ptx});
      ASSERT_TRUE(ran && ran->ok()) << (ran ? ran->err : ran.error().message());
      constexpr std::size_t instructions = 128, bytes_each = 16;
      EXPECT_GT(std::filesystem::file_size(code), instructions * bytes_each) << architecture;
    }
  }
}

}  // namespace
}  // namespace hone::judge
