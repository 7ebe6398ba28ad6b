#include "tool/search/knowledge/knowledge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "task.h"

namespace hone::search {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

TaskFacts kernel(const std::string& definition, const std::string& target = "x86_64 avx2 fma") {
  TaskFacts facts;
  facts.definition = facts.signature = definition;
  facts.target = target;
  return facts;
}

const char* const kGemm =
    "void gemm(const float* a, const float* b, float* c, int n) {\n"
    "  for (int i = 0; i < n; ++i)\n    for (int j = 0; j < n; ++j) {\n      float s = 0;\n"
    "      for (int k = 0; k < n; ++k) s += a[i * n + k] * b[k * n + j];\n      c[i * n + j] = s;\n    }\n}\n";
const char* const kDot =
    "float dot(const float* x, const float* y, int n) { float s = 0; for (int i = 0; i < n; ++i) s += x[i] * y[i]; "
    "return s; }";
const char* const kScan =
    "void scan(const int* x, int* y, int n) { int s = 0; for (int i = 0; i < n; ++i) { s += x[i]; y[i] = s; } }";
const char* const kHistogram = "void hist(const uint8_t* x, int* h, int n) { for (int i = 0; i < n; ++i) ++h[x[i]]; }";
const char* const kHistogramSum =
    "void hist(const int* x, int* h, int n) { for (int i = 0; i < n; ++i) h[x[i]] += 1; }";
const char* const kTranspose =
    "void t(const float* a, float* b, int n) { for (int i = 0; i < n; ++i) for (int j = 0; j < n; ++j) b[j * n + i] = "
    "a[i * n + j]; }";
const char* const kExp =
    "void e(const float* x, float* y, int n) { for (int i = 0; i < n; ++i) y[i] = std::exp(x[i]) / 2; }";

std::vector<std::string> found(const TaskFacts& facts, std::size_t count = 4, const std::string& profile = "") {
  std::vector<std::string> names;
  for (const Note& note : retrieve(builtin_notes(), classify(facts, profile), {}, count)) names.push_back(note.name);
  return names;
}

TEST(Knowledge, HasShortBuiltInNotesWithKnownTags) {
  unsigned cuda = 0;
  for (const Note& note : builtin_notes()) {
    EXPECT_GT(note.text.size(), 150u) << note.name;
    EXPECT_LT(note.text.size(), 2000u) << note.name;
    for (const std::string& tag : note.tags) EXPECT_THAT(tag_words(), Contains(tag)) << note.name;
    cuda += std::ranges::count(note.tags, "cuda");
  }
  EXPECT_GE(cuda, 12u);
  EXPECT_GE(builtin_notes().size() - cuda, 30u);
}

TEST(Knowledge, UsesEveryTagAndSortsThem) {
  EXPECT_TRUE(std::ranges::is_sorted(tag_words()));
  for (const std::string& word : tag_words())
    EXPECT_TRUE(std::ranges::any_of(builtin_notes(), [&](const Note& note) {
      return std::ranges::count(note.tags, word) > 0;
    })) << word;
}

TEST(Knowledge, FindsNotesByShapeOfKernel) {
  EXPECT_THAT(found(kernel(kGemm)), Contains("gemm-register-block"));
  EXPECT_THAT(found(kernel(kGemm)), Contains("loop-interchange"));
  EXPECT_THAT(found(kernel(kDot)), Contains("several-accumulators"));
  EXPECT_THAT(found(kernel(kScan)), Contains("scan-blocking"));
  EXPECT_THAT(found(kernel(kHistogram)), Contains("histogram-copies"));
  EXPECT_THAT(found(kernel(kHistogramSum)), Contains("histogram-copies"));
  EXPECT_THAT(found(kernel(kTranspose)), Contains("register-transpose"));
  EXPECT_THAT(found(kernel(kExp)), Contains("exp-polynomial"));
  EXPECT_THAT(found(blur_facts()), Contains("border-peeling"));
  const TaskFacts rows =
      kernel("for (int i = 0; i < n; ++i) { float s = 0; for (int k = 0; k < 8; ++k) s += x[i * 8 + k]; y[i] = s; }");
  EXPECT_EQ(found(rows).front(), "several-accumulators") << "the sum of each row is stored: no scan";
}

TEST(Knowledge, RanksNotesByProfile) {
  EXPECT_THAT(found(kernel(kDot), 3), Not(Contains("restrict-aliasing")));
  EXPECT_THAT(found(kernel(kDot), 3, "missed: not vectorized: possible aliasing"), Contains("restrict-aliasing"));
}

TEST(Knowledge, ReadsHowManyBranchesWereMispredicted) {
  const TaskFacts chooses =
      kernel("void f(const float* x, float* y, int n) { for (int i = 0; i < n; ++i) if (x[i] > 0) y[i] = x[i]; }");
  const auto branch = [&](const std::string& share) {
    return classify(chooses, "- n=9: 3.1 million conditional branches, " + share + " mispredicted").at("branch");
  };
  EXPECT_LT(branch("0.0%"), 0.5);
  EXPECT_LT(branch("0%"), 0.5);
  EXPECT_GE(branch("25%"), 0.9);
  const std::string predicted = "- n=9: 130 thousand conditional branches, 0.0% mispredicted";
  EXPECT_FALSE(classify(kernel(kDot), predicted).contains("branch"));
  EXPECT_THAT(found(kernel(kDot), 3, predicted), Not(Contains("branch-to-select")));
  EXPECT_EQ(state_of(chooses, predicted).axes.at("predictability"), 1u);
  EXPECT_EQ(state_of(kernel(kDot), predicted).axes.at("predictability"), 3u);
}

TEST(Knowledge, TellsStreamsFromDataThatLieInNextCache) {
  const auto traits = [](const std::string& misses) {
    return classify(kernel(kDot), "- n=9: 2.1 million reads and writes, of which " + misses);
  };
  const Traits stream = traits("50% miss the first-level cache and 50% the last");
  EXPECT_FALSE(stream.contains("cache"));
  EXPECT_TRUE(stream.contains("memory"));
  const Traits near = traits("53% miss the first-level cache and 0.6% the last");
  EXPECT_TRUE(near.contains("cache"));
  EXPECT_FALSE(near.contains("memory"));
}

TEST(Knowledge, LooksAtKernelsThatLauncherLaunches) {
  TaskFacts launcher = kernel("void f(const float* x, float* y, int n) { g<<<n / 256, 256>>>(x, y, n); }", "");
  launcher.language = "cuda c++17";
  launcher.closure =
      "__global__ void g(const int* x, int* bins, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; "
      "if (i < n) atomicAdd(&bins[x[i]], 1); }";
  EXPECT_EQ(found(launcher).front(), "cuda-private-atomics");
}

TEST(Knowledge, LeavesOutNotesForOtherProcessors) {
  for (const std::string& name : found(kernel(kGemm), 100)) EXPECT_THAT(name, Not(HasSubstr("cuda")));
  EXPECT_THAT(found(kernel(kDot, "x86_64 sse2"), 100), Not(Contains("neon-basics")));
  EXPECT_THAT(found(kernel(kDot, "x86_64 sse2"), 100), Not(Contains("frequency-width")));
  EXPECT_THAT(found(kernel(kDot, "aarch64 neon"), 100), Contains("neon-basics"));
  TaskFacts gpu = kernel(kGemm, "sm_90");
  gpu.hardware.gpu = "some GPU";
  for (const std::string& name : found(gpu, 100)) EXPECT_THAT(name, HasSubstr("cuda"));
  EXPECT_THAT(found(gpu), Contains("cuda-tensor-cores"));
}

TEST(Knowledge, RanksNotesByDeviceBottleneck) {
  TaskFacts gpu = kernel(kDot, "sm_90");
  gpu.hardware.gpu = "some GPU";
  EXPECT_THAT(found(gpu, 3), Not(Contains("cuda-few-launches")));
  EXPECT_THAT(found(gpu, 3, "- launch-bound: its 16 blocks leave 116 of 132 multiprocessors idle"),
              Contains("cuda-few-launches"));
  EXPECT_THAT(found(gpu, 3, "- occupancy-bound: 12% of the warps are there"), Contains("cuda-occupancy"));
  EXPECT_THAT(found(gpu, 3, "- memory-bound: 32.0 in a load (neighbours of 4 bytes: 4), scattered accesses"),
              Contains("cuda-coalescing"));
  EXPECT_THAT(found(gpu, 3, "- memory-bound: 96% of the passes over shared memory are bank conflicts"),
              Contains("cuda-bank-conflicts"));
}

TEST(Knowledge, IsDeterministicAndLimited) {
  EXPECT_EQ(found(kernel(kGemm), 5), found(kernel(kGemm), 5));
  EXPECT_EQ(found(kernel(kGemm), 5).size(), 5u);
  EXPECT_TRUE(found(kernel(kGemm), 0).empty());
}

TEST(Knowledge, LetsUserNoteReplaceBuiltIn) {
  const auto own =
      parse_note("several-accumulators", "---\r\ntitle: Ours\r\ntags: [reduction, OurChip]\r\n---\r\n\r\nText.\r\n");
  ASSERT_TRUE(own) << own.error().message();
  EXPECT_EQ(own->title, "Ours");
  EXPECT_THAT(own->tags, testing::ElementsAre("ourchip", "reduction"));
  const auto extra = parse_note("extra", "---\ntitle: Extra\ntags: reduction\n---\nMore.\n");
  ASSERT_TRUE(extra);
  const auto merged = merge_notes(builtin_notes(), {*own, *extra});
  EXPECT_EQ(merged.size(), builtin_notes().size() + 1);
  EXPECT_TRUE(std::ranges::is_sorted(merged, {}, &Note::name));
  EXPECT_EQ(std::ranges::find(merged, "several-accumulators", &Note::name)->title, "Ours");
}

TEST(Knowledge, ReportsWhatNoteLacks) {
  const std::pair<const char*, const char*> wrongs[] = {{"", "no front matter"},
                                                        {"Just text\n", "no front matter"},
                                                        {"---\ntitle: x\n", "not closed"},
                                                        {"---\ntags: memory\n---\n", "no title"},
                                                        {"---\ntitle: x\n---\n", "no tags"}};
  for (const auto& [text, why] : wrongs) {
    const auto note = parse_note("mine", text);
    ASSERT_FALSE(note) << text;
    EXPECT_THAT(note.error().message(), testing::AllOf(HasSubstr(why), HasSubstr("mine.md")));
  }
}

TEST(Knowledge, FindsTagsInAdvice) {
  EXPECT_THAT(mentioned_tags("Tile the j loop, so that it stays in the L1 cache; division by w."),
              testing::ElementsAre("cache", "division", "tiling"));
  EXPECT_THAT(mentioned_tags("Explicit, expensive logic"), testing::IsEmpty()) << "no exp and no log";
}

TEST(Knowledge, TurnsBeforeAndAfterIntoExample) {
  const auto note = std::ranges::find(builtin_notes(), "several-accumulators", &Note::name);
  const auto example = example_of(*note);
  ASSERT_TRUE(example);
  EXPECT_THAT(example->slow, HasSubstr("s += x[i] * y[i]"));
  EXPECT_THAT(example->fast, HasSubstr("_mm256_fmadd_ps"));
  EXPECT_FALSE(example_of(*std::ranges::find(builtin_notes(), "latency-table", &Note::name)));
}

TEST(Knowledge, DerivesMemoryStateFromProfile) {
  const KernelState state = state_of(kernel(kDot), "not vectorized; memory-bound");
  EXPECT_EQ(state.bottleneck, "memory");
  EXPECT_EQ(state.axes.at("vectorisation"), 0u);
  EXPECT_EQ(state.axes.at("predictability"), 3u);
}

}  // namespace
}  // namespace hone::search
