// What `hone explain` shows as wrong has that diagnostic, and what it shows as right has none.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/frontend/cuda_kernels.h"
#include "tests/frontend/snippet.h"
#include "tool/diagnostics/explanation.h"

namespace hone::frontend {
namespace {

Snippet file_of(std::string_view text, ExampleLanguage language) {
  if (language == ExampleLanguage::cuda) return cuda_snippet(std::string(text));
  const bool c = language == ExampleLanguage::c;
  return Snippet(std::string(text), {c ? "-std=c17" : "-std=c++17", "-I" HONE_HEADERS}, c ? "main.c" : "main.cpp");
}

void compile_examples(bool cuda) {
  for (const ExplanationGroup& group : explanation_groups())
    for (const Explanation& one : group.rows) {
      if (one.wrong.empty() || (one.language == ExampleLanguage::cuda) != cuda) continue;
      const FoundKernels wrong = file_of(one.wrong, one.language).find();
      EXPECT_FALSE(wrong.diagnostics.empty()) << one.name << ": nothing is wrong with it";
      for (const Diagnostic& diagnostic : wrong.diagnostics) {
        EXPECT_EQ(diagnostic.code, one.code) << one.name << ":\n" << diagnostic.rendered;
        EXPECT_THAT(diagnostic.rendered, testing::HasSubstr(" [hone-" + std::string(one.name) + "]\n"));
        EXPECT_THAT(diagnostic.message, testing::Not(testing::HasSubstr("[hone-")));
      }
      const FoundKernels right = file_of(one.right, one.language).find();
      for (const Diagnostic& diagnostic : right.diagnostics) ADD_FAILURE() << one.name << ":\n" << diagnostic.rendered;
      EXPECT_FALSE(right.kernels.empty()) << one.name;
    }
}

TEST(Explained, ExamplesHaveTheirDiagnosticsAndNoOthers) {
  compile_examples(false);
}

TEST(Explained, CudaExamplesHaveTheirDiagnosticsAndNoOthers) {
  HONE_NEEDS_CUDA();
  compile_examples(true);
}

}  // namespace
}  // namespace hone::frontend
