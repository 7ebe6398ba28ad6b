#include "tool/tune/profile/machine_code_feedback.h"

#include <gtest/gtest.h>

namespace hone::tune {
namespace {

TEST(DeviceResources, ReportRegistersMemoryAndSpills) {
  EXPECT_EQ(device_resources({{"step(float*)", "_Z4stepPf", "sm_90", 24, 1, 1024, 360, 0, 0, 0},
                              {"other()", "_Z5otherv", "sm_80", 255, 0, 0, 360, 16, 24, 32}}),
            "- step(float*) on sm_90: 24 registers a thread, 1024 bytes of shared memory a block, no spills\n"
            "- other() on sm_80: 255 registers a thread, 16 bytes of stack in local memory a thread, spills (24 bytes "
            "stored, 32 loaded)\n");
  EXPECT_EQ(device_resources({{"a"}, {"b"}}, 1), "- a on : 0 registers a thread, no spills\n- …\n");
  EXPECT_EQ(device_resources({}), "");
}

// As cuobjdump of CUDA 13.0 prints it, shortened.
constexpr const char* machine_code = R"sass(
Fatbin elf code:
================
arch = sm_90

	code for sm_90
		Function : _Z4stepPf
	.headerflags	@"EF_CUDA_TEXMODE_UNIFIED EF_CUDA_64BIT_ADDRESS EF_CUDA_SM90 EF_CUDA_VIRTUAL_SM(EF_CUDA_SM90)"
        /*0000*/                   LDC R1, c[0x0][0x28] ;                       /* 0x00000a00ff017b82 */
                                                                                /* 0x000fe20000000800 */
        /*0010*/                   LDG.E.128 R4, desc[UR4][R2.64] ;             /* 0x0000000402047981 */
                                                                                /* 0x000ea8000c1e1d00 */
        /*0020*/                   LDG.E R8, desc[UR4][R2.64+0x10] ;            /* 0x0000100402087981 */
        /*0030*/                   FFMA R4, R4, R8, R5 ;                        /* 0x0000000804047223 */
        /*0040*/              @!P0 BRA 0x20 ;                                   /* 0xfffffffc00d48947 */
        /*0050*/                   STS.128 [R0], R4 ;                           /* 0x0000000400007388 */
        /*0060*/                   EXIT ;                                       /* 0x000000000000794d */
        /*0070*/                   BRA 0x70;                                    /* 0xfffffffc00fc7947 */
        /*0080*/                   NOP;                                         /* 0x0000000000007918 */
		..........
		Function : plain
        /*0000*/                   EXIT ;                                       /* 0x000000000000794d */
)sass";

TEST(InstructionMix, CountsInstructionsOfEachFunction) {
  EXPECT_EQ(
      instruction_mix(machine_code),
      "- step(float*) on sm_90: 8 instructions, 1 loop: global loads 2 (1 of 128 bits), shared stores 1, float 1\n"
      "- plain on sm_90: 1 instructions\n");
  EXPECT_EQ(instruction_mix(machine_code, 1).substr(0, 8), "- step(f");
  EXPECT_EQ(instruction_mix("no machine code\n/*\n*/;\n/*0000*/ FADD;\n"), "");
}

}  // namespace
}  // namespace hone::tune
