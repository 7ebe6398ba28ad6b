// What could be gained by knowing how the judge times: through the real worker, with candidates that try.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "tests/worker/judge_bench.h"

namespace hone::test {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::Not;

statistics::AcceptanceRule one_look(double seconds) {
  statistics::AcceptanceRule rule;
  rule.looks = {seconds};
  rule.shares = {};
  return rule;
}

// Slow for its size, so that whoever leaves out calls gains, and small, so that many calls make a sample.
const std::string slow =
    "static void work(const float* x, float* y, int n) {\n"
    "  for (int i = 0; i < n; ++i) { volatile float s = 0; for (int k = 0; k < 8; ++k) s = s + x[i] * 0.5f; y[i] = s; "
    "}\n"
    "}\n";
const std::string original = slow + "void kernel(const float* x, float* y, int n) { work(x, y, n); }\n";

// Right wherever a call finds the data as its last call on the same memory left them. Were a slot called twice in a
// batch, nearly all calls could be left out, and no comparison would show it.

// The same work again and again. Without an inner loop: whether a processor foresees the end of eight rounds differs
// from one process to the next, and so the original took twice its time in some.
const std::string same_work =
    "__attribute__((noipa)) static void work(const float* x, float* y, int n, int times) {\n"
    "  for (; times > 0; --times)\n"
    "    for (int i = 0; i < n; ++i) {\n"
    "      volatile float s = x[i] * 0.5f;\n"
    "      s = x[i] * 0.5f, s = x[i] * 0.5f, s = x[i] * 0.5f, s = x[i] * 0.5f;\n"
    "      s = x[i] * 0.5f, s = x[i] * 0.5f, s = x[i] * 0.5f;\n"
    "      y[i] = s;\n"
    "    }\n"
    "}\n";

TEST(TimingCheats, GainNothingByMemoOfMemoryContents) {
  const std::string remembering =
      "#include <cstring>\n#include <map>\n" + slow +
      "static const float* last[4096]; static float in[4096][8], out[4096][8];\n"
      "void kernel(const float* x, float* y, int n) {\n"
      "  if (n > 8) return work(x, y, n);\n"
      "  const unsigned at = (unsigned)((unsigned long)y / 64 % 4096);\n"
      "  if (last[at] == y && !memcmp(in[at], x, 4 * n) && !memcmp(out[at], y, 4 * n)) return;\n"
      "  work(x, y, n); last[at] = y; memcpy(in[at], x, 4 * n); memcpy(out[at], y, 4 * n);\n"
      "}\n";
  const Verdict verdict = judge({.original = original, .candidate = remembering, .sizes = {8}, .rule = one_look(0.3)});
  EXPECT_TRUE(verdict.right) << verdict.reason;
  EXPECT_FALSE(verdict.faster) << verdict.reason;
}

TEST(TimingCheats, AreRefusedForCallsSkippedWithinBatch) {
  const std::string skipping =
      slow +
      "static long calls;\n"
      "void kernel(const float* x, float* y, int n) { if (++calls < 3000 || calls % 4) work(x, y, n); }\n";
  const Verdict verdict = judge({.original = original, .candidate = skipping, .sizes = {8}, .rule = one_look(0.3)});
  EXPECT_FALSE(verdict.right) << verdict.reason;
  EXPECT_EQ(verdict.stage, Stage::time);
  EXPECT_THAT(verdict.reason, HasSubstr("wrong while timed"));
}

// float kernel(const float* x, int n): every call's return value is an output like another.
TEST(TimingCheats, AreRefusedForReturnValuesSkippedWithinBatch) {
  KernelSpec spec = Saxpy::spec({16});
  spec.parameters = {array("x", "float", Role::in, 0), scalar("n", "int")};
  spec.problems = {{{1}, 1}};
  spec.result = element("float");
  const std::string harness =
      "\nextern \"C\" void hone_call(void* const* s, void* r) { *(float*)r = kernel((const float*)s[0], *(int*)s[1]); "
      "}\n"
      "extern \"C\" void hone_problem(unsigned, void* const* s) { *(int*)s[1] = 16; }\n"
      "extern \"C\" void hone_evaluate(void* const* s, long long* i, double* r) { i[0] = *(int*)s[1]; r[0] = i[0]; }\n";
  const std::string sum =
      "static float sum(const float* x, int n) { volatile float s = 0; for (int i = 0; i < n; ++i) s = s + x[i]; "
      "return s; }\n";
  const std::string whole = sum + "static float kernel(const float* x, int n) { return sum(x, n); }" + harness;
  const std::string skipping = sum +
                               "static long calls; static float kernel(const float* x, int n) { return ++calls < 4000 "
                               "|| calls % 4 ? sum(x, n) : 7e5f; }" +
                               harness;
  const Verdict right = judge({.original = whole, .candidate = whole, .rule = one_look(0.1), .spec = spec});
  EXPECT_TRUE(right.right) << right.reason;
  const Verdict verdict = judge({.original = whole, .candidate = skipping, .rule = one_look(0.3), .spec = spec});
  EXPECT_FALSE(verdict.right) << verdict.reason;
  EXPECT_THAT(verdict.reason, HasSubstr("wrong while timed: the return value is"));
}

// Puts `answer` in the place of the send() through which the runner answers: whoever owns the process can.
const std::string take_over =
    "#include <cstdint>\n#include <cstring>\n#include <link.h>\n#include <sys/mman.h>\n#include <sys/socket.h>\n"
    "static long answer(int socket, const void* bytes, unsigned long size, int flags);\n"
    "static int replace_send(dl_phdr_info* info, size_t, void*) {\n"
    "  const char* names = nullptr; const ElfW(Sym)* symbols = nullptr; const ElfW(Rela)* tables[2] = {}; size_t "
    "bytes[2] = {};\n"
    "  for (int i = 0; i < info->dlpi_phnum; ++i) {\n"
    "    if (info->dlpi_phdr[i].p_type != PT_DYNAMIC) continue;\n"
    "    for (auto* d = (const ElfW(Dyn)*)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr); d->d_tag != DT_NULL; ++d) {\n"
    "      if (d->d_tag == DT_STRTAB) names = (const char*)d->d_un.d_ptr;\n"
    "      if (d->d_tag == DT_SYMTAB) symbols = (const ElfW(Sym)*)d->d_un.d_ptr;\n"
    "      if (d->d_tag == DT_RELA) tables[0] = (const ElfW(Rela)*)d->d_un.d_ptr;\n"
    "      if (d->d_tag == DT_JMPREL) tables[1] = (const ElfW(Rela)*)d->d_un.d_ptr;\n"
    "      if (d->d_tag == DT_RELASZ) bytes[0] = d->d_un.d_val;\n"
    "      if (d->d_tag == DT_PLTRELSZ) bytes[1] = d->d_un.d_val;\n"
    "    }\n"
    "  }\n"
    "  for (int t = 0; t < 2; ++t)\n"
    "    for (size_t i = 0; tables[t] && i < bytes[t] / sizeof(ElfW(Rela)); ++i) {\n"
    "      const auto symbol = ELF64_R_SYM(tables[t][i].r_info);\n"
    "      if (symbol == 0 || strcmp(names + symbols[symbol].st_name, \"send\")) continue;\n"
    "      const uintptr_t place = info->dlpi_addr + tables[t][i].r_offset;\n"
    "      mprotect((void*)(place & ~uintptr_t{4095}), 4096, PROT_READ | PROT_WRITE);\n"
    "      *(void**)place = (void*)answer;\n"
    "    }\n"
    "  return 1;\n"  // the first is the program itself
    "}\n";

// What it works then shows beside its calls, or within where the judge was kept from looking at once.
TEST(TimingCheats, AreChargedForWorkAfterAnswer) {
  const std::string late =
      take_over + slow +
      "static float in[20000], out[20000];\n"
      "static long answer(int socket, const void* bytes, unsigned long size, int flags) {\n"
      "  const long sent = send(socket, bytes, size, flags); work(in, out, 20000); return sent;\n"
      "}\n"
      "void kernel(const float* x, float* y, int n) { static int once = dl_iterate_phdr(replace_send, nullptr); "
      "(void)once; work(x, y, n); }\n";
  const Verdict verdict = judge({.original = original, .candidate = late, .rule = one_look(0.5)});
  EXPECT_FALSE(verdict.faster) << verdict.reason;
  if (verdict.right)
    EXPECT_LT(verdict.measurement.speedup.median, 0.8) << verdict.reason;
  else
    EXPECT_THAT(verdict.reason, HasSubstr("works while it is not timed"));
}

// Of a kernel that may have two threads.
Verdict judge_team_of_two(Judged judged) {
  judged.spec = Saxpy::spec(judged.sizes);
  judged.spec.threads = 2;
  judged.original = Saxpy::unit(judged.original, judged.sizes);
  judged.candidate = Saxpy::unit(judged.candidate, judged.sizes);
  return judge(judged);
}

// Keeps the processors busy, as builds beside a judgment do.
class BusyMachine {
 public:
  BusyMachine() {
    for (std::thread& loop : loops_)
      loop = std::thread([this] {
        while (!over_.load(std::memory_order_relaxed)) {
        }
      });
  }
  ~BusyMachine() {
    over_ = true;
    for (std::thread& loop : loops_) loop.join();
  }

