#include "tool/search/prompt/tunables.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <deque>
#include <fstream>
#include <set>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "tool/search/memory/portable_random.h"

namespace hone::search {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::string kSource =
    "// HONE_TUNABLE(COMMENT, 1, 2)\n"
    "#define UNUSED HONE_TUNABLE(MACRO, 1)\n"
    "HONE_TUNABLE(BLOCK, 64, 128, 256);\n"
    "void f(float* x, int n) {\n"
    "  HONE_TUNABLE(UNROLL, 2 * 2,\n"
    "               (1, 8), 2 * 2)\n"
    "  const char* text = \"HONE_TUNABLE(STRING, 1)\";\n"
    "}\n";

std::vector<Tunable> two(std::size_t a, std::size_t b) {
  std::vector<Tunable> tunables{{"A", {}}, {"B", {}}};
  for (std::size_t i = 0; i < a; ++i) tunables[0].values.push_back(std::to_string(i));
  for (std::size_t i = 0; i < b; ++i) tunables[1].values.push_back(std::to_string(i));
  return tunables;
}

TEST(Tunables, AreFoundInCodeOnly) {
  const auto tunables = find_tunables(kSource);
  ASSERT_TRUE(tunables) << tunables.error();
  EXPECT_THAT(*tunables, ElementsAre(Tunable{"BLOCK", {"64", "128", "256"}}, Tunable{"UNROLL", {"2 * 2", "(1, 8)"}}));
  EXPECT_EQ(describe_choice(*tunables, {1, 0}), "BLOCK=128 UNROLL=2 * 2");
}

TEST(Tunables, ResolveToConstantsOnSameLines) {
  const auto tunables = find_tunables(kSource);
  ASSERT_TRUE(tunables);
  EXPECT_EQ(resolve_tunables(kSource, *tunables, {2, 0}),
            "// HONE_TUNABLE(COMMENT, 1, 2)\n"
            "#define UNUSED HONE_TUNABLE(MACRO, 1)\n"
            "constexpr auto BLOCK = 256;\n"
            "void f(float* x, int n) {\n"
            "  constexpr auto UNROLL = 2 * 2;\n"
            "\n"
            "  const char* text = \"HONE_TUNABLE(STRING, 1)\";\n"
            "}\n");
}

TEST(Tunables, DescribeChoiceOnOneLine) {
  const auto tunables = find_tunables("HONE_TUNABLE(A, 1 +\n2);");
  ASSERT_TRUE(tunables);
  EXPECT_EQ(describe_choice(*tunables, {0}), "A=1 + 2");
}

TEST(Tunables, LeaveSourceWithoutTunablesUnchanged) {
  const auto tunables = find_tunables("int f() { return 1; }\n");
  ASSERT_TRUE(tunables);
  EXPECT_TRUE(tunables->empty());
  EXPECT_EQ(resolve_tunables("int f() { return 1; }\n", *tunables, {}), "int f() { return 1; }\n");
}

TEST(Tunables, ReportInvalidDeclarations) {
  const std::pair<std::string, const char*> wrongs[] = {
      {"HONE_TUNABLE(A);", "has no values"},
      {"HONE_TUNABLE(A, );", "empty value"},
      {"HONE_TUNABLE(1, 2);", "must begin with a name"},
      {"HONE_TUNABLE();", "must begin with a name"},
      {"HONE_TUNABLE(A, 1); HONE_TUNABLE(A, 2);", "declared twice"},
      {"HONE_TUNABLE(A, 1, HONE_TUNABLE(B, 2));", "another HONE_TUNABLE among its values"},
      {"HONE_TUNABLE(A, 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17);", "more than 16 values"},
      {"HONE_TUNABLE(A,1);HONE_TUNABLE(B,1);HONE_TUNABLE(C,1);HONE_TUNABLE(D,1);HONE_TUNABLE(E,1);HONE_TUNABLE(F,1);"
       "HONE_TUNABLE(G,1);HONE_TUNABLE(H,1);HONE_TUNABLE(I,1);",
       "more than 8"},
  };
  for (const auto& [source, why] : wrongs) {
    const auto tunables = find_tunables(source);
    ASSERT_FALSE(tunables) << source;
    EXPECT_THAT(tunables.error(), HasSubstr(why)) << source;
  }
}

TEST(TunableSearch, TriesWholeSmallSpaceStartingAtDefault) {
  TunableSearch search(two(2, 3), {.patience = 99});
  std::vector<TunableChoice> asked;
  while (const auto trial = search.ask()) {
    asked.push_back(trial->choice);
    search.tell(*trial, trial->choice == TunableChoice{1, 1} ? 2 : 1);
  }
  EXPECT_TRUE(search.finished());
  EXPECT_THAT(asked, ElementsAre(TunableChoice{0, 0}, TunableChoice{0, 1}, TunableChoice{0, 2}, TunableChoice{1, 0},
                                 TunableChoice{1, 1}, TunableChoice{1, 2}));
  EXPECT_EQ(search.best(), (TunableChoice{1, 1}));
  EXPECT_EQ(search.best_fitness(), 2);
}

TEST(TunableSearch, FindsSummitOfLargeSpaceWithoutRepeating) {
  TunableSearch search(two(8, 8), {.budget = 40, .patience = 20});
  std::set<TunableChoice> asked;
  while (const auto trial = search.ask()) {
    ASSERT_TRUE(asked.insert(trial->choice).second);
    const double a = static_cast<double>(trial->choice[0]) - 5;
    const double b = static_cast<double>(trial->choice[1]) - 3;
    search.tell(*trial, 10 - std::hypot(a, b));
  }
  EXPECT_EQ(search.best(), (TunableChoice{5, 3}));
  EXPECT_LE(asked.size(), 30u);
  EXPECT_TRUE(search.finished());
}

TEST(TunableSearch, StopsWhenNothingGains) {
  TunableSearch search(two(8, 8), {.patience = 5});
  unsigned asked = 0;
  while (const auto trial = search.ask()) {
    search.tell(*trial, trial->choice == TunableChoice{0, 0} ? 1 : 1.005);
    ++asked;
  }
  EXPECT_LE(asked, 1 + 5 + 5u) << "those that are spread over the space, and its patience";
  EXPECT_EQ(search.best(), (TunableChoice{0, 0}));
}

// Numbers of two to four values each: what each value does to the logarithm of the speed, what four in ten pairs do
// together beside that, and the noise of a measurement. With `together` 0.15 such a pair matters as much as a number.
class Landscape {
 public:
  Landscape(unsigned numbers, double together, std::uint64_t seed) : random_(seed) {
    for (unsigned i = 0; i < numbers; ++i) {
      tunables_.push_back({"N" + std::to_string(i), std::vector<std::string>(2 + random_.below(3))});
      for (std::size_t v = 0; v < size(i); ++v) single_[i][v] = 0.15 * normal();
    }
    for (unsigned i = 0; i < numbers; ++i)
      for (unsigned j = i + 1; j < numbers; ++j)
        if (random_.chance(0.4))
          for (std::size_t v = 0; v < size(i); ++v)
            for (std::size_t w = 0; w < size(j); ++w) pair_[i][j][v][w] = together * normal();
  }

