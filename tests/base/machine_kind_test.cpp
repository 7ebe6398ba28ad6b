// Kinds of machines: what processors call themselves, and what is left of it.
#include "tool/base/machine_kind.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace hone {
namespace {

TEST(MachineKind, IsProcessorsModelAlone) {
  EXPECT_EQ(kind_of_processor("AMD EPYC 9V74 80-Core Processor                ", 25, 17), "AMD EPYC 9V74");
  EXPECT_EQ(kind_of_processor("Intel(R) Xeon(R) Platinum 8480C", 6, 143), "Intel Xeon Platinum 8480C");
  EXPECT_EQ(kind_of_processor("Intel(R) Xeon(R) CPU E5-2673 v4 @ 2.30GHz", 6, 79), "Intel Xeon E5-2673 v4");
  EXPECT_EQ(kind_of_processor("11th Gen Intel(R) Core(TM) i7-1165G7 @ 2.80GHz", 6, 140),
            "11th Gen Intel Core i7-1165G7");
  EXPECT_EQ(kind_of_processor("AMD Ryzen 7 5800H with Radeon Graphics", 25, 80), "AMD Ryzen 7 5800H");
}

TEST(MachineKind, HasFamilyAndModelWhereNameHasNone) {
  EXPECT_EQ(kind_of_processor("AMD EPYC", 25, 1), "AMD EPYC, family 25 model 1");
  EXPECT_EQ(kind_of_processor("Intel(R) Xeon(R) CPU @ 2.20GHz", 6, 85), "Intel Xeon, family 6 model 85");
  EXPECT_EQ(kind_of_processor("QEMU Virtual CPU version 2.5+", 15, 107),
            "QEMU Virtual version 2.5+, family 15 model 107");
  EXPECT_EQ(kind_of_processor("", 6, 1), "processor, family 6 model 1");
}

TEST(MachineKind, StaysAsItIsIfTidiedAgain) {
  for (const char* kind : {"AMD EPYC 9V74", "AMD EPYC, family 25 model 1", "NVIDIA H200 (sm_90)",
                           "Quadro P2000 with Max-Q Design (sm_61)", "implementer 0x41 part 0xd40"}) {
    EXPECT_EQ(tidy_kind(kind), kind);
    EXPECT_TRUE(is_machine_kind(kind)) << kind;
  }
  EXPECT_EQ(tidy_kind("AMD EPYC 9V74 80-Core Processor"), "AMD EPYC 9V74") << "as a person copies it";
}

TEST(MachineKind, IsNoHostAddressOrPath) {
  for (const char* text : {"", "a", "build@ci", "/home/someone", "10.0.0.1:22", "two\nlines", "AMD  EPYC", "\"x\"\""})
    EXPECT_FALSE(is_machine_kind(text)) << text;
  EXPECT_FALSE(is_machine_kind(std::string(101, 'x')));
}

TEST(MachineKind, KnowsDevicesByTheirArchitecture) {
  EXPECT_EQ(device_kind("NVIDIA H200", "sm_90"), "NVIDIA H200 (sm_90)");
  EXPECT_EQ(architecture_of_kind("NVIDIA H200 (sm_90)"), "sm_90");
  EXPECT_EQ(architecture_of_kind("AMD EPYC 9V74"), "");
}

TEST(MachineKind, IsReadFromSystemWhereProcessorCannotBeAsked) {
  EXPECT_EQ(kind_in("processor\t: 0\nBogoMIPS\t: 50.00\nCPU implementer\t: 0x41\nCPU part\t: 0xd40\n"),
            "implementer 0x41 part 0xd40");
  EXPECT_EQ(kind_in("model name\t: AMD EPYC 7763 64-Core Processor\n"), "AMD EPYC 7763");
  EXPECT_EQ(kind_in(""), "unknown processor");
}

// What this processor says of itself, and what its system writes down.
TEST(MachineKind, BeginsHereAsSystemNamesProcessor) {
  EXPECT_TRUE(is_machine_kind(processor_kind())) << processor_kind();
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("model name")) {
      EXPECT_TRUE(processor_kind().starts_with(tidy_kind(line.substr(line.find(':') + 1)))) << line;
      return;
    }
}

}  // namespace
}  // namespace hone
