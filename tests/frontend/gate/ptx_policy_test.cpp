// PTX of asm statements, as text: what computes passes; what hides, reaches out or is unknown is named with its place.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "tool/frontend/gate/ptx_policy.h"
#include "tool/frontend/gate/ptx_words.h"

namespace hone::frontend {
namespace {

using testing::HasSubstr;

// "" or the reason, with the line of the text in front where it is not the first.
std::string look(const std::string& text, std::size_t operands = 4) {
  const auto objection = object_to_ptx_text(text, operands);
  if (!objection) return "";
  const auto line = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(objection->at), '\n');
  return (line == 0 ? "" : std::to_string(line + 1) + ": ") + objection->why;
}

TEST(PtxPolicy, AcceptsWhatComputes) {
  for (const char* text : {
           "",
           "  ;",
           "mov.u32 %0, %%laneid;",
           "mov.u32 %0, %%tid.x; mov.u32 %1, %%nctaid.z;\n",
           "fma.rn.ftz.f32 %0, %1, 0f3F800000, 1.5;",
           "lop3.b32 %0, %1, %2, %3, 0xE8;",
           "add.cc.u32 %0, %1, %2; addc.u32 %0, %1, -1;",
           "cvt.rn.bf16x2.f32 %0, %1, %2;",
           "cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;",
           "prmt.b32 %0, %1, %2, 0x5410;",
           "{ .reg .pred p; setp.lt.s32 p, %1, 3; selp.b32 %0, %1, %2, p; }",
           "{ .reg .pred p<3>; setp.eq.and.s32 p1|p2, %1, %2, !p0; @!p1 mov.b32 %0, %1; }",
           "{.reg .b32 lo, hi;\nmov.b64 {lo, hi}, %1; // the halves\nadd.u32 %0, lo, hi;\n}",
           "{ .reg .b32 %%rx; .reg .pred %%px; elect.sync %%rx|%%px, %2; @%%px mov.s32 %1, 1; mov.s32 %0, %%rx; }",
           "{ .reg .v4 .f32 v; mov.f32 %0, v.x; }",
           "{ .reg .u32 i; mov.u32 i, 0; again: add.u32 i, i, 1; { .reg .pred p; setp.lt.u32 p, i, %1; @p bra again; } "
           "}",
       })
    EXPECT_EQ(look(text), "") << text;
}

TEST(PtxPolicy, AcceptsWhatMovesData) {
  for (const char* text : {
           "ld.global.nc.L1::no_allocate.L2::256B.v4.u32 {%0, %1, %2, %3}, [%0+16];",
           "ld.global.L1::evict_last.L2::cache_hint.v2.f64 {%0, %1}, [%2 + -8], %3;",
           "ld.acquire.gpu.global.u32 %0, [%1];",
           "st.global.cs.v4.f32 [%0], {%1, %2, %3, %3};",
           "st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], %1, [%2];",
           "cvta.to.shared.u64 %0, %1;",
           "ldmatrix.sync.aligned.m8n8.x4.trans.shared::cta.b16 {%0,%1,%2,%3}, [%0];",
           "stmatrix.sync.aligned.m8n8.x2.shared.b16 [%0], {%1, %2};",
           "cp.async.cg.shared.global.L2::128B [%0], [%1], 16, %2;",
           "cp.async.commit_group; cp.async.wait_group %0; cp.async.wait_all;",
           "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];",
           "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster"
           ".L2::cache_hint [%0], [%1, {%2, %3}], [%0], %1, %2;",
           "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 [%0], [%1], %2;",
           "cp.async.bulk.wait_group.read 0;",
           "prefetch.global.L2 [%0]; prefetch.tensormap [%1];",
           "createpolicy.fractional.L2::evict_first.b64 %0, 1.0;",
           "shfl.sync.bfly.b32 %0, %1, 16, 0x1f, 0xffffffff;",
           "{ .reg .pred p; vote.sync.any.pred p, 1, -1; elect.sync _|p, 0xffffffff; redux.sync.add.s32 %0, %1, %2; }",
           "atom.global.cta.relaxed.cas.b32 %0, [%1], %2, %3; red.relaxed.gpu.global.add.f32 [%0], %1;",
           "mapa.shared::cluster.u32 %0, %1, %2;",
       })
    EXPECT_EQ(look(text), "") << text;
}

TEST(PtxPolicy, AcceptsMatricesAndBarriers) {
  for (const char* text : {
           "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%0,%1,%2,%3}, {%0,%1}, {%0,%1,%2,%3};",
           "mma.sync.aligned.m16n8k32.row.col.kind::mxf8f6f4.block_scale.scale_vec::1X.f32.e4m3.e4m3.f32.ue8m0 "
           "{%0,%1,%2,%3}, {%0,%1,%2,%3}, {%0,%1}, {%0,%1,%2,%3}, %0, {0, 1}, %1, {0, 1};",
           "wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 {%0,%1,%2,%3}, [%0], 16;",
           "wgmma.fence.sync.aligned; wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;",
           "{ .reg .pred p; setp.ne.b32 p, %3, 0; wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0,%1}, %2, %3, "
           "p, "
           "1, 1, 0, 0; }",
           "bar.sync 1, 128; barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;",
           "mbarrier.init.shared::cta.b64 [%0], 1; fence.mbarrier_init.release.cluster; fence.proxy.async.shared::cta;",
           "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;",
           "{\n.reg .pred P1;\nLAB_WAIT:\nmbarrier.try_wait.parity.shared::cta.b64 P1, [%0], %1;\n@P1 bra DONE;\nbra "
           "LAB_WAIT;\nDONE:\n}",
           "membar.gl; fence.acq_rel.gpu; setmaxnreg.inc.sync.aligned.u32 240; nanosleep.u32 64;",
       })
    EXPECT_EQ(look(text), "") << text;
}

struct BadPtx {
  const char* text;
  const char* reason;
  std::size_t operands = 4;
};
void PrintTo(const BadPtx& bad, std::ostream* out) {
  *out << bad.text;
}

class PtxPolicyViolation : public testing::TestWithParam<BadPtx> {};

TEST_P(PtxPolicyViolation, IsRejectedWithReason) {
  EXPECT_THAT(look(GetParam().text, GetParam().operands), HasSubstr(GetParam().reason));
}

INSTANTIATE_TEST_SUITE_P(
    Refused, PtxPolicyViolation,
    testing::Values(
        BadPtx{"mov.u32 %0, %%clock;", "'%clock' in assembly is not allowed: it reads a clock"},
        BadPtx{"mov.u64 %0, %%globaltimer;", "'%globaltimer' in assembly"},
        BadPtx{"mov.u32 %0, %%smid;", "where on the device"}, BadPtx{"mov.u32 %0, %%warpid;", "where on the device"},
        BadPtx{"mov.u32 %0, %%pm0;", "'%pm0' in assembly is not allowed"},
        BadPtx{"mov.u32 %0, %%r1;", "'%r1' in assembly is not allowed"},
        BadPtx{"\n\ntrap;", "3: 'trap' in assembly is not allowed: it ends the program's work"},
        BadPtx{"brkpt;", "'brkpt'"}, BadPtx{"exit;", "'exit'"}, BadPtx{"ret;", "'ret'"},
        BadPtx{"pmevent 1;", "a profiler"}, BadPtx{"call (%0), f, (%1);", "'call' in assembly is not allowed"},
        BadPtx{"griddepcontrol.wait;", "cudaGridDependencySynchronize"},
        BadPtx{"clusterlaunchcontrol.try_cancel.async.b128 [%0], [%1];", "'clusterlaunchcontrol'"},
        BadPtx{"discard.global.L2 [%0], 128;", "without content"},
        BadPtx{"multimem.red.add.f32 [%0], %1;", "other devices"},
        BadPtx{"tex.1d.v4.f32.f32 {%0,%1,%2,%3}, [%0, {%1}];", "textures"}, BadPtx{"alloca.u32 %0, 8;", "stack"},
        BadPtx{"tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], 32;", "not among the PTX"},
        BadPtx{"frobnicate.u32 %0;", "'frobnicate' in assembly is not allowed"},
        BadPtx{"ld.volatile.global.u32 %0, [%1];", "'ld.volatile' in assembly is not allowed"},
        BadPtx{"ld.mmio.relaxed.sys.u32 %0, [%1];", "'ld.mmio'"}, BadPtx{"ld.const.u32 %0, [%1];", "'ld.const'"},
        BadPtx{"cvta.const.u64 %0, %1;", "'cvta.const'"},
        BadPtx{"fence.proxy.tensormap::generic.release.gpu;", "'fence.tensormap::generic'"},
        BadPtx{"ld.global.u32 %0, [0x7f000000];", "a fixed address"}));

INSTANTIATE_TEST_SUITE_P(
    Directives, PtxPolicyViolation,
    testing::Values(BadPtx{".global .u32 counter;", "'.global' in assembly is not allowed: of PTX's directives"},
                    BadPtx{"{ .shared .b8 s[64]; }", "'.shared' in assembly"},
                    BadPtx{".pragma \"nounroll\";", "'.pragma'"}, BadPtx{"{ .const .u32 c; }", "'.const'"},
                    BadPtx{".extern .func f;", "'.extern'"},
                    BadPtx{".reg .u32 r;", "'.reg' in assembly must stand within { }"},
                    BadPtx{"{ .reg .u32 %%r1; }", "registers of its own"},
                    BadPtx{"{ .reg .u32 %%r<4>; }", "the number of registers, as in r<4>"},
                    BadPtx{"{ .reg .u32 %%clock; mov.u32 %0, %%clock; }", "registers of its own"},
                    BadPtx{"{ .reg .u32 %%rx; } mov.u32 %0, %%rx;", "'%rx' in assembly is not allowed"},
                    BadPtx{"{ .reg .u32 r<100000>; }", "more than 1024 registers"},
                    BadPtx{"{ .reg .u32 r<900>, s<200>; }", "more than 1024 registers"},
                    BadPtx{"{ .reg .u32 r<x>; }", "the number of registers"},
                    BadPtx{"{ .reg .texref t; }", "no type of registers"},
                    BadPtx{"{ .reg .u32 r = 1; }", "'=' in assembly is not allowed"}));

INSTANTIATE_TEST_SUITE_P(
    Names, PtxPolicyViolation,
    testing::Values(
        BadPtx{"ld.global.u32 %0, [counter];", "'counter' in assembly is no register"},
        BadPtx{"mov.u64 %0, _Z6secretv;", "'_Z6secretv' in assembly"},
        BadPtx{"{ .reg .u64 counter; } ld.global.u32 %0, [counter];", "'counter' in assembly is no register"},
        BadPtx{"{ ld.global.u32 %0, [counter]; .reg .u64 counter; }", "'counter' in assembly is no register"},
        BadPtx{"{ counter: ld.global.u32 %0, [counter]; }", "'counter' in assembly is no register"},
        BadPtx{"{ bra elsewhere; }", "the label 'elsewhere' does not stand"},
        BadPtx{"{ bra inner; { inner: } }", "the label 'inner' does not stand"}, BadPtx{"bra.uni here;", "within { }"},
        BadPtx{"here: mov.u32 %0, %1;", "must stand within { }"}, BadPtx{"{ bra %0; }", "needs a label"},
        BadPtx{"@q mov.u32 %0, %1;", "needs a predicate"}, BadPtx{"@%%p1 mov.u32 %0, %1;", "needs a predicate"}));

// Each gives ptxas another text than the one that a quick reader sees.
INSTANTIATE_TEST_SUITE_P(
    Hidden, PtxPolicyViolation,
    testing::Values(
        BadPtx{"mov.u32 %0, %%clo%{ck;", "'%clo' in assembly"}, BadPtx{"mov.u32 %0, %{%clock;", "'%' in assembly"},
        BadPtx{"tr% ap;", "'tr' in assembly"}, BadPtx{"mov.u32 %0, % 1;", "'%' in assembly"},
        BadPtx{"mov.u32 %0, %=;", "'%' in assembly"}, BadPtx{"mov.u32 %[x], 1;", "'%' in assembly"},
        BadPtx{"mov.u32 %0, %laneid;", "'%' in assembly"}, BadPtx{"{ .reg .u32 r; mov.u32 r, %clock; }", "'%clock'", 0},
        BadPtx{"mov.u32 %%r1, %%clock;", "'%r1'", 0}, BadPtx{"mov.u32 %0, %1;", "'%0' in assembly has no operand", 0},
        BadPtx{"mov.u32 %0, %4;", "'%4' in assembly has no operand"},
        BadPtx{"mov.u32 %0, %99999999999999999999;", "has no operand"},
        BadPtx{"mov.u32 %0, %%clock%1;", "'%clock' in assembly"},
        BadPtx{"mov.u32 %0, %%lane%1;", "'%lane' in assembly"}, BadPtx{"ld.global.v%1.f32 %0, [%2];", "'ld.v'"},
        BadPtx{"mov.u32 %0, x%1;", "'x' in assembly"}, BadPtx{"mov.u32 %0, %1x;", "part of a word"},
        BadPtx{"mov.u32 %0, 3%1;", "part of a word"}, BadPtx{"mov.u32 %0%1;", "part of a word"},
        BadPtx{"/* */ trap; /* */", "'trap'"}, BadPtx{"// a copy\ntrap;", "2: 'trap'"},
        BadPtx{"/* a // b */ trap;", "a comment within a comment"},
        BadPtx{"/* a /* b */ */", "a comment within a comment"}, BadPtx{"// a */ trap; /*", "within a comment"},
        BadPtx{"/*/ trap; /*/", "within a comment"}, BadPtx{"/* *%{/ trap; /* */", "within a comment"},
        BadPtx{"/* *%{/ trap;*/", "may end or continue it"}, BadPtx{"// \\\ntrap;", "may end or continue it"},
        BadPtx{"/*", "does not end within the statement"}, BadPtx{"*/", "'*' in assembly"},
        BadPtx{"tr\\\nap;", "'tr' in assembly"}, BadPtx{"mov.u32 %0, \\\n%1;", "'\\' in assembly is not allowed"},
        BadPtx{"#define x clock\nmov.u32 %0, %%x;", "'#' in assembly is not allowed"},
        BadPtx{"mov.u32 $0, 1;", "'$' in assembly"}, BadPtx{"${:uid}", "'$' in assembly"},
        BadPtx{"mov.u32 %0, %1;\x01", "nobody sees"}, BadPtx{"// a\rtrap;", "may end or continue it"},
        BadPtx{"mov.u32 %0,\r%1;", "nobody sees"}, BadPtx{"{mov.u32 %0, %1;|trap;}", "no instruction"},
        BadPtx{"mov.u32 %0, %1", "does not end with ';'"}, BadPtx{"} trap; {", "closes more than"},
        BadPtx{"{ mov.u32 %0, %1;", "is not closed"}, BadPtx{"mov.u32 {%0, %1;", "a bracket in assembly is not closed"},
        BadPtx{"mov.u32 %0, [%1};", "closes nothing"}, BadPtx{"ld. global.u32 %0, [%1];", "stands by itself"},
        BadPtx{"mov.u32 %0, %1 trap;", "'trap' in assembly is no register"},
        BadPtx{"mov.u32 %0, %1.trap;", "part of a word"}, BadPtx{"mov.u32 %0, 1.trap;", "stands behind no name"},
        BadPtx{"mov.u32 %0, \"x\";", "'\"' in assembly"}, BadPtx{"mov.u32 %0, (%1);", "'(' in assembly"},
        BadPtx{"mov.u32 %0, <%1>;", "stands where an operand should"}));

TEST(PtxPolicy, RejectsScopesThatNestTooDeep) {
  EXPECT_EQ(look(std::string(32, '{') + std::string(32, '}')), "");
  EXPECT_THAT(look(std::string(33, '{') + std::string(33, '}')), HasSubstr("nest too deep"));
}

TEST(PtxPolicy, RejectsNulAndBytesBeyondAscii) {
  EXPECT_THAT(look(std::string("mov.u32 %0, %1;\0trap;", 21)), HasSubstr("nobody sees"));
  EXPECT_THAT(look("mov.u32 %0, \xd1\x81lock;"), HasSubstr("nobody sees"));
  EXPECT_THAT(look("// \xe2\x80\xae\n"), HasSubstr("may end or continue it"));
}

TEST(PtxPolicy, KnowsFunctionsOfCudaPtx) {
  EXPECT_EQ(object_to_ptx_function("cp_async_bulk_wait_group_read"), "");
  EXPECT_EQ(object_to_ptx_function("mbarrier_try_wait"), "");
  EXPECT_EQ(object_to_ptx_function("get_sreg_nctaid_x"), "");
  EXPECT_EQ(object_to_ptx_function("get_sreg_cluster_ctarank"), "");
  EXPECT_THAT(object_to_ptx_function("get_sreg_clock64"), HasSubstr("reads a clock"));
  EXPECT_THAT(object_to_ptx_function("get_sreg_globaltimer_lo"), HasSubstr("reads a clock"));
  EXPECT_THAT(object_to_ptx_function("get_sreg_smid"), HasSubstr("where on the device"));
  EXPECT_THAT(object_to_ptx_function("trap"), HasSubstr("ends the program's work"));
  EXPECT_THAT(object_to_ptx_function("multimem_red"), HasSubstr("other devices"));
  EXPECT_THAT(object_to_ptx_function("clusterlaunchcontrol_try_cancel"), HasSubstr("has not begun"));
}

}  // namespace
}  // namespace hone::frontend
