// Data races of kernels with threads(k): real ones are found by the lines that make them, and no order that C++ or
// OpenMP promises is taken for one.
#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/worker/judge_bench.h"
#include "tool/judge/verify/race_gaps.h"

namespace hone::test {
namespace {

using bundle::Task;
using judge::find_race_gap;
using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;

constexpr const char* original =
    "void kernel(const float* x, float* y, int n) { for (int i = 0; i < n; ++i) y[i] = x[i] + 1; }";

// void kernel(const float* x, float* y, int n) with this body, between two line directives.
std::string kernel(const std::string& body) {
  return "#include <atomic>\n#include <mutex>\n#include <thread>\n#include <omp.h>\n#line 1 \"candidate\"\n"
         "void kernel(const float* x, float* y, int n) {\n" +
         body + "}\n";
}

statistics::AcceptanceRule quick() {
  statistics::AcceptanceRule rule;
  rule.looks = {0.03, 0.05};
  rule.shares = {};
  return rule;
}

Verdict judge_threads(const std::string& candidate, Task task = Task::candidate, bool race_checked = true,
                      int size = 500) {
  KernelSpec spec = Saxpy::spec({size});
  spec.threads = 2;
  const auto unit = [size](const std::string& body) { return Saxpy::unit(body, {size}); };
  const bool of_original = task == Task::reference;
  return judge({.original = unit(of_original ? candidate : original),
                .candidate = of_original ? "" : unit(candidate),
                .race_checked = race_checked,
                .task = task,
                .rule = quick(),
                .spec = spec});
}

struct Code {
  const char* name;
  const char* body;
  int size = 500;
};
void PrintTo(const Code& code, std::ostream* out) {
  *out << code.name;
}
const auto named = [](const auto& info) { return std::string(info.param.name); };

class OrderedCode : public testing::TestWithParam<Code> {};

TEST_P(OrderedCode, PassesRaceCheck) {
  const Verdict verdict = judge_threads(kernel(GetParam().body), Task::candidate, true, GetParam().size);
  EXPECT_TRUE(verdict.right) << verdict.reason << "\n" << verdict.detail;
  EXPECT_EQ(verdict.detail, "");
}

INSTANTIATE_TEST_SUITE_P(
    OpenMp, OrderedCode,
    testing::Values(
        Code{"ParallelFor", "#pragma omp parallel for num_threads(2)\nfor (int i = 0; i < n; ++i) y[i] = x[i] + 1;\n"},
        Code{"Schedules",
             "#pragma omp parallel for num_threads(2) schedule(dynamic, 3)\nfor (int i = 0; i < n; ++i) y[i] = x[i];\n"
             "#pragma omp parallel for num_threads(2) schedule(guided)\nfor (int i = n - 1; i >= 0; --i) y[i] += 2;\n"
             "#pragma omp parallel for num_threads(2) schedule(runtime)\nfor (int i = 0; i < n; ++i) y[i] -= 1;\n"
             "#pragma omp parallel for num_threads(2) schedule(monotonic : dynamic)\nfor (unsigned long i = 0; i < "
             "(unsigned long)n; ++i) y[i] += 0;\n"},
        Code{"Reductions",
             "float least = 0; double sum = 0; int seen[4] = {};\n"
             "#pragma omp parallel for num_threads(2) reduction(+ : sum, seen) reduction(min : least)\n"
             "for (int i = 0; i < n; ++i) { sum += x[i]; ++seen[i % 4]; least = x[i] < least ? x[i] : least; }\n"
             "const float one = least > 0 || seen[0] > n || sum == 0.125 ? 0 : 1;\n"
             "for (int i = 0; i < n; ++i) y[i] = x[i] + one;\n"},
        Code{"BarriersAndSingle",
             "float one = 0;\n#pragma omp parallel num_threads(2)\n{\n#pragma omp single\none = 1;\n"
             "for (int round = 0; round < 5; ++round) {\n#pragma omp for\nfor (int i = 0; i < n; ++i) y[i] = x[n - 1 - "
             "i];\n#pragma omp for\nfor (int i = 0; i < n; ++i) y[n - 1 - i] = x[n - 1 - i] + one;\n}\n"
             "#pragma omp barrier\n#pragma omp master\nif (n > 0) y[0] = x[0] + one;\n}\n"},
        Code{
            "CriticalAtomicAndLocks",
            "int next = 0, done = 0, named = 0, held = 0; omp_lock_t lock; omp_init_lock(&lock);\n"
            "#pragma omp parallel num_threads(2)\nfor (;;) {\nint i;\n#pragma omp critical\ni = next++;\n"
            "if (i >= n) break;\ny[i] = x[i] + 1;\n#pragma omp critical(other)\n++named;\n#pragma omp atomic\n++done;\n"
            "omp_set_lock(&lock);\n++held;\nomp_unset_lock(&lock);\n}\n"
            "omp_destroy_lock(&lock);\nif (done != n) y[0] = 0;\n"},
        Code{"Ordered",
             "int last = 0;\n#pragma omp parallel for ordered num_threads(2) schedule(static, 1)\n"
             "for (int i = 0; i < n; ++i) {\nconst float v = x[i] + 1;\n#pragma omp ordered\n{ last = i; y[last] = v; "
             "}\n}\n"},
        Code{"Sections",
             "#pragma omp parallel sections num_threads(2)\n{\n#pragma omp section\nfor (int i = 0; i < n / 2; ++i) "
             "y[i] = x[i] + 1;\n#pragma omp section\nfor (int i = n / 2; i < n; ++i) y[i] = x[i] + 1;\n}\n"},
        Code{"Copyprivate",
             "#pragma omp parallel num_threads(2)\n{\nfloat one;\n#pragma omp single copyprivate(one)\none = 1;\n"
             "#pragma omp for\nfor (int i = 0; i < n; ++i) y[i] = x[i] + one;\n}\n"},
        Code{"TasksAndTheirWaits",
             "#pragma omp parallel num_threads(2)\n#pragma omp single\n{\nfor (int i = 0; i < n; i += 50) {\n"
             "#pragma omp task firstprivate(i)\nfor (int k = i; k < i + 50 && k < n; ++k) y[k] = x[k];\n}\n"
             "#pragma omp taskwait\n#pragma omp taskgroup\nfor (int i = 0; i < n; i += 50) {\n"
             "#pragma omp task firstprivate(i)\nfor (int k = i; k < i + 50 && k < n; ++k) y[k] += 2;\n}\n"
             "for (int i = 0; i < n; ++i) y[i] -= 1;\n}\n"},
        Code{"DependentTasks",
             "#pragma omp parallel num_threads(2)\n#pragma omp single\nfor (int i = 0; i < n; ++i) {\n"
             "#pragma omp task firstprivate(i) depend(out : y[i])\ny[i] = x[i];\n"
             "#pragma omp task firstprivate(i) depend(inout : y[i])\ny[i] += 1;\n}\n"},
        Code{"Taskloop",
             "#pragma omp parallel num_threads(2)\n#pragma omp single\n{\n#pragma omp taskloop grainsize(7)\n"
             "for (int i = 0; i < n; ++i) y[i] = x[i];\n#pragma omp taskloop num_tasks(3)\n"
             "for (unsigned long i = 0; i < (unsigned long)n; ++i) y[i] += 1;\n}\n"},
        Code{"TaskloopWhosePartsOtherThreadTakes",
             "#pragma omp parallel num_threads(2)\n#pragma omp single\n#pragma omp taskloop grainsize(1)\n"
             "for (int i = 0; i < n; ++i) {\n"
             "for (volatile int wait = 0; wait < 5000; wait = wait + 1) {}\ny[i] = x[i] + 1;\n}\n"},
        Code{"TaskloopOfManyParts",
             "#pragma omp parallel num_threads(2)\n#pragma omp single\n#pragma omp taskloop grainsize(1)\n"
             "for (int i = 0; i < n; ++i) y[i] = x[i] + 1;\n",
             100000},
        Code{"NestedRegions",
             "const int levels = omp_get_max_active_levels();\nomp_set_max_active_levels(2);\n#pragma omp parallel for "
             "num_threads(2)\nfor (int half = 0; half < 2; "
             "++half) {\nconst int first = half * (n / 2), last = half ? n : n / 2;\n"
             "#pragma omp parallel for num_threads(1)\nfor (int i = first; i < last; ++i) y[i] = x[i] + "
             "1;\n}\nomp_set_max_active_levels(levels);\n"}),
    named);

INSTANTIATE_TEST_SUITE_P(
    Standard, OrderedCode,
    testing::Values(
        Code{"ReleaseAndAcquire",
             "std::atomic<int> ready{0}; std::thread t([&] { for (int i = 0; i < n / 2; ++i) y[i] = x[i];\n"
             "ready.store(1, std::memory_order_release); });\nfor (int i = n / 2; i < n; ++i) y[i] = x[i] + 1;\n"
             "while (!ready.load(std::memory_order_acquire)) std::this_thread::yield();\n"
             "for (int i = 0; i < n / 2; ++i) y[i] += 1;\nt.join();\n"},
        Code{"CallOnce",
             "std::once_flag once; float one = 0; const auto part = [&](int a, int b) { std::call_once(once, [&] { one "
             "= "
             "1; });\nfor (int i = a; i < b; ++i) y[i] = x[i] + one; };\nstd::thread t(part, 0, n / 2); part(n / 2, "
             "n); t.join();\n"}),
    named);

class RacingCode : public testing::TestWithParam<Code> {};

TEST_P(RacingCode, IsRefusedWithBothLines) {
  const Verdict verdict = judge_threads(kernel(GetParam().body));
  EXPECT_FALSE(verdict.right);
  EXPECT_THAT(verdict.reason, AllOf(HasSubstr("under ThreadSanitizer: data race: one thread "),
                                    ContainsRegex("at [^ ]*candidate:[0-9]+, another .* at [^ ]*candidate:[0-9]+")));
  EXPECT_THAT(verdict.detail, HasSubstr("ThreadSanitizer"));
}

// Each leaves what is right, so that nothing but the race tells it.
INSTANTIATE_TEST_SUITE_P(
    Hidden, RacingCode,
    testing::Values(
        Code{"OverlappingHalves",
             "const auto part = [=](int a, int b) { for (int i = a; i < b && i < n; ++i)\ny[i] = x[i] + 1; };\n"
             "std::thread t(part, 0, n / 2 + 1); part(n / 2, n); t.join();\n"},
        Code{"OverlappingChunks",
             "#pragma omp parallel for num_threads(2) schedule(static, 1)\nfor (int c = 0; c < 2; ++c)\n"
             "for (int i = c * (n / 2); i < n && i <= (c + 1) * (n / 2) + 1; ++i) y[i] = x[i] + 1;\n"
             "for (int i = 0; i < n; ++i) y[i] = x[i] + 1;\n"},
        Code{"MissingBarrier",
             "#pragma omp parallel num_threads(2)\n{\n#pragma omp for nowait\nfor (int i = 0; i < n; ++i)\ny[i] = x[i] "
             "+ 1;\n#pragma omp for\nfor (int i = 0; i < n; ++i)\ny[n - 1 - i] = x[n - 1 - i] + 1;\n}\n"},
        Code{"MissingTaskwait",
             "#pragma omp parallel num_threads(2)\n#pragma omp single\nfor (int i = 0; i < n; ++i) {\n"
             "#pragma omp task firstprivate(i)\ny[i] = x[i] + 1;\nif (i > 0)\ny[i - 1] = x[i - 1] + 1;\n}\n"},
        Code{"WrongLock",
             "int done = 0;\n#pragma omp parallel num_threads(2)\n{\n#pragma omp for\nfor (int i = 0; i < n; ++i) y[i] "
             "= x[i] + 1;\nif (omp_get_thread_num())\n{\n#pragma omp critical(a)\n++done;\n} else {\n"
             "#pragma omp critical(b)\n++done;\n}\n}\n"},
        Code{"PlainFlag",
             "bool made = false; std::mutex m; const auto part = [&](int a, int b) {\nif (!made) { "
             "std::lock_guard<std::mutex> "
             "l(m);\n"
             "made = true; }\nfor (int i = a; i < b; ++i) y[i] = x[i] + 1; };\n"
             "std::thread t(part, 0, n / 2); part(n / 2, n); t.join();\n"},
        Code{"RelaxedFlag",
             "std::atomic<int> ready{0}; std::thread t([&] { for (int i = 0; i < n / 2; ++i)\ny[i] = x[i] + 1;\n"
             "ready.store(1, std::memory_order_relaxed); });\nfor (int i = n / 2; i < n; ++i) y[i] = x[i] + 1;\n"
             "while (!ready.load(std::memory_order_relaxed)) std::this_thread::yield();\n"
             "for (int i = 0; i < n / 2; ++i)\ny[i] = x[i] + 1;\nt.join();\n"},
        Code{"OnlyWhereTheSizeIsOdd",
             "const int half = (n + 1) / 2;\n#pragma omp parallel for num_threads(2) schedule(static, 1)\n"
             "for (int c = 0; c < 2; ++c)\nfor (int i = c * (n - half); i < c * (n - half) + half; ++i)\ny[i] = x[i] + "
             "1;\n"}),
    named);

TEST(RaceCheck, RefusesRacingOriginal) {
  const Verdict verdict =
      judge_threads(kernel("const auto part = [=](int a, int b) { for (int i = a; i < b; ++i)\ny[i] = x[i] + 1; };\n"
                           "std::thread t(part, 0, n); part(0, n); t.join();\n"),
                    Task::reference);
  EXPECT_FALSE(verdict.right);
  EXPECT_THAT(verdict.reason, HasSubstr("the original, under ThreadSanitizer: data race"));
}

TEST(RaceCheck, AcceptsOriginalWithOpenMp) {
  const Verdict verdict =
      judge_threads(kernel("#pragma omp parallel for num_threads(2)\nfor (int i = 0; i < n; ++i) y[i] = x[i] + 1;\n"),
                    Task::reference);
  EXPECT_TRUE(verdict.right) << verdict.reason;
  EXPECT_EQ(verdict.detail, "");
}

TEST(RaceCheck, RefusesMemoryFenceByName) {
  const Verdict verdict = judge_threads(
      kernel("std::atomic_thread_fence(std::memory_order_seq_cst);\nfor (int i = 0; i < n; ++i) y[i] = x[i] + 1;\n"));
  EXPECT_FALSE(verdict.right);
  EXPECT_THAT(verdict.reason, HasSubstr("a memory fence"));
}

// The other half is written in time only where both threads run at once.
TEST(RaceCheck, TriesOtherSchedulesWithoutThreadSanitizer) {
  const Verdict verdict = judge_threads(
      kernel("std::atomic<int> state{0}; std::thread t([&] { for (int i = 0; i < n / 2; ++i) y[i] = x[i] + 1;\n"
             "state.store(1); });\nfor (int i = n / 2; i < n; ++i) y[i] = x[i] + 1;\n"
             "for (int spins = 0; !state.load() && spins < 100000; ++spins) continue;\n"
             "const bool late = !state.load(); t.join();\nif (late) for (int i = 0; i < n; ++i) y[i] = 0;\n"),
      Task::candidate, false);
  EXPECT_FALSE(verdict.right);
  EXPECT_THAT(verdict.reason, HasSubstr("expected"));
  const Verdict reference = judge_threads(original, Task::reference, false);
  EXPECT_TRUE(reference.right) << reference.reason;
  EXPECT_THAT(reference.detail, HasSubstr("data races were not looked for"));
}

TEST(RaceCheck, DefinesEveryFollowedFunction) {
  void* const order = dlopen(HONE_OPENMP_ORDER, RTLD_NOW);
  ASSERT_TRUE(order) << dlerror();
  for (const std::string_view name : judge::followed_functions())
    EXPECT_TRUE(dlsym(order, std::string(name).c_str())) << name;
}

TEST(RaceCheck, ReportsUnsupportedOrderAsGap) {
  const auto object = [](const std::string& body) { return compile_race_checked(Saxpy::unit(kernel(body), {9})); };
  EXPECT_FALSE(find_race_gap(object("#pragma omp parallel for\nfor (int i = 0; i < n; ++i) y[i] = x[i];\n")));
  const auto doacross = find_race_gap(object(
      "#pragma omp parallel for ordered(1)\nfor (int i = 1; i < n; ++i) {\n#pragma omp ordered depend(sink : i - "
      "1)\ny[i] = x[i];\n#pragma omp ordered depend(source)\n}\n"));
  EXPECT_THAT(doacross.construct, HasSubstr("doacross"));
  EXPECT_TRUE(doacross.avoidable);
  EXPECT_FALSE(find_race_gap("").avoidable);
  EXPECT_THAT(find_race_gap("").construct, HasSubstr("no ThreadSanitizer"));
}

}  // namespace
}  // namespace hone::test
