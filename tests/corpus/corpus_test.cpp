// Every candidate of the corpus through the real judge, and what it leaves behind.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

#include "tests/corpus/candidate_file.h"
#include "tests/corpus/kernel_bench.h"
#include "tests/corpus/surroundings.h"

namespace hone::corpus {
namespace {

Surroundings& surroundings() {
  static Surroundings surroundings;
  return surroundings;
}

bool processor_has(const std::string& feature) {
  if (feature == "avx2") return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  if (feature == "avx512f") return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw");
  return feature.empty();
}

// Does it say that the compile ends it, with the gate left out? Else that wall is left out, too, to see the next one.
KernelBench::Object object_of(const CandidateFile& file) {
  for (const Ending& ending : file.wall)
    if (ending.stage == "compile") return KernelBench::Object::looked_at;
  return KernelBench::Object::not_looked_at;
}

// With the gate left out, too, where the gate was what stopped it.
void judge_hostile(const CandidateFile& file) {
  KernelBench& bench = KernelBench::of(file.kernel, file.standard);
  const std::string text = surroundings().fill(file.text);
  Verdict verdict = bench.judge(text);
  // A busy machine leaves cases out. What is right for that and no faster is linked nowhere: it is asked again.
  for (int again = 0; again < 2 && verdict.right && !verdict.faster && !differs(file.verdict, verdict).empty(); ++again)
    verdict = bench.judge(text);
  EXPECT_FALSE(verdict.right && verdict.faster) << file.name << " was accepted: it tries " << file.tries;
  const std::string difference = differs(file.verdict, verdict);
  EXPECT_TRUE(difference.empty()) << file.name << ": " << difference;
  EXPECT_NE(verdict.code, DiagnosticCode::none) << file.name << ": hone explain says nothing of: " << verdict.reason;
  EXPECT_EQ(surroundings().traces(), "") << file.name;
  if (verdict.stage != Stage::gate || file.wall.empty()) return;
  std::optional<compile::CompileLimits> limits;
  if (file.limit) limits.emplace().time = std::chrono::seconds(*file.limit);
  const Verdict behind = bench.judge_beyond_the_gate(text, object_of(file), limits);
  EXPECT_FALSE(behind.right && behind.faster) << file.name << " was accepted behind the gate: it tries " << file.tries;
  EXPECT_NE(behind.code, DiagnosticCode::none) << file.name << ": hone explain says nothing of: " << behind.reason;
  const std::string behind_difference = differs(file.wall, behind);
  EXPECT_TRUE(behind_difference.empty()) << file.name << ", with the gate left out: " << behind_difference;
  EXPECT_EQ(surroundings().traces(), "") << file.name << ", with the gate left out";
}

std::string name_of(const testing::TestParamInfo<CandidateFile>& info) {
  return info.param.name;
}

// One process judges all of them, one after the other: what one did must not help or harm the next.
class Hostile : public testing::TestWithParam<CandidateFile> {};

TEST_P(Hostile, IsRejectedAndLeavesNoTraces) {
  surroundings();
  judge_hostile(GetParam());
}

// Wherever a trial could refuse one of these, a finalist's judgment could, too, and a winner's. Each tries the same on
// more cases and takes a multiple of the time, so a ninth are judged as winners and a third as finalists. Their names
// choose.
bundle::Depth depth_of(const CandidateFile& file) {
  unsigned long sum = 5381;
  for (const unsigned char byte : file.name) sum = sum * 33 + byte;
  const unsigned long place = sum / 16 % 9;
  return place == 0 ? bundle::Depth::held_out : place < 4 ? bundle::Depth::thorough : bundle::Depth::trial;
}

const char* as_what(bundle::Depth depth) {
  return depth == bundle::Depth::held_out   ? " as a winner: "
         : depth == bundle::Depth::thorough ? " as a finalist: "
                                            : ": ";
}

class Good : public testing::TestWithParam<CandidateFile> {};

TEST_P(Good, IsRight) {
  const CandidateFile& file = GetParam();
  if (!processor_has(file.needs)) GTEST_SKIP() << "this processor has no " << file.needs;
  surroundings();
  const bundle::Depth depth = depth_of(file);
  KernelBench& bench = KernelBench::of(file.kernel, file.standard);
  const std::string difference = differs(file.verdict, bench.judge_in_depth(file.text, depth));
  EXPECT_TRUE(difference.empty()) << file.name << as_what(depth) << difference;
  EXPECT_EQ(surroundings().traces(), "") << file.name;
}

// With HONE_CORPUS_PART=N/COUNT one of so many parts, all without. What is parsed and compiled once for a kernel takes
// as long as a candidate, so candidates of one kernel are in one part, or in parts that follow each other.
std::vector<CandidateFile> part_of(std::vector<CandidateFile> all) {
  const char* part = std::getenv("HONE_CORPUS_PART");
  std::size_t number = 0, count = 1;
  if (part && (std::sscanf(part, "%zu/%zu", &number, &count) != 2 || number >= count))
    throw std::runtime_error("HONE_CORPUS_PART is not N/COUNT");
  std::ranges::stable_sort(all, {}, &CandidateFile::kernel);
  const auto at = [&](std::size_t n) { return all.begin() + static_cast<std::ptrdiff_t>(n * all.size() / count); };
  return {at(number), at(number + 1)};
}

std::vector<CandidateFile> hostile() {
  return part_of(read_candidates(corpus_folder() / "hostile"));
}
std::vector<CandidateFile> good() {
  return part_of(read_candidates(corpus_folder() / "good"));
}

INSTANTIATE_TEST_SUITE_P(Corpus, Hostile, testing::ValuesIn(hostile()), name_of);
INSTANTIATE_TEST_SUITE_P(Corpus, Good, testing::ValuesIn(good()), name_of);

// Why an original of the corpus may not be judged against; "" where it may.
std::string objection_to(const std::string& kernel) {
  if (kernel == "loose") return "would accept all zeros";
  if (kernel == "sloppy") return "out";  // it reads its output
  return "";
}

TEST(Judge, AcceptsEveryOriginalButTwo) {
  surroundings();
  for (const auto& entry : std::filesystem::directory_iterator(corpus_folder() / "kernels")) {
    const std::string name = entry.path().stem(), objection = objection_to(name);
    const Verdict& verdict = KernelBench::of(name, "c++14").original();
    EXPECT_EQ(verdict.right, objection.empty()) << name << ": " << verdict.reason;
    EXPECT_NE(verdict.reason.find(objection), std::string::npos) << name << ": " << verdict.reason;
  }
}

}  // namespace
}  // namespace hone::corpus
