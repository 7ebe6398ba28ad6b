// What is left of a winner, on stages that are a table: a text says how fast it is.
#include "tool/tune/reduction/reducer.h"

#include <fmt/format.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>

#include "tests/tune/trial/line_bench.h"
#include "tool/search/genome.h"

namespace hone::tune {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

const Gene restrict_pointers{"restrict", 0, {}}, tiles{"tile", 0, {64}}, unrolled{"unroll_full", 0, {}};

class ReducerTest : public LineBench {
 protected:
  // A gene is a statement. Half of the speed is lost without `restrict`, a quarter without `tile`; another gene gains
  // nothing.
  static frontend::Rendered render(const Genome& genome) {
    int speed = 8;
    std::string text;
    for (const Gene& gene : genome) text += search::describe({gene}) + ";\n";
    if (text.find("restrict") == std::string::npos) speed /= 2;
    if (text.find("tile") == std::string::npos) speed /= 4;
    return {fmt::format("void f() {{\n{}fast{};\n}}\n", text, speed), genome};
  }

  static Accepted found(const std::string& source) {
    Accepted winner;
    winner.trial = 4;
    winner.candidate.source = source;
    winner.candidate.name = "found";
    winner.candidate.thought = "It is clever.";
    winner.verdict.right = winner.verdict.faster = true;
    winner.verdict.stage = Stage::done;
    winner.verdict.measurement.speedup = {8, 7, 9};
    winner.verdict.measurement.problems = {{.reference_samples = {1, 1}, .candidate_samples = {1, 1}}};
    return winner;
  }
  static Accepted found(const Genome& genome) { return found(render(genome).source); }

  static double speed_of(const compile::Objects& objects) {
    const auto fast = objects.plain.find("fast");
    return fast == std::string::npos ? 1 : std::stod(objects.plain.substr(fast + 4));
  }

  Reducer reducer(const Accepted& winner) {
    const auto compare = [this](const compile::Objects& first, const compile::Objects& second) -> Result<Verdict> {
      ++compared_;
      if (compared_ == lost_at_) return failure("there is no worker");
      Verdict verdict;
      const double ratio = speed_of(second) / speed_of(first);
      verdict.right = true;
      verdict.faster = ratio > 0.97;
      verdict.measurement.speedup = {ratio, ratio, ratio};
      verdict.measurement.problems = {{.reference_samples = {1, 1}, .candidate_samples = {1, 1}}};
      return verdict;
    };
    const auto present = [](const std::string& source, const std::string& words) {
      return "// " + words + "\n" + source;
    };
    return Reducer({stages_, *journal_, compare, present}, winner, "void f() {\n\n}", share_);
  }

  static std::vector<std::string> changes(const Accepted& reduced) {
    std::vector<std::string> changes;
    for (const KeptChange& kept : reduced.reduction->kept)
      changes.push_back(kept.gain ? fmt::format("{} {:g}", kept.change, kept.gain->median) : kept.change);
    return changes;
  }