 private:
  std::atomic<bool> over_{false};
  std::thread loops_[2];
};

TEST(TimingCheats, DoNotIncludeTeamThatWaitsOnBusyMachine) {
  const std::string parallel = slow +
                               "void kernel(const float* x, float* y, int n) {\n"
                               "#pragma omp parallel for num_threads(2) schedule(static, 512)\n"
                               "  for (int i = 0; i < n; i += 16) work(x + i, y + i, n - i < 16 ? n - i : 16);\n"
                               "}\n";
  const BusyMachine busy;
  const Verdict verdict =
      judge_team_of_two({.original = original, .candidate = parallel, .race_checked = true, .rule = one_look(0.2)});
  EXPECT_TRUE(verdict.right) << verdict.reason;
}

// It takes four fifths of the original's time, and half as much again a little after the answer: less than threads that
// spin where they wait take beside calls. What the next call has to wait for is in that one's time.
TEST(TimingCheats, AreNotAcceptedIfTeamWorksBetweenCalls) {
  const std::string late =
      take_over + same_work +
      "static float in[20000], out[20000]; static int owed;\n"
      "static long answer(int socket, const void* bytes, unsigned long size, int flags) {\n"
      "  const long sent = send(socket, bytes, size, flags);\n"
      "  if (owed > 0) usleep(300);\n"
      "  for (; owed > 0; --owed) work(in, out, 20000, 4);\n"
      "  return sent;\n"
      "}\n"
      "void kernel(const float* x, float* y, int n) {\n"
      "  static int once = dl_iterate_phdr(replace_send, nullptr); (void)once; ++owed; work(x, y, n, 8);\n"
      "}\n";
  const Verdict verdict =
      judge_team_of_two({.original = same_work + "void kernel(const float* x, float* y, int n) { work(x, y, n, 10); }",
                         .candidate = late,
                         .rule = one_look(0.5),
                         .depth = bundle::Depth::thorough});
  EXPECT_FALSE(verdict.faster) << verdict.reason;
  if (!verdict.right) EXPECT_THAT(verdict.reason, HasSubstr("works while it is not timed"));
}

// Three calls of four take a third of the original's time, the fourth seven times as long: a median would be fooled.
TEST(TimingCheats, GainNothingByFewSlowCalls) {
  const std::string steady =
      "static void work(const float* x, float* y, int n, int rounds) {\n"
      "  for (int i = 0; i < n; ++i) { volatile float s = 0; for (int k = 0; k < rounds; ++k) s = x[i] * 0.5f; y[i] = "
      "s; }\n"
      "}\n";
  const Verdict verdict =
      judge({.original = steady + "void kernel(const float* x, float* y, int n) { work(x, y, n, 60); }",
             .candidate = steady + "static int calls; void kernel(const float* x, float* y, int n) { work(x, y, n, "
                                   "++calls & 3 ? 20 : 420); }",
             .rule = one_look(1)});
  EXPECT_TRUE(verdict.right) << verdict.reason;
  EXPECT_FALSE(verdict.faster) << verdict.reason;
  // Where much else runs, its pairs stray so far that even the median says nothing, or the truth.
  EXPECT_THAT(verdict.reason, AnyOf(HasSubstr("not confirmed by the sum of all samples: 0."),
                                    HasSubstr("the machine is too noisy"), HasSubstr("slower on n=")));
}

TEST(TimingCheats, ChargeHonestCandidateNothing) {
  const Verdict verdict = judge({.original = original, .candidate = original, .rule = one_look(0.5)});
  EXPECT_TRUE(verdict.right) << verdict.reason;
  EXPECT_THAT(verdict.reason, Not(HasSubstr("beside its calls")));
}

TEST(TimingCheats, AreRefusedIfSanitizedObjectDoesNotLoad) {
  const std::string hiding =
      "#if defined(__SANITIZE_ADDRESS__)\n__attribute__((constructor)) static void hide() { _exit(0); }\n#endif\n" +
      original;
  const Verdict verdict = judge({.original = original, .candidate = hiding, .sanitized = true, .rule = one_look(0.1)});
  EXPECT_FALSE(verdict.right);
  EXPECT_EQ(verdict.stage, Stage::verify);
  EXPECT_THAT(verdict.reason, HasSubstr("under the sanitizers, where the original loads"));
}

// Its calls take from an eighth of the original's time to twice as long, by chance and as long in the mean and the
// median, however many make a sample. What it is given is its chance: numbers of its own would begin anew with each
// sample, and those of a clock are not as likely as one another, since what was drawn decides when the next is. Whether
// a verdict calls that undecided or slower is chance, too; what is said when it is undecided stands in
// tests/judge/time.
TEST(TimingCheats, GainNothingByNoise) {
  const Verdict verdict =
      judge({.original = same_work + "void kernel(const float* x, float* y, int n) { work(x, y, n, 8); }",
             .candidate = "#include <cstring>\n" + same_work +
                          "void kernel(const float* x, float* y, int n) {\n"
                          "  unsigned long long chance = 0;\n"
                          "  for (int i = 0; i < n; ++i) {\n"
                          "    unsigned bits;\n"
                          "    std::memcpy(&bits, x + i, 4);\n"
                          "    chance = (chance ^ bits) * 0x9e3779b97f4a7c15u;\n"
                          "    chance ^= chance >> 29;\n"
                          "  }\n"
                          "  work(x, y, n, 1 + static_cast<int>(chance >> 33) % 15);\n}\n",
             .rule = one_look(0.5)});
  EXPECT_TRUE(verdict.right) << verdict.reason;
  EXPECT_FALSE(verdict.faster) << verdict.reason;
}

}  // namespace
}  // namespace hone::test
