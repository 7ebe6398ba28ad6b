// Some of the corpus through the program itself: hone eval in a small project, as a person would call it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/cli/run_program.h"
#include "tests/cli/small_project.h"
#include "tests/corpus/candidate_file.h"
#include "tool/os/files/files.h"

namespace hone::corpus {
namespace {

const std::filesystem::path corpus = HONE_CORPUS_FOLDER;

CandidateFile candidate(const std::string& kind, const std::string& name) {
  for (CandidateFile& file : read_candidates(corpus / kind))
    if (file.name == name) return std::move(file);
  ADD_FAILURE() << "no candidate " << name;
  return {};
}

// The function that a kernel's file annotates.
std::string function_of(const std::string& kernel) {
  if (kernel == "blur") return "image::blur";
  if (kernel == "bodies") return "advance";
  if (kernel == "rows") return "row_rms";
  if (kernel == "running") return "running_sum";
  return kernel;
}

struct Answer {
  int code;
  nlohmann::json json;
  std::string err;
};

Answer evaluate(const CandidateFile& file) {
  const SmallProject project(os::read_file(corpus / "kernels" / (file.kernel + ".cpp")).value(),
                             "-std=" + file.standard + " -O2 -fopenmp");
  project.write("candidate.cpp", file.text);
  const Ended ended =
      run(project.folder(), {"eval", "-p", "build", "--kernel", function_of(file.kernel), "candidate.cpp", "--json"});
  return {ended.code, nlohmann::json::parse(ended.out, nullptr, false), ended.err};
}

class HostileProgram : public testing::TestWithParam<const char*> {};

TEST_P(HostileProgram, IsRejectedByHoneEval) {
  const CandidateFile file = candidate("hostile", GetParam());
  const Answer answer = evaluate(file);
  ASSERT_TRUE(answer.json.is_object()) << answer.err;
  EXPECT_EQ(answer.code, 1);
  EXPECT_EQ(answer.json["right"], false);
  EXPECT_EQ(answer.json["faster"], false);
  EXPECT_TRUE(answer.json["code"].is_string()) << answer.json;
  Verdict verdict;
  for (const Stage stage : {Stage::gate, Stage::compile, Stage::verify, Stage::time, Stage::done})
    if (answer.json["stage"] == to_string(stage)) verdict.stage = stage;
  verdict.reason = answer.json["reason"];
  const std::string difference = differs(file.verdict, verdict);
  EXPECT_TRUE(difference.empty()) << difference;
}

INSTANTIATE_TEST_SUITE_P(Corpus, HostileProgram,
                         testing::Values("memory_write_past_end", "wrong_large_sizes_only", "cheat_cache_by_pointer",
                                         "escape_fork_daemon", "compile_unbalanced"),
                         [](const auto& info) { return std::string(info.param); });

class GoodProgram : public testing::TestWithParam<const char*> {};

TEST_P(GoodProgram, IsAcceptedAsRightByHoneEval) {
  const Answer answer = evaluate(candidate("good", GetParam()));
  ASSERT_TRUE(answer.json.is_object()) << answer.err;
  EXPECT_EQ(answer.code, 0);
  EXPECT_EQ(answer.json["right"], true) << answer.json;
  EXPECT_THAT(answer.json["stage"], testing::AnyOf("time", "done"));
}

INSTANTIATE_TEST_SUITE_P(Corpus, GoodProgram,
                         testing::Values("squash_double", "blur_separable", "shade_table", "bodies_soa",
                                         "rows_std_thread"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace hone::corpus
