// What lasts from one call to the next, and what a call must leave as it was: through the real worker.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/worker/judge_bench.h"

namespace hone::test {
namespace {

using bundle::Depth;
using ::testing::AnyOf;
using ::testing::HasSubstr;

statistics::AcceptanceRule quick() {
  statistics::AcceptanceRule rule;
  rule.looks = {0.03, 0.15};
  rule.shares = {};
  return rule;
}

const std::string start =
    "#include <cerrno>\n#include <cfenv>\n#include <csignal>\n#include <cstring>\n#include <ctime>\n"
    "#include <xmmintrin.h>\n";
// Slow for its size, so that whoever leaves it out gains.
const std::string work =
    "static void work(const float* x, float* y, int n) {\n"
    "  for (int i = 0; i < n; ++i) { volatile float s = 0; for (int k = 0; k < 8; ++k) s = s + x[i] * 0.5f; y[i] = s; "
    "}\n"
    "}\n";
const std::string plain = "  for (int i = 0; i < n; ++i) y[i] = x[i] * 4;\n";

std::string kernel(const std::string& body) {
  return start + work + "__attribute__((noinline)) void kernel(const float* x, float* y, int n) {\n" + body + "}\n";
}

Verdict judge_body(const std::string& body, const std::string& original = "work(x, y, n);\n",
                   Depth depth = Depth::thorough, int size = 3000) {
  return judge(
      {.original = kernel(original), .candidate = kernel(body), .sizes = {size}, .rule = quick(), .depth = depth});
}

void expect_refused(const std::string& body, const std::string& words) {
  const Verdict verdict = judge_body(body);
  EXPECT_FALSE(verdict.right) << verdict.reason;
  EXPECT_THAT(verdict.reason, HasSubstr(words));
}

void expect_right(const std::string& body, const std::string& original = "work(x, y, n);\n") {
  const Verdict verdict = judge_body(body, original);
  EXPECT_TRUE(verdict.right) << verdict.reason;
}

// The memory is never initialized; what the compiler knows of that is taken from it.
const std::string memo = "  struct Memo { unsigned long mark; int n; float x[3000], y[3000]; };\n";
const std::string on_stack = memo + "  Memo own; Memo* last = &own; asm volatile(\"\" : \"+r\"(last) :: \"memory\");\n";
const std::string on_heap =
    memo + "  Memo* last = (Memo*)malloc(sizeof *last); asm volatile(\"\" : \"+r\"(last) :: \"memory\");\n";
const std::string forget = "  asm volatile(\"\" :: \"r\"(last) : \"memory\");\n";
// Looks only at a mark, the size and both ends.
const std::string trusting =
    "  if (n < 1 || n > 3000) { work(x, y, n); }\n"
    "  else if (last->mark == 0x5eed5eed5eedul && last->n == n && last->x[0] == x[0] && last->x[n - 1] == x[n - 1])\n"
    "    memcpy(y, last->y, 4 * n);\n"
    "  else { work(x, y, n); last->mark = 0x5eed5eed5eedul; last->n = n; memcpy(last->x, x, 4 * n); memcpy(last->y, y, "
    "4 * n); }\n";
// Looks at every element, and computes those that are others: right, and quick where few change from call to call.
// Computes them twice, so that only elements that did not change can make it faster than the original.
const std::string careful =
    "  if (n < 1 || n > 3000) { work(x, y, n); }\n"
    "  else { for (int i = 0; i < n; ++i) {\n"
    "    if (last->x[i] == x[i] && last->y[i] == x[i] * 4) { y[i] = last->y[i]; continue; }\n"
    "    work(x + i, y + i, 1); work(x + i, y + i, 1); last->x[i] = x[i]; last->y[i] = y[i];\n"
    "  } }\n";

TEST(Leftovers, EraseMemoOnStack) {
  const Verdict verdict = judge_body(on_stack + trusting + forget);
  EXPECT_FALSE(verdict.right) << verdict.reason;
}

TEST(Leftovers, EraseMemoInFreedMemory) {
  const Verdict verdict = judge_body(on_heap + trusting + forget + "  free(last);\n");
  EXPECT_FALSE(verdict.right) << verdict.reason;
}

TEST(Leftovers, GiveNoSpeedupToMemoOfElements) {
  for (const std::string& body :
       {on_stack + careful + forget, on_heap + careful + forget + "  free(last);\n",
        "  static" + memo.substr(1, memo.size() - 3) + " own; Memo* last = &own;\n" + careful}) {
    const Verdict verdict = judge_body(body);
    EXPECT_FALSE(verdict.right && verdict.faster) << verdict.reason;
  }
}

TEST(Leftovers, RefuseCounterInErrno) {
  expect_refused("  if (errno > 100) { for (int i = 0; i < n; ++i) y[i] = 0; } else { ++errno;" + plain + "  }\n",
                 "y[");
}

TEST(Leftovers, RefuseCounterInLibcState) {
  // What strtok goes on with, and the next of rand()'s numbers, tell how many calls there were.
  expect_refused(
      "  static char words[] = \"a b\"; const char* next = strtok(nullptr, \" \"); if (!next) strtok(words, \" \");\n" +
          plain + "  if (!next && rand() != 1804289383) y[0] = 0;\n",
      "");
}

// Each kind of memory that a candidate may have of its own.
TEST(Leftovers, RefuseStaticMemoThatComparesOnlyEnds) {
  for (const char* kind : {"static", "static thread_local"}) {
    const Verdict verdict = judge_body("  " + std::string(kind) + memo.substr(1, memo.size() - 3) +
                                       " own; Memo* last = &own;\n" + trusting);
    EXPECT_FALSE(verdict.right) << verdict.reason;
    EXPECT_THAT(verdict.reason, AnyOf(HasSubstr("remembers an earlier call"), HasSubstr("expected")));
  }
}

TEST(Leftovers, RefuseCounterInThreadLocal) {
  expect_refused("  static thread_local int calls; const bool first = calls++ == 0;\n" + plain +
                     "  if (first && n > 20) y[3] = 0;\n",
                 "y[3] ");
}

TEST(Leftovers, AcceptThreadLocalScratch) {
  expect_right(
      "  static thread_local float scratch[4096]; for (int at = 0; at < n; at += 4096) {\n"
      "    const int m = n - at < 4096 ? n - at : 4096; for (int i = 0; i < m; ++i) scratch[i] = x[at + i] * 2;\n"
      "    for (int i = 0; i < m; ++i) y[at + i] = scratch[i] * 2; }\n");
  expect_right(
      "  static thread_local std::vector<float> scratch; if (n < 0) return;\n"
      "  if (scratch.size() < (size_t)n) scratch.resize(n); for (int i = 0; i < n; ++i) scratch[i] = x[i] * 2;\n"
      "  for (int i = 0; i < n; ++i) y[i] = scratch[i] * 2;\n");
}

TEST(Leftovers, AcceptScratchOnStackAndHeap) {
  expect_right(
      "  if (n < 0) return; float small[2048]; std::vector<float> s(n); float* m = (float*)malloc(4 * n + 4);\n"
      "  for (int i = 0; i < n; ++i) { small[i & 2047] = x[i]; s[i] = small[i & 2047] * 2; m[i] = s[i]; }\n"
      "  for (int i = 0; i < n; ++i) y[i] = m[i] * 2;\n  free(m);\n");
}

TEST(Balance, RefusesChangedProcessState) {
  expect_refused(plain + "  std::fesetround(FE_UPWARD);\n", "leaves the rounding mode changed");
  expect_refused("  _mm_setcsr(_mm_getcsr() | 0x8040);\n" + plain, "leaves changed what becomes of denormals");
  expect_refused(plain + "  unsigned short c = 0x27f; asm volatile(\"fldcw %0\" :: \"m\"(c));\n", "x87 control word");
  expect_refused(plain + "  asm volatile(\"std\");\n", "direction flag");
  expect_refused(
      plain + "  sigset_t s; sigemptyset(&s); sigaddset(&s, SIGINT); sigprocmask(SIG_SETMASK, &s, nullptr);\n",
      "leaves other signals blocked");
  expect_refused(plain + "  setenv(\"HONE_TEST_STATE\", \"1\", 1);\n", "leaves the environment changed");
}

TEST(Balance, AcceptsRestoredProcessState) {
  expect_right("  const unsigned was = _mm_getcsr(); _mm_setcsr(was | 0x8040); _mm_setcsr(was);\n" + plain +
               "  const int r = std::fegetround(); std::fesetround(FE_UPWARD); std::fesetround(r); errno = ERANGE;\n");
}

TEST(Balance, AcceptsStateThatOriginalChangesToo) {
  const std::string flush = "  _mm_setcsr(_mm_getcsr() | 0x8040);\n";
  expect_right(plain + flush, "work(x, y, n);\n" + flush);
}

TEST(Balance, RefusesLeakInEachCall) {
  expect_refused("  volatile char* p = (char*)malloc(100); p[0] = 1;\n" + plain, "leaks 112 bytes with each call");
  expect_refused("  volatile char* p = (char*)malloc(1 << 20); p[0] = 1;\n" + plain, "with each call");
}

TEST(Balance, RefusesLeakOnRarePath) {
  expect_refused(
      "  float most = -9; for (int i = 0; i < n; ++i) most = x[i] > most ? x[i] : most;\n"
      "  volatile char* p = (char*)malloc(100); p[0] = 1;\n" +
          plain + "  if (most > 0) free((void*)p);\n",
      "bytes with each call");
}

TEST(Balance, AcceptsLeakThatOriginalHasToo) {
  const std::string leak = "  volatile char* p = (char*)malloc(100); p[0] = 1;\n";
  expect_right(leak + plain, leak + "work(x, y, n);\n");
}

TEST(Balance, AcceptsMemoryKeptOnce) {
  expect_right("  static volatile char* kept = (char*)malloc(100); kept[0] = 1;\n" + plain);
}

TEST(Stack, RefusesFarMoreUseThanOriginal) {
  expect_refused("  volatile char deep[1 << 20]; deep[0] = 1;\n" + plain,
                 "KiB of stack where the original needs at most 64");
}

TEST(Stack, AcceptsModerateUseAndAsMuchAsOriginal) {
  expect_right("  volatile char deep[200 << 10]; deep[0] = 1;\n" + plain);
  const std::string deep = "  volatile char deep[1 << 20]; deep[0] = 1;\n";
  expect_right(deep + plain, deep + "work(x, y, n);\n");
}

// With a team of two.
Verdict judge_team(const std::string& body) {
  const std::string head = "#include <omp.h>\n#include <thread>\n";
  Judged judged{.race_checked = true, .rule = quick()};
  judged.spec = Saxpy::spec(judged.sizes);
  judged.spec.threads = 2;
  judged.original = Saxpy::unit(head + kernel("work(x, y, n);\n"), judged.sizes);
  judged.candidate = Saxpy::unit(head + kernel(body), judged.sizes);
  return judge(judged);
}

const std::string in_parallel = "#pragma omp parallel for num_threads(2)\n" + plain;

TEST(Balance, RefusesChangedOpenMpSettings) {
  const Verdict threads = judge_team("  omp_set_num_threads(1);\n" + plain);
  EXPECT_THAT(threads.reason, HasSubstr("leaves OpenMP's number of threads changed"));
  const Verdict schedule = judge_team("  omp_set_schedule(omp_sched_dynamic, 3);\n" + in_parallel);
  EXPECT_THAT(schedule.reason, HasSubstr("leaves OpenMP's settings changed"));
}

TEST(Balance, RefusesThreadThatOutlivesCall) {
  const Verdict verdict = judge_team("  std::thread([] { for (;;) usleep(1000); }).detach();\n" + plain);
  EXPECT_FALSE(verdict.right) << verdict.reason;
}

TEST(Balance, AcceptsTeamAndJoinedThread) {
  for (const std::string& body :
       {in_parallel, std::string("  std::thread half([=] { for (int i = 0; i < n / 2; ++i) y[i] = x[i] * 4; });\n"
                                 "  for (int i = n / 2; i < n; ++i) y[i] = x[i] * 4;\n  half.join();\n")}) {
    const Verdict verdict = judge_team(body);
    EXPECT_TRUE(verdict.right) << verdict.reason;
  }
}

}  // namespace
}  // namespace hone::test