  const std::vector<Tunable>& tunables() const { return tunables_; }
  double measure(const TunableChoice& choice) { return std::exp(gain(choice) + 0.01 * normal()); }
  double gain(const TunableChoice& choice) const {
    double sum = 0;
    for (std::size_t i = 0; i < choice.size(); ++i) {
      sum += single_[i][choice[i]];
      for (std::size_t j = i + 1; j < choice.size(); ++j) sum += pair_[i][j][choice[i]][choice[j]];
    }
    return sum;
  }
  // Of all choices, beside the default's.
  double most() const {
    double most = 0;
    TunableChoice choice = default_choice(tunables_);
    const double start = gain(choice);
    for (bool more = true; more;) {
      most = std::max(most, gain(choice) - start);
      std::size_t at = 0;
      while (at < choice.size() && ++choice[at] == tunables_[at].values.size()) choice[at++] = 0;
      more = at < choice.size();
    }
    return most;
  }

 private:
  std::size_t size(unsigned number) const { return tunables_[number].values.size(); }
  double normal() {
    double sum = -6;
    for (int i = 0; i < 12; ++i) sum += random_.unit();
    return sum;
  }

  Random random_;
  std::vector<Tunable> tunables_;
  double single_[8][4] = {};
  double pair_[8][8][4][4] = {};
};

// Of the gain that all choices hold, in percent, and how many choices were measured for it.
std::pair<double, double> found_in(unsigned numbers, double together) {
  double found = 0, most = 0, asked = 0;
  constexpr unsigned landscapes = 5;
  for (unsigned seed = 1; seed <= landscapes; ++seed) {
    Landscape land(numbers, together, seed);
    TunableSearch search(land.tunables(), {});
    while (const auto trial = search.ask()) search.tell(*trial, land.measure(trial->choice)), ++asked;
    found += land.gain(search.best()) - land.gain(default_choice(land.tunables()));
    most += land.most();
  }
  return {100 * found / most, asked / landscapes};
}

// docs/BENCHMARKS.md has these figures (--gtest_output=json).
TEST(TunableSearch, FindsMostOfTheGainWithoutTheFullProduct) {
  for (const unsigned numbers : {2u, 4u, 6u, 8u})
    for (const double together : {0.05, 0.15}) {
      const auto [found, asked] = found_in(numbers, together);
      RecordProperty(fmt::format("{}_numbers_{}", numbers, together), fmt::format("{:.1f}% by {:.1f}", found, asked));
      EXPECT_GE(found, together > 0.1 ? 75 : 90) << numbers;
      EXPECT_LE(asked, 32) << numbers;
    }
}

TEST(TunableSearch, KeepsBudgetWithSeveralOpenTrials) {
  Random random(1);  // so that nothing can be expected to be the best
  TunableSearch search(two(16, 16), {.budget = 10, .patience = 99});
  std::vector<TunableTrial> open;
  unsigned asked = 0;
  do {
    while (const auto trial = search.ask()) open.push_back(*trial), ++asked;
    for (const TunableTrial& trial : open) search.tell(trial, 1 + random.unit());
    open.clear();
  } while (!search.finished());
  EXPECT_EQ(asked, 10u);
}

// Of a speed of 1 and more a short look leaves open whether it is one.
TEST(TunableSearch, LooksLongerAtBestThirdWhereBestIsUndecided) {
  TunableSearch search(two(3, 3), {.patience = 99});
  std::vector<TunableChoice> second;
  while (const auto trial = search.ask()) {
    // The first look takes {2, 2} for the best, the longer one shows {1, 2} to be.
    if (trial->rung == 1) second.push_back(trial->choice);
    const double noise = trial->rung == 0 && trial->choice == TunableChoice{2, 2} ? 1 : 0;
    search.tell(
        *trial,
        (trial->choice == TunableChoice{1, 2} ? 2.5 : 1 + 0.1 * static_cast<double>(trial->choice[0])) + noise * 2,
        false);
  }
  EXPECT_THAT(second, ElementsAre(TunableChoice{2, 2}, TunableChoice{1, 2}, TunableChoice{2, 0}));
  EXPECT_EQ(search.best(), (TunableChoice{1, 2}));
  EXPECT_EQ(search.best_fitness(), 2.5);
}

TEST(TunableSearch, EndsWithFirstLooksWhereBestIsDecided) {
  TunableSearch search(two(3, 3), {.patience = 99});
  unsigned asked = 0;
  for (; const auto trial = search.ask(); ++asked) {
    EXPECT_EQ(trial->rung, 0u);
    search.tell(*trial, trial->choice == TunableChoice{1, 2} ? 2 : 1, trial->choice == TunableChoice{1, 2});
  }
  EXPECT_EQ(asked, 9u);
  EXPECT_TRUE(search.finished());
}

// The seconds of two kernels at each of 1280 choices, as tests/benchmarks/tunable_landscapes.cpp measured them.
class MeasuredLandscape {
 public:
  explicit MeasuredLandscape(const std::string& name) {
    std::ifstream file(HONE_SOURCE_DIR "/tests/search/prompt/landscapes/" + name + ".txt");
    for (std::string line; std::getline(file, line);) {
      std::istringstream words(line);
      std::string word;
      words >> word;
      if (!std::isalpha(static_cast<unsigned char>(word.front()))) {
        seconds_.push_back(std::stod(word));
        continue;
      }
      tunables_.push_back({word, {}});
      while (words >> word) tunables_.back().values.push_back(word);
    }
  }

