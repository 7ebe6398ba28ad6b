#include "tool/search/search.h"

#include <cmath>
#include <deque>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/search/fake_model.h"
#include "tool/search/genome.h"
#include "tool/search/operators.h"
#include "tool/search/population.h"

namespace hone::search {
namespace {

using fake::right;
using fake::wrong;

Catalog catalog() {
  return {{{"interchange", 2, {}},
           {"tile", 1, {{8, 16, 32, 64, 128}, {1, 2, 4, 8}}},
           {"unroll", 3, {{2, 4, 8, 16}}},
           {"restrict", 1, {}},
           {"simd", 2, {{0, 1}}}},
          {{{"restrict", 0, {}}, {"simd", 0, {1}}}, {{"interchange", 0, {}}, {"tile", 0, {8, 1}}}}};
}

// A kernel that gains from interchange, more from restrict with simd, most with the right tile; some genomes are wrong.
Verdict landscape(const Genome& genome) {
  double gain = 1;
  std::set<std::string> have;
  for (const Gene& gene : genome) {
    if (!have.insert(gene.transform).second) continue;
    if (gene.transform == "interchange" && gene.site == 1) return wrong(Stage::verify);
    if (gene.transform == "interchange") gain *= 1.5;
    if (gene.transform == "tile") gain *= 2 - std::abs(std::log2(gene.arguments[0] / 32.0)) * 0.4;
    if (gene.transform == "simd" && have.count("restrict")) gain *= 2;
    if (gene.transform == "unroll" && gene.arguments[0] == 16) return wrong(Stage::compile);
  }
  return right(gain);
}

Candidate candidate_for(const Request& request) {
  Candidate candidate;
  candidate.genome = request.genome;
  candidate.operator_name = request.operator_name;
  candidate.parents = request.parents;
  return candidate;
}

std::unique_ptr<Search> make(std::uint64_t seed, const std::string& population = "elite") {
  Strategy strategy = *preset("builtin");
  strategy.population = population;
  return make_builtin_search(strategy, catalog(), seed);
}

// Asks and tells with `lookahead` requests open at a time; returns the genomes in the order in which they were asked
// for.
std::vector<std::string> genomes_asked(Search& search, unsigned trials, unsigned lookahead = 1) {
  std::vector<std::string> asked;
  std::deque<Request> open;
  while (asked.size() < trials || !open.empty()) {
    while (asked.size() < trials && open.size() < lookahead) {
      const auto request = search.ask();
      if (!request) break;
      asked.push_back(describe(request->genome));
      open.push_back(*request);
    }
    if (open.empty()) break;
    search.tell(open.front(), candidate_for(open.front()), landscape(open.front().genome));
    open.pop_front();
  }
  return asked;
}

TEST(Search, RepeatsRequestsForSameSeedAndVerdicts) {
  EXPECT_EQ(genomes_asked(*make(7), 60, 4), genomes_asked(*make(7), 60, 4));
  EXPECT_NE(genomes_asked(*make(7), 60, 4), genomes_asked(*make(8), 60, 4));
}

TEST(Search, NeverRepeatsGenomeOrAsksForOriginal) {
  for (const unsigned lookahead : {1u, 5u}) {
    const auto asked = genomes_asked(*make(3), 300, lookahead);
    EXPECT_EQ(std::set<std::string>(asked.begin(), asked.end()).size(), asked.size());
    EXPECT_THAT(asked, testing::Not(testing::Contains("original")));
  }
}

TEST(Search, StartsWithFirstRecipe) {
  const auto search = make(1);
  const auto request = search->ask();
  ASSERT_TRUE(request);
  EXPECT_EQ(request->number, 1u);
  EXPECT_EQ(request->operator_name, "init");
  EXPECT_EQ(request->genome, catalog().recipes[0]);
}

Catalog less_exact_catalog() {
  Catalog catalog{{{"intrinsics", 1, {{1, 0}}, true}, {"shuffles", 1, {{0, 1}}}, {"block", 1, {{128, 256, 512}}}}, {}};
  for (const int block : {128, 256, 512}) catalog.recipes.push_back({{"intrinsics", 0, {1}}, {"block", 0, {block}}});
  return catalog;
}

TEST(Search, AsksForWrongRecipeWithoutItsLessExactGenes) {
  const auto search = make_builtin_search(*preset("builtin"), less_exact_catalog(), 1);
  const auto first = search->ask();
  ASSERT_TRUE(first);
  search->tell(*first, candidate_for(*first), wrong(Stage::verify));
  const auto second = search->ask();
  ASSERT_TRUE(second);
  EXPECT_EQ(describe(second->genome), "block(128)");
  EXPECT_EQ(second->operator_name, "exact");
  EXPECT_THAT(second->parents, testing::ElementsAre(1u));
}

TEST(Search, AsksForNoLessExactGenesOnceTwoWereWrong) {
  const auto search = make_builtin_search(*preset("builtin"), less_exact_catalog(), 1);
  for (unsigned trial = 0; trial < 12; ++trial) {
    const auto request = search->ask();
    if (!request) break;
    const std::string genome = describe(request->genome);
    const bool less_exact = genome.find("intrinsics") != std::string::npos;
    EXPECT_TRUE(!less_exact || trial < 3) << trial << ": " << genome;
    search->tell(*request, candidate_for(*request), less_exact ? wrong(Stage::verify) : right(1));
  }
}

TEST(Search, KeepsLessExactGenesWhereOthersAreWrongToo) {
  const auto search = make_builtin_search(*preset("builtin"), less_exact_catalog(), 1);
  unsigned asked = 0;
  for (unsigned trial = 0; trial < 7; ++trial) {
    const auto request = search->ask();
    ASSERT_TRUE(request);
    asked += describe(request->genome).find("intrinsics") != std::string::npos;
    search->tell(*request, candidate_for(*request), wrong(Stage::verify));
  }
  EXPECT_GE(asked, 3u);
}

TEST(Search, KeepsLessExactGenesWhereOneWasRight) {
  const auto search = make_builtin_search(*preset("builtin"), less_exact_catalog(), 1);
  unsigned asked = 0;
  for (unsigned trial = 0; trial < 6; ++trial) {
    const auto request = search->ask();
    ASSERT_TRUE(request);
    const bool less_exact = describe(request->genome).find("intrinsics") != std::string::npos;
    search->tell(*request, candidate_for(*request), less_exact && asked++ > 0 ? wrong(Stage::verify) : right(1.1));
  }
  EXPECT_GE(asked, 3u);
}

TEST(Search, TriesAllRecipes) {
  const auto asked = genomes_asked(*make(1), 6);
  for (const Genome& recipe : catalog().recipes) EXPECT_THAT(asked, testing::Contains(describe(recipe)));
}

TEST(Search, FindsBestGenome) {
  // 1.5 for interchange, 2 for the tile of 32, 2 for simd behind restrict.
  for (const char* population : {"elite", "single"})
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      const auto search = make(seed, population);
      genomes_asked(*search, 120, 4);
      ASSERT_NE(search->best(), nullptr);
      EXPECT_GE(search->best()->verdict.measurement.speedup.median, 4.7) << population << " " << seed;
    }
}

TEST(Search, ReturnsFastestAcceptedTrialAsBest) {
  const auto search = make(1);
  EXPECT_EQ(search->best(), nullptr);
  auto tell = [&](const Verdict& verdict) {
    const auto request = search->ask();
    search->tell(*request, candidate_for(*request), verdict);
  };
  tell(wrong(Stage::verify));
  EXPECT_EQ(search->best(), nullptr);
  tell(right(3));
  tell(right(2));
  Verdict unproven = right(9);
  unproven.faster = false;
  tell(unproven);
  ASSERT_NE(search->best(), nullptr);
  EXPECT_EQ(search->best()->number, 2u);
}

// Two families of recipes, the first of three: what is asked, where the first recipe gains so much.
std::vector<std::string> recipes_asked_after(double gain_of_first) {
  Catalog recipes = catalog();
  recipes.recipes = {{{"tile", 0, {8, 1}}, {"specialise", 0, {}}},
                     {{"tile", 0, {16, 1}}},
                     {{"tile", 0, {32, 2}}},
                     {{"restrict", 0, {}}}};
  Strategy strategy = *preset("builtin");
  const auto search = make_builtin_search(strategy, recipes, 1);
  std::vector<std::string> asked;
  while (asked.size() < recipes.recipes.size()) {
    const auto request = search->ask();
    if (!request) break;
    Verdict verdict = right(asked.empty() ? gain_of_first : 1);
    verdict.faster = false;
    asked.push_back(describe(request->genome));
    search->tell(*request, candidate_for(*request), verdict);
  }
  return asked;
}

TEST(Search, TriesRecipesLastThatDifferInNumbersFromOneFarBehind) {
  EXPECT_THAT(recipes_asked_after(0.5),
              testing::ElementsAre("tile(8,1)+specialise", "restrict", "tile(16,1)", "tile(32,2)"));
  EXPECT_THAT(recipes_asked_after(0.9),
              testing::ElementsAre("tile(8,1)+specialise", "tile(16,1)", "tile(32,2)", "restrict"));
}

// Faster on one problem, slower on another.
Verdict mixed(double first, double second) {
  Verdict verdict = right(std::sqrt(first * second));
  for (const double median : {first, second})
    verdict.measurement.problems.push_back({.speedup = {median, median, median}});
  return verdict;
}

class SearchByChoice : public ::testing::Test {
 protected:
  Request tell(const Verdict& verdict) {
    const Request request = search_->ask().value();
    search_->tell(request, candidate_for(request), verdict);
    return request;
  }
  std::unique_ptr<Search> search_ = make(1);
};

TEST_F(SearchByChoice, PutsChoiceInFrontOfWhatIsSlowerOnOneProblem) {
  Genome genome = tell(mixed(0.2, 3)).genome;
  genome.push_back({choice_by_size, 0, {0}});
  const Request request = search_->ask().value();
  EXPECT_EQ(request.operator_name, "choice");
  EXPECT_EQ(request.parents, std::vector<unsigned>{1});
  EXPECT_EQ(request.genome, genome);
  search_->tell(request, candidate_for(request), mixed(1, 3));
  for (int i = 0; i < 40; ++i) {
    const Genome next = tell(right(1.1)).genome;
    for (std::size_t at = 0; at + 1 < next.size(); ++at)
      EXPECT_NE(next[at].transform, choice_by_size) << describe(next) << ": something stands behind its choice";
  }
}

TEST_F(SearchByChoice, AsksForNoChoiceThatPromisesLessThanBest) {
  tell(right(2));
  tell(mixed(0.2, 3));
  EXPECT_NE(tell(right(1)).operator_name, "choice");
}

TEST_F(SearchByChoice, AsksForNoChoiceInFrontOfWrongOrSlowCandidate) {
  Verdict wrong_one = mixed(0.2, 3);
  wrong_one.right = false;
  tell(wrong_one);
  EXPECT_NE(tell(mixed(0.2, 1.01)).operator_name, "choice");
  EXPECT_NE(tell(mixed(0.2, 0.9)).operator_name, "choice");
  EXPECT_NE(tell(right(1)).operator_name, "choice");
}

TEST(Search, EndsWhenOnlyDuplicatesCome) {
  Strategy strategy = *preset("builtin");
  strategy.patience = 5;
  const auto search = make_builtin_search(strategy, catalog(), 1);
  unsigned told = 0;
  while (const auto request = search->ask()) {
    ASSERT_LT(++told, 100u);
    search->tell(*request, candidate_for(*request), right(1), 0);
  }
  EXPECT_EQ(told, 5u);
}

TEST(Search, EndsWhenSpaceIsExhausted) {
  const Catalog small{{{"restrict", 1, {}}}, {{{"restrict", 0, {}}}}};
  const auto search = make_builtin_search(*preset("builtin"), small, 1);
  EXPECT_LT(genomes_asked(*search, 1000).size(), 1000u);
  EXPECT_EQ(make_builtin_search(*preset("builtin"), {}, 1)->ask(), std::nullopt);
}

TEST(Search, NeverUsesDuplicateAsParent) {
  const auto search = make(1);
  const auto first = search->ask();
  search->tell(*first, candidate_for(*first), right(4));
  const auto second = search->ask();
  search->tell(*second, candidate_for(*second), right(4), first->number);
  EXPECT_EQ(search->trials()[2].duplicate_of, first->number);
  for (unsigned i = 0; i < 200; ++i) {
    const auto request = search->ask();
    ASSERT_TRUE(request);
    EXPECT_THAT(request->parents, testing::Not(testing::Contains(second->number)));
    search->tell(*request, candidate_for(*request), right(1));
  }
}

TEST(Search, CrossesTwoDistinctParents) {
  const auto search = make(5);
  unsigned crossovers = 0;
  for (unsigned i = 0; i < 300; ++i) {
    const auto request = search->ask();
    ASSERT_TRUE(request);
    if (request->operator_name == "crossover") {
      ++crossovers;
      ASSERT_EQ(request->parents.size(), 2u);
      EXPECT_NE(request->parents[0], request->parents[1]);
    }
    search->tell(*request, candidate_for(*request), landscape(request->genome));
  }
  EXPECT_GT(crossovers, 5u);
}

TEST(Population, RanksFailuresByStageBehindRightTrials) {
  EXPECT_GT(fitness(right(2)), fitness(right(0.5)));
  EXPECT_GT(fitness(right(0.5)), fitness(wrong(Stage::verify)));
  EXPECT_GT(fitness(wrong(Stage::verify)), fitness(wrong(Stage::compile)));
  EXPECT_GT(fitness(wrong(Stage::compile)), fitness(wrong(Stage::gate)));
}

TEST(Population, EliteKeepsBestAndOlderOfEquals) {
  const auto elite = make_population({"x", "elite", 2, 0, 1, {}});
  elite->add(0, right(1));
  elite->add(1, wrong(Stage::verify));
  elite->add(2, right(1));
  elite->add(3, right(3));
  ASSERT_EQ(elite->survivors().size(), 2u);
  EXPECT_EQ(elite->survivors()[0].trial, 3u);
  EXPECT_EQ(elite->survivors()[1].trial, 0u);
}

TEST(Population, ChoosesDistinctParentsByRank) {
  const auto elite = make_population({"x", "elite", 4, 0, 1, {}});
  for (unsigned i = 0; i < 4; ++i) elite->add(i, right(4 - i));
  Random random(1);
  unsigned best = 0, worst = 0;
  for (unsigned i = 0; i < 2000; ++i) {
    const auto pair = elite->choose(2, random);
    ASSERT_EQ(pair.size(), 2u);
    ASSERT_NE(pair[0], pair[1]);
    const auto one = elite->choose(1, random);
    best += one[0] == 0;
    worst += one[0] == 3;
  }
  EXPECT_EQ(elite->choose(9, random).size(), 4u);
  // p ∝ 1/(rank + 4): 0.315 for the first, 0.197 for the last.
  EXPECT_NEAR(best / 2000.0, 0.315, 0.04);
  EXPECT_NEAR(worst / 2000.0, 0.197, 0.04);
}

TEST(Operators, StayWithinCatalog) {
  const Vocabulary vocabulary(catalog());
  Random random(2);
  Genome genome;
  for (unsigned i = 0; i < 3000; ++i) {
    const Operator& chosen = operators()[random.below(operators().size())];
    const std::vector<Genome> parents(chosen.parents, genome);
    const auto child = chosen.apply(vocabulary, parents, random);
    if (!child) continue;
    genome = *child;
    ASSERT_LE(genome.size(), longest_genome);
    for (const Gene& gene : genome) {
      const TransformSite* transform = vocabulary.find(gene.transform);
      ASSERT_NE(transform, nullptr);
      ASSERT_LE(gene.site, transform->sites);
      ASSERT_EQ(gene.arguments.size(), transform->argument_choices.size());
      for (std::size_t a = 0; a < gene.arguments.size(); ++a)
        ASSERT_THAT(transform->argument_choices[a], testing::Contains(gene.arguments[a]));
    }
  }
}

TEST(Operators, TuneConstantsChangesExactlyOneArgument) {
  const Vocabulary vocabulary(catalog());
  Random random(2);
  const std::vector<Genome> parents{{{"interchange", 0, {}}, {"tile", 0, {8, 8}}, {"unroll", 1, {2}}}};
  for (unsigned i = 0; i < 200; ++i) {
    const auto child = find_operator("tune-constants")->apply(vocabulary, parents, random);
    ASSERT_TRUE(child);
    unsigned changed = 0;
    for (std::size_t g = 0; g < child->size(); ++g) {
      EXPECT_EQ((*child)[g].transform, parents[0][g].transform);
      for (std::size_t a = 0; a < (*child)[g].arguments.size(); ++a)
        changed += (*child)[g].arguments[a] != parents[0][g].arguments[a];
    }
    EXPECT_EQ(changed, 1u);
  }
  const std::vector<Genome> plain{{{"interchange", 0, {}}}};
  EXPECT_EQ(find_operator("tune-constants")->apply(vocabulary, plain, random), std::nullopt);
}

TEST(DescribeGenome, ListsGenesWithSiteAndArguments) {
  EXPECT_EQ(describe({}), "original");
  EXPECT_EQ(describe({{"interchange", 0, {}}, {"tile", 1, {64, 4}}}), "interchange+tile@1(64,4)");
}

TEST(ParseGenome, ReadsWhatIsDescribed) {
  for (const Genome& genome :
       {Genome{}, Genome{{"interchange", 0, {}}}, Genome{{"tile", 1, {64, -4}}, {"unroll_jam", 0, {2}}}})
    EXPECT_EQ(parse_genome(describe(genome)), genome);
  for (const char* text : {"", "+", "tile(", "tile(64", "tile(a)", "tile@", "tile(64)+", "a faster product", "x, y"})
    EXPECT_EQ(parse_genome(text), std::nullopt) << text;
}

}  // namespace
}  // namespace hone::search
