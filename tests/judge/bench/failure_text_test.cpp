#include "tool/judge/bench/failure_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace hone::judge {
namespace {

TEST(FailureText, DistinguishesLaunchWithoutResourcesFromOtherFailures) {
  EXPECT_TRUE(lacks_room("failed on the device: too many resources requested for launch (n=17, seed 1)"));
  EXPECT_TRUE(lacks_room("failed on the device: too many blocks in cooperative launch (n=17, seed 1)"));
  EXPECT_FALSE(lacks_room("failed on the device: an illegal memory access was encountered (n=17, seed 1)"));
}

TEST(FailureText, DistinguishesMisalignedAccessFromNullPointer) {
  RunnerFailure failure{.kind = RunnerFailure::Kind::crashed};
  failure.fault = {.signal = 11, .code = 1, .address = 0, .write = 0};
  EXPECT_THAT(describe(failure), ::testing::HasSubstr("through a null pointer"));
#if defined(__x86_64__)
  failure.fault.code = 0x80;  // SI_KERNEL
  EXPECT_THAT(describe(failure), ::testing::HasSubstr("a misaligned access"));
#endif
}

TEST(FailureText, NamesRuleThatHarnessFoundBroken) {
  RunnerFailure failure{.kind = RunnerFailure::Kind::crashed};
  failure.fault = {.signal = 11, .code = 1, .address = 0x8002, .write = 1};
  EXPECT_THAT(describe(failure), ::testing::StartsWith("changed the size of a container"));
  failure.fault.address = 0x8004;
  EXPECT_THAT(describe(failure), ::testing::StartsWith("wrote to a member or a variable"));
  failure.fault.write = 0;
  EXPECT_THAT(describe(failure), ::testing::StartsWith("crashed: SIGSEGV")) << "the harness stores";
}

TEST(FailureText, ShortensSanitizerReports) {
  EXPECT_EQ(sanitizer_summary("/src/k.cpp:7:12: runtime error: signed integer overflow: 2147483647 + 1 cannot be "
                              "represented in type 'int'\n"),
            "signed integer overflow: 2147483647 + 1 cannot be represented in type 'int' at /src/k.cpp:7:12");
  EXPECT_EQ(sanitizer_summary(
                "=================\n==12==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x1 at pc 0x2\n"
                "READ of size 4 at 0x1 thread T0\n    #0 0x7f in kernel(float const*, int) /src/k.cpp:9\n"
                "    #1 0x7e in main runner.cpp:2\n"),
            "heap-buffer-overflow reading 4 bytes at /src/k.cpp:9");
  EXPECT_EQ(sanitizer_summary(
                "==================\nWARNING: ThreadSanitizer: data race (pid=2)\n"
                "  Write of size 4 at 0x7b04 by thread T1:\n"
                "    #0 std::vector<float>::push_back(float) /usr/include/c++/12/bits/vector.tcc:117 (4+0x11ab)\n"
                "    #1 operator() candidate:14 (4+0x12ab)\n    #2 <null> <null> (libstdc++.so.6+0xd44a2)\n\n"
                "  Previous atomic read of size 4 at 0x7b04 by main thread (mutexes: write M1):\n"
                "    #0 kernel(float const*, float*, int) /src/k.cpp:9 (4+0x13cd)\n\n"
                "  Location is heap block of size 80\n    #0 posix_memalign ../src/tsan.cpp:88 (libtsan.so.2+0x1)\n"),
            "data race: one thread writes 4 bytes at candidate:14, another reads 4 bytes at /src/k.cpp:9");
  EXPECT_EQ(
      sanitizer_summary("==12==ERROR: AddressSanitizer: SEGV on unknown address\n    #0 0x7f in " +
                        std::string(60'000, 'f') + " /tmp/a:1\n    #1 0x7e in g /tmp/hone-compile-x/candidate:2\n"),
      "SEGV at candidate:2");
  EXPECT_EQ(sanitizer_summary("nothing of note"), "");
}

}  // namespace
}  // namespace hone::judge