  // How near to the best choice of all a search comes from a default that is drawn, on average; and by how many
  // measurements.
  std::pair<double, double> found() const {
    double sum = 0, asked = 0;
    constexpr unsigned runs = 16;
    for (unsigned seed = 1; seed <= runs; ++seed) {
      Random random(seed);
      std::vector<Tunable> tunables = tunables_;
      for (Tunable& tunable : tunables)
        std::swap(tunable.values.front(), tunable.values[random.below(tunable.values.size())]);
      TunableSearch search(tunables, {});
      for (; const auto trial = search.ask(); ++asked)
        search.tell(*trial, 1 / at(tunables, trial->choice) * (0.99 + 0.02 * random.unit()));
      sum += std::ranges::min(seconds_) / at(tunables, search.best());
    }
    return {100 * sum / runs, asked / runs};
  }

 private:
  double at(const std::vector<Tunable>& tunables, const TunableChoice& choice) const {
    std::size_t place = 0;
    for (std::size_t i = 0; i < choice.size(); ++i) {
      const auto& values = tunables_[i].values;
      place = place * values.size() +
              static_cast<std::size_t>(std::ranges::find(values, tunables[i].values[choice[i]]) - values.begin());
    }
    return seconds_.at(place);
  }

  std::vector<Tunable> tunables_;
  std::vector<double> seconds_;
};

// docs/BENCHMARKS.md has these figures (--gtest_output=json).
TEST(TunableSearch, ComesNearBestChoiceOfMeasuredKernels) {
  for (const std::string kernel : {"gemm", "box"}) {
    const auto [found, asked] = MeasuredLandscape(kernel).found();
    RecordProperty(kernel, fmt::format("{:.1f}% by {:.1f}", found, asked));
    EXPECT_GE(found, 80) << kernel;
    EXPECT_LE(asked, 32) << kernel;
  }
}

TEST(TunableSearch, AsksElsewhereWhileChoicesAreOpen) {
  TunableSearch search(two(16, 16), {.patience = 99});
  std::deque<TunableTrial> open;
  std::set<TunableChoice> asked;
  do {
    while (open.size() < 4) {
      const auto trial = search.ask();
      if (!trial) break;
      EXPECT_TRUE(asked.insert(trial->choice).second);
      open.push_back(*trial);
    }
    if (open.empty()) break;
    const TunableTrial trial = open.front();
    open.pop_front();
    search.tell(trial, 10 - std::abs(static_cast<double>(trial.choice[0]) - 11) / 4);
  } while (true);
  EXPECT_EQ(search.best()[0], 11u);
  EXPECT_LE(asked.size(), 32u);
}

TEST(TunableSearch, FindsWorkingChoiceWhenDefaultFails) {
  TunableSearch search(two(4, 1), {});
  while (const auto trial = search.ask()) search.tell(*trial, trial->choice[0] == 3 ? 1.2 : 0);
  EXPECT_EQ(search.best(), (TunableChoice{3, 0}));
}

TEST(TunableSearch, StopsWhenNothingWorks) {
  for (const std::size_t values : {10u, 16u}) {  // tried whole, and too many for that
    TunableSearch search(two(values, values == 10 ? 1 : 4), {});
    std::size_t told = 0;
    for (; const auto trial = search.ask(); ++told) search.tell(*trial, 0);
    EXPECT_EQ(told, 6u);
    EXPECT_TRUE(search.finished());
  }
}

TEST(Tunables, DropHeaderIncludeAndKeepLines) {
  EXPECT_EQ(without_hone_header("#include <hone/hone.h>\n#include <cmath>\nint a;"), "\n#include <cmath>\nint a;");
  EXPECT_EQ(without_hone_header("  # include \"hone/hone.h\"\nint a;\n"), "\nint a;\n");
  EXPECT_EQ(without_hone_header("// hone/hone.h\n"), "// hone/hone.h\n");
}

}  // namespace
}  // namespace hone::search
