// Whether a prompt's notes fit the kernel: for each kernel of a table, one of the notes that an engineer would want is
// among the three that a prompt shows.
//
// The kernels are the suites', the example's, the CUDA corpus's, and those in kernels/, which say in their first line
// what is right for them; those in kernels/aside were looked at only once, when the choice of notes was finished.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <span>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tool/search/knowledge/knowledge.h"
#include "tool/search/knowledge/near_pairs.h"

namespace hone::search {
namespace {

struct Expected {
  const char* file;   // below the repository's root
  const char* right;  // notes, any of which will do
};

constexpr Expected suites[] = {
    {"tests/benchmarks/kernels/blur.cpp", "border-peeling"},
    {"tests/benchmarks/kernels/dot.cpp", "several-accumulators"},
    {"tests/benchmarks/kernels/gemm.cpp", "gemm-register-block loop-interchange"},
    {"tests/benchmarks/kernels/layer_norm.cpp", "softmax-rows"},
    {"tests/benchmarks/kernels/matvec_transposed.cpp", "loop-interchange"},
    {"tests/benchmarks/kernels/nbody.cpp", "nbody-pairs rsqrt-newton"},
    {"tests/benchmarks/kernels/prefix_sum.cpp", "scan-blocking"},
    {"tests/benchmarks/kernels/softmax.cpp", "softmax-rows exp-polynomial"},
    {"tests/benchmarks/kernels/stencil.cpp", "separable-stencil non-temporal-stores"},
    {"tests/benchmarks/kernels/transpose.cpp", "register-transpose loop-tiling"},
    {"tests/benchmarks/cuda/batched_matmul.cu", "cuda-shared-tiling"},
    {"tests/benchmarks/cuda/convolution_1d.cu", "cuda-shared-tiling"},
    {"tests/benchmarks/cuda/convolution_2d.cu", "cuda-shared-tiling"},
    {"tests/benchmarks/cuda/gelu_bias.cu", "cuda-vector-loads"},
    {"tests/benchmarks/cuda/gemm.cu", "cuda-shared-tiling"},
    {"tests/benchmarks/cuda/gemv.cu", "cuda-warp-shuffle cuda-coalescing"},
    {"tests/benchmarks/cuda/histogram.cu", "cuda-private-atomics"},
    {"tests/benchmarks/cuda/layer_norm.cu", "cuda-warp-shuffle"},
    {"tests/benchmarks/cuda/reduction.cu", "cuda-warp-shuffle"},
    {"tests/benchmarks/cuda/saxpy.cu", "cuda-vector-loads"},
    {"tests/benchmarks/cuda/scan.cu", "cuda-scan"},
    {"tests/benchmarks/cuda/softmax.cu", "cuda-warp-shuffle"},
    {"tests/benchmarks/cuda/stencil.cu", "cuda-coalescing cuda-shared-tiling"},
    {"tests/benchmarks/cuda/transpose.cu", "cuda-bank-conflicts"},
    {"tests/benchmarks/cuda/vector_add.cu", "cuda-vector-loads"},
};

constexpr Expected others[] = {
    {"examples/image/blur.cpp", "border-peeling"},
    {"examples/image/gradient.cpp", "loop-interchange"},
    {"examples/image/match.cpp", "vectorise-outer unroll-and-jam several-accumulators"},
    {"tests/corpus/cuda/kernels/argmax.cu", "cuda-warp-shuffle"},
    {"tests/corpus/cuda/kernels/axpy.cu", "cuda-vector-loads"},
    {"tests/corpus/cuda/kernels/compact.cu", "cuda-scan"},
    {"tests/corpus/cuda/kernels/histogram.cu", "cuda-private-atomics"},
    {"tests/corpus/cuda/kernels/product.cu", "cuda-shared-tiling"},
    {"tests/corpus/cuda/kernels/relax.cu", "cuda-vector-loads"},
    {"tests/corpus/cuda/kernels/rows.cu", "cuda-warp-shuffle cuda-coalescing"},
    {"tests/corpus/cuda/kernels/scale.cu", "cuda-vector-loads"},
    {"tests/corpus/cuda/kernels/smooth.cu", "cuda-shared-tiling cuda-vector-loads"},
    {"tests/corpus/cuda/kernels/softmax.cu", "cuda-warp-shuffle"},
    {"tests/corpus/cuda/kernels/transpose.cu", "cuda-bank-conflicts cuda-shared-tiling"},
};

std::string text_of(const std::filesystem::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

// As tune/facts gathers it: the function that is annotated, and what it reaches.
TaskFacts facts_of(const std::filesystem::path& file) {
  TaskFacts facts;
  const bool device = file.extension() == ".cu";
  const std::string text = text_of(file);
  const std::size_t launcher = std::min(text.rfind("\nvoid "), text.size());
  facts.closure = device ? text.substr(0, launcher) : "";
  facts.definition = device ? text.substr(launcher) : text;
  facts.signature = text.substr(0, text.find('{'));
  facts.language = device ? "cuda c++17" : "c++17";
  facts.target = device ? "" : "x86_64 avx avx2 fma";
  return facts;
}

std::vector<std::string> words(const std::string& text) {
  std::istringstream in(text);
  return {std::istream_iterator<std::string>(in), {}};
}

std::vector<std::string> shown_for(const std::filesystem::path& file) {
  std::vector<std::string> names;
  for (const Note& note : retrieve(builtin_notes(), classify(facts_of(file)), {}, 3)) names.push_back(note.name);
  return names;
}

// Counts right choices, and says which kernels have none.
struct Score {
  unsigned right = 0, all = 0;
  std::string wrong;

  void add(const std::filesystem::path& file, const std::string& expected) {
    const auto shown = shown_for(file);
    const auto fits = words(expected);
    ++all;
    if (std::ranges::find_first_of(shown, fits) != shown.end()) {
      ++right;
      return;
    }
    wrong += file.filename().string() + " (" + describe_traits(classify(facts_of(file))) + ") has";
    for (const std::string& name : shown) wrong += " " + name;
    wrong += "\n";
  }
};

std::filesystem::path root() {
  return HONE_SOURCE_DIR;
}

Score score_of(const std::filesystem::path& folder) {
  Score score;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.is_directory()) continue;
    const std::string text = text_of(entry.path());
    const std::string mark = "// right: ";
    EXPECT_TRUE(text.starts_with(mark)) << entry.path();
    score.add(entry.path(), text.substr(mark.size(), text.find('\n') - mark.size()));
  }
  return score;
}

void expect_four_fifths(const Score& score) {
  testing::Test::RecordProperty("right", std::to_string(score.right) + " of " + std::to_string(score.all));
  testing::Test::RecordProperty("wrong", score.wrong);
  EXPECT_GE(5 * score.right, 4 * score.all) << score.right << " of " << score.all << "; wrong:\n" << score.wrong;
}

TEST(Retrieval, ShowsRightNoteForKernelsOfSuites) {
  Score score;
  for (const Expected& one : suites) score.add(root() / one.file, one.right);
  EXPECT_EQ(score.all, 25u);
  expect_four_fifths(score);
}

TEST(Retrieval, ShowsRightNoteForKernelsOfExampleAndCorpus) {
  Score score;
  for (const Expected& one : others) score.add(root() / one.file, one.right);
  expect_four_fifths(score);
}

TEST(Retrieval, ShowsRightNoteForOtherKernels) {
  expect_four_fifths(score_of(root() / "tests/search/prompt/kernels"));
}

TEST(Retrieval, ShowsRightNoteForKernelsThatWereSetAside) {
  expect_four_fifths(score_of(root() / "tests/search/prompt/kernels/aside"));
}

// For whom an engineer would want a note, the winner of a kernel with the same note is worth seeing.
TEST(Retrieval, NearestKernelHasTheSameRightNote) {
  struct Kernel {
    TaskFacts facts;
    std::vector<std::string> right;
    bool device = false;
  };
  std::map<std::string, Kernel> kernels;
  const auto add = [&](const std::filesystem::path& file, const std::string& right) {
    kernels[file.string()] = {facts_of(file), words(right), file.extension() == ".cu"};
  };
  for (const auto& table : {std::span<const Expected>(suites), std::span<const Expected>(others)})
    for (const Expected& one : table) add(root() / one.file, one.right);
  unsigned fits = 0, all = 0;
  std::string wrong;
  for (const auto& [file, kernel] : kernels) {
    std::vector<VerifiedPair> pairs;
    bool possible = false;
    for (const auto& [other_file, other] : kernels) {
      if (other_file == file || other.device != kernel.device) continue;
      possible = possible || std::ranges::find_first_of(other.right, kernel.right) != other.right.end();
      pairs.push_back(
          {other_file, other_file, other.facts.language, other.facts.closure + other.facts.definition, "fast", "", 2});
    }
    if (!possible) continue;
    ++all;
    const auto near = near_pairs(std::move(pairs), kernel.facts, {.most = 2, .most_code = 100'000});
    const bool fit = std::ranges::any_of(near, [&](const VerifiedPair& pair) {
      return std::ranges::find_first_of(kernels.at(pair.kernel).right, kernel.right) !=
             kernels.at(pair.kernel).right.end();
    });
    fits += fit;
    if (!fit) wrong += file + (near.empty() ? " has none" : " has " + near[0].kernel) + "\n";
  }
  RecordProperty("fits", std::to_string(fits) + " of " + std::to_string(all));
  EXPECT_GE(4 * fits, 3 * all) << fits << " of " << all << "; wrong:\n" << wrong;
}

}  // namespace
}  // namespace hone::search