  Deadline share_{stop_.get_token(), seconds_from_now(60)};
  unsigned compared_ = 0, lost_at_ = 0;
};

TEST_F(ReducerTest, LeavesOutGenesThatGainNothing) {
  const Genome genome{unrolled, restrict_pointers, unrolled, tiles, unrolled};
  const Accepted winner = found(genome);
  const Accepted reduced = reducer(winner).by_genes(genome, {}, render, render);
  EXPECT_EQ(reduced.candidate.name, "restrict+tile(64)");
  EXPECT_EQ(reduced.candidate.genome, (Genome{restrict_pointers, tiles}));
  EXPECT_EQ(reduced.candidate.source, "// pointers that do not alias; iterations in strips that stay in the cache.\n" +
                                          render({restrict_pointers, tiles}).source);
  EXPECT_THAT(reduced.reduction->left_out, ElementsAre("unroll_full", "unroll_full", "unroll_full"));
  EXPECT_TRUE(reduced.reduction->complete);
  EXPECT_EQ(reduced.reduction->lines_original, 2u);
  EXPECT_EQ(reduced.reduction->lines_found, 8u);
  EXPECT_EQ(reduced.reduction->lines, 6u);
}

TEST_F(ReducerTest, SaysWhatEachGeneGains) {
  const Genome genome{restrict_pointers, unrolled, tiles};
  const Accepted winner = found(genome);
  EXPECT_THAT(changes(reducer(winner).by_genes(genome, {}, render, render)), ElementsAre("restrict 2", "tile(64) 4"));
}

TEST_F(ReducerTest, BeginsWithPartThatSearchTried) {
  const Genome genome(20, unrolled), part{tiles, restrict_pointers};
  Genome whole = genome;
  whole.insert(whole.end(), part.begin(), part.end());
  const Accepted winner = found(whole);
  const Accepted reduced =
      reducer(winner).by_genes(whole, {{}, {tiles}, {restrict_pointers, {"tile", 0, {8}}}, part}, render, render);
  EXPECT_EQ(reduced.candidate.genome, part);
  EXPECT_LE(stages_.judged.size(), 4u) << "tiles alone, the part, and the part without either";
}

TEST_F(ReducerTest, TakesGainOfOnlyGeneFromSearch) {
  const Accepted winner = found(Genome{tiles});
  EXPECT_THAT(changes(reducer(winner).by_genes({tiles}, {}, render, render)), ElementsAre("tile(64) 8"));
  EXPECT_EQ(compared_, 0u);
}

TEST_F(ReducerTest, KeepsGeneWithoutWhichTextIsWrong) {
  const auto wrong_without_tiles = [](const Genome& genome) {
    frontend::Rendered rendered = render(genome);
    if (std::ranges::find(genome, tiles) == genome.end())
      rendered.source.insert(rendered.source.find("fast"), "wrong;\nfast8;\n");
    return rendered;
  };
  const Genome genome{restrict_pointers, tiles, unrolled};
  const Accepted winner = found(genome);
  const Accepted reduced = reducer(winner).by_genes(genome, {}, wrong_without_tiles, wrong_without_tiles);
  EXPECT_EQ(reduced.candidate.name, "restrict+tile(64)");
  EXPECT_THAT(reduced.reduction->kept.at(1).without, HasSubstr("it is wrong"));
}

TEST_F(ReducerTest, ComparesWithWinnerThatWasFound) {
  // Each gene gains two hundredths: one could go, two could not.
  const auto small_steps = [](const Genome& genome) {
    return frontend::Rendered{
        fmt::format("void f() {{ {}; fast{}; }}", search::describe(genome), 96 + 2 * genome.size()), genome};
  };
  const Genome genome{restrict_pointers, tiles, unrolled, restrict_pointers};
  const Accepted winner = found(small_steps(genome).source);
  EXPECT_EQ(reducer(winner).by_genes(genome, {}, small_steps, small_steps).candidate.genome.size(), 3u);
}

// The same genes in more lines, which are as fast as `speed` says.
Reducer::Render written_out(const std::string& speed) {
  return [speed](const Genome& genome) {
    return frontend::Rendered{
        fmt::format("void f() {{\ntwice;\ntwice;\ntwice;\n{};\n{};\n}}\n", search::describe(genome), speed), genome};
  };
}

TEST_F(ReducerTest, WritesOutWhatIsFasterSo) {
  const Genome genome{restrict_pointers, tiles};
  const Accepted winner = found(genome);
  EXPECT_THAT(reducer(winner).by_genes(genome, {}, render, written_out("fast9")).candidate.source, HasSubstr("twice;"));
  EXPECT_THAT(stages_.compiled.back(), HasSubstr("twice;")) << "behind all that was left out";
}

TEST_F(ReducerTest, WritesOutNothingThatIsHardlyFaster) {
  const Genome genome{restrict_pointers, tiles};
  const Accepted winner = found(genome);
  for (const char* speed : {"fast8.2", "fast8", "fast2"})
    EXPECT_THAT(reducer(winner).by_genes(genome, {}, render, written_out(speed)).candidate.source,
                Not(HasSubstr("twice;")));
}

TEST_F(ReducerTest, WritesOutManyLinesForMuchAlone) {
  const auto in_many_lines = [](const std::string& speed) {
    return [speed](const Genome& genome) {
      frontend::Rendered rendered = written_out(speed)(genome);
      for (int line = 0; line < 30; ++line) rendered.source.insert(rendered.source.find("twice;"), "twice;\n");
      return rendered;
    };
  };
  const Genome genome{restrict_pointers, tiles};
  const Accepted winner = found(genome);
  EXPECT_THAT(reducer(winner).by_genes(genome, {}, render, in_many_lines("fast9")).candidate.source,
              Not(HasSubstr("twice;")))
      << "an eighth, for six times the lines";
  EXPECT_THAT(reducer(winner).by_genes(genome, {}, render, in_many_lines("fast12")).candidate.source,
              HasSubstr("twice;"));
}

TEST_F(ReducerTest, WritesOutWhatIsLeft) {
  const auto longer = [](const Genome& genome) {
    frontend::Rendered rendered = render(genome);
    rendered.source.insert(rendered.source.find("fast"), "twice;\ntwice;\n");
    rendered.source.insert(rendered.source.find("fast") + 4, "1");  // ten times as fast
    return rendered;
  };
  const Genome genome{restrict_pointers, unrolled, tiles};
  const Accepted winner = found(genome);
  const Accepted reduced = reducer(winner).by_genes(genome, {}, render, longer);
  EXPECT_THAT(reduced.candidate.source, HasSubstr("twice;"));
  EXPECT_THAT(reduced.reduction->left_out, Contains("unroll_full"));
}

TEST_F(ReducerTest, WritesOutNothingWhereOtherGenesApply) {
  const auto other = [](const Genome&) {
    return frontend::Rendered{"void f() {\n\n\na;\nb;\nc;\nfast90;\n}", {tiles}};
  };
  const Genome genome{restrict_pointers, tiles};
  const Accepted winner = found(genome);
  EXPECT_THAT(reducer(winner).by_genes(genome, {}, render, other).candidate.source, Not(HasSubstr("fast90")));
}

TEST_F(ReducerTest, AsksWhetherSlowTextIsRightOfNobody) {
  const Genome genome{restrict_pointers, tiles};
  const Accepted winner = found(genome);
  reducer(winner).by_genes(genome, {}, render, render);
  EXPECT_THAT(stages_.judged, IsEmpty()) << "all that was left out is slower";
}

TEST_F(ReducerTest, ComparesSameCodeOnce) {
  // A copy more or less is nothing to the compiler, but for the first.
  const auto copies = [](const Genome& genome) {
    std::string words;
    for (const Gene& gene : genome) words += gene.transform;
    return frontend::Rendered{fmt::format("{} fast{};\n", words,
                                          genome.empty()      ? 1
                                          : genome.size() < 3 ? 2
                                                              : 8),
                              genome};
  };
  const Genome genome{restrict_pointers, tiles, unrolled};
  const Accepted winner = found(copies(genome).source);
  EXPECT_EQ(reducer(winner).by_genes(genome, {}, copies, copies).candidate.genome, genome);
  EXPECT_EQ(compared_, 1u) << "three texts of one program, which is slow";
}

constexpr const char* kModels =
    "int used() { return 1; }\nint idle() { return 2; }\nint idler() { return idle(); }\n"
    "void f() {\n  prefetch;\n  fast8;\n  {\n    needless;\n  }\n  if (n < 0) return;\n}\n";

TEST_F(ReducerTest, LeavesOutStatementsAndHelpersThatGainNothing) {
  const Accepted winner = found(kModels);
  const Accepted reduced = reducer(winner).by_statements();
  EXPECT_EQ(reduced.candidate.source, "// It is clever.\nvoid f() {\n  fast8;\n  if (n < 0) return;\n}\n");
  EXPECT_EQ(reduced.candidate.name, "found");
  EXPECT_THAT(changes(reduced), ElementsAre("fast8; 8"));
  EXPECT_TRUE(reduced.reduction->complete);
}

// Comments are text to these stages: a declaration that goes alone leaves a name behind that is slow.
TEST_F(ReducerTest, LeavesOutHintsAndWritesNumberForConstant) {
  const Accepted winner = found(
      "constexpr auto /*fast8*/ fast1 = 64;\nvoid f(float* __restrict__ p) {\n#pragma GCC ivdep\n  for (;;) return "
      "fast1;\n  if (fast8) return;\n}\n");
  const Accepted reduced = reducer(winner).by_statements();
  EXPECT_EQ(reduced.candidate.source,
            "// It is clever.\nvoid f(float*  p) {\n  for (;;) return 64;\n  if (fast8) return;\n}\n");
  EXPECT_THAT(reduced.reduction->left_out, ElementsAre("fast1, a name for 64", "__restrict__", "#pragma GCC ivdep"));
  EXPECT_TRUE(reduced.reduction->complete);
}

TEST_F(ReducerTest, WritesBodyForOnlyCall) {
  const Accepted winner = found(
      "static int /*fast8*/ fast1(int v) {\n  return 2 * v;\n}\nint f(int n) {\n  if (fast1(n)) return fast8;\n}\n");
  const Accepted reduced = reducer(winner).by_statements();
  EXPECT_EQ(reduced.candidate.source, "// It is clever.\nint f(int n) {\n  if (int(2 * n)) return fast8;\n}\n");
  EXPECT_THAT(reduced.reduction->left_out, ElementsAre("fast1(), a helper of one call"));
}

TEST_F(ReducerTest, KeepsHelperWhereItsBodyIsSlow) {
  const char* text =
      "static int /*fast8*/ fast1(int v) {\n  return 2 * v;\n}\nint f(int n) {\n  if (fast1(n)) return 1;\n}\n";
  const Accepted winner = found(text);
  const Accepted reduced = reducer(winner).by_statements();
  EXPECT_EQ(reduced.candidate.source, std::string("// It is clever.\n") + text);
  EXPECT_TRUE(reduced.reduction->complete);
}

TEST_F(ReducerTest, AsksNothingTwice) {
  const Accepted winner = found(kModels);
  const Accepted first = reducer(winner).by_statements();
  const auto asked = stages_.compiled.size();
  reopen();
  EXPECT_EQ(reducer(winner).by_statements().candidate.source, first.candidate.source) << "as a run that goes on";
  EXPECT_EQ(stages_.compiled.size(), asked) << "the journal knew all";
}

TEST_F(ReducerTest, EndsWithWhatItHasWhereWorkerIsLost) {
  const Genome genome{restrict_pointers, tiles, unrolled, unrolled};
  const Accepted winner = found(genome);
  lost_at_ = 1;
  const Accepted reduced = reducer(winner).by_genes(genome, {}, render, render);
  EXPECT_EQ(reduced.candidate.genome, genome);
  EXPECT_FALSE(reduced.reduction->complete);
  EXPECT_EQ(reduced.candidate.name, "restrict+tile(64)+unroll_full+unroll_full");
}

TEST_F(ReducerTest, AsksNothingWithoutTime) {
  const Accepted winner = found(kModels);
  share_.move(seconds_from_now(0.5));
  const Accepted reduced = reducer(winner).by_statements();
  EXPECT_THAT(stages_.compiled, IsEmpty()) << "a judgment takes longer than that";
  EXPECT_EQ(reduced.candidate.source, std::string("// It is clever.\n") + kModels);
  EXPECT_FALSE(reduced.reduction->complete);
}

TEST(LinesOf, CountsWhatReaderSees) {
  EXPECT_EQ(lines_to_read(""), 0u);
  EXPECT_EQ(lines_to_read("\n \t\n"), 0u);
  EXPECT_EQ(lines_to_read("a\n\n  b"), 2u);
}

}  // namespace
}  // namespace hone::tune
