// The built-in proposer's search on the line, with genomes that are rendered as words.
#include "tool/tune/trial/builtin_source.h"

#include <fmt/format.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tune/trial/line_bench.h"
#include "tool/search/genome.h"

namespace hone::tune {
namespace {

class BuiltinSourceTest : public LineBench {
 protected:
  struct Ran {
    SearchOutcome outcome;
    std::vector<search::Trial> trials;
  };

  Ran run(unsigned trials, unsigned judgments, const BuiltinSource::Render& render) {
    Catalog catalog;
    catalog.transforms = {{"tile", 3, {{8, 16, 32}}}, {"unroll", 2, {{2, 4}}}};
    catalog.recipes = {{{"tile", 0, {8}}}, {{"unroll", 1, {4}}}};
    const auto search = search::make_builtin_search(search::preset("builtin").value(), catalog, 7);
    TrialLine::Options line_is = options(trials);
    line_is.bench.parallel.judgments = judgments;
    TrialLine line(ports(), line_is, stop_.get_token());
    BuiltinSource source(*search, render, line);
    Ran ran{line.run(source), {}};
    ran.trials = search->trials();
    return ran;
  }

  // Each gene is a statement; how fast it is depends on how many there are.
  static frontend::Rendered render(const Genome& genome) {
    return {fmt::format("text {{ {}; fast{}; }}", search::describe(genome), genome.size()), genome};
  }
  static std::vector<std::string> names(const Ran& ran) {
    std::vector<std::string> names;
    for (const search::Trial& trial : ran.trials)
      names.push_back(trial.candidate.name + (trial.duplicate_of ? fmt::format(" = {}", *trial.duplicate_of) : ""));
    return names;
  }
};

TEST_F(BuiltinSourceTest, JudgesAsManyTrialsAsItMay) {
  const Ran ran = run(12, 1, render);
  EXPECT_EQ(ran.outcome.counts.total, 12u);
  EXPECT_TRUE(ran.outcome.complete);
  EXPECT_EQ(written().size(), 12u);
  EXPECT_EQ(ran.trials.at(1).candidate.name, "tile(8)") << "recipes come first";
}

TEST_F(BuiltinSourceTest, AsksSameHoweverLongRenderingTakes) {
  const Ran quick = run(14, 2, render);
  std::filesystem::remove(file());
  reopen();
  unsigned call = 0;
  const Ran slow = run(14, 2, [&](const Genome& genome) {
    if (++call % 3 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    return render(genome);
  });
  EXPECT_EQ(names(slow), names(quick));
}

TEST_F(BuiltinSourceTest, TellsGenesThatDidNothingAsDuplicateOfOriginal) {
  const Ran ran = run(3, 1, [](const Genome&) { return frontend::Rendered{original, {}}; });
  EXPECT_EQ(ran.outcome.counts.total, 0u);
  EXPECT_TRUE(ran.outcome.complete) << "it gave up";
  ASSERT_GT(ran.trials.size(), 1u);
}

TEST_F(BuiltinSourceTest, EndsWhileSomethingIsRendered) {
  const Ran ran = run(10, 1, [&](const Genome& genome) {
    stop_.request_stop();
    return render(genome);
  });
  EXPECT_EQ(ran.outcome.counts.total, 0u);
  EXPECT_FALSE(ran.outcome.complete);
}

}  // namespace
}  // namespace hone::tune
