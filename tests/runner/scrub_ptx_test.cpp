// The kernel that fills a multiprocessor: the real ptxas translates it, where it is installed.
#include "tool/runner/scrub_ptx.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "tool/compile/toolchain/ptxas_report.h"
#include "tool/os/files/files.h"
#include "tool/os/process/process_runner.h"

namespace hone::runner {
namespace {

constexpr const char* ptxas = "/usr/local/cuda/bin/ptxas";

TEST(ScrubPtx, UsesAllRegistersThatBlockMayHave) {
  if (::access(ptxas, X_OK) != 0) GTEST_SKIP() << "there is no " << ptxas;
  const auto folder = os::TemporaryFolder::create("hone-scrub-test").value();
  os::PosixProcessRunner runner;
  for (const char* architecture : {"sm_75", "sm_80", "sm_90"}) {
    const std::string code = folder.path() / "scrub.cubin";
    const auto ran =
        runner.run({.arguments = {ptxas, "-v", "-arch", architecture, "-o", code, "-"}, .input = scrub_ptx});
    ASSERT_TRUE(ran && ran->ok()) << (ran ? ran->err : ran.error().message());
    const auto functions = compile::read_ptxas_report(ran->err + ran->out);
    ASSERT_EQ(functions.size(), 1u);
    EXPECT_GE(functions[0].registers, 96u) << architecture;
    EXPECT_LE(functions[0].registers * scrub_threads, 65536u) << architecture;
    EXPECT_EQ(functions[0].stack_bytes, 384u) << architecture;
    EXPECT_EQ(functions[0].spill_store_bytes, 0u) << architecture;
  }
}

}  // namespace
}  // namespace hone::runner
