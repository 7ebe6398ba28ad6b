#include "tool/search/preview.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/search/fake_model.h"
#include "tool/search/model_operators.h"
#include "tool/search/presets.h"

namespace hone::search {
namespace {

using fake::program;
using fake::right;
using fake::wrong;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

struct Preview : testing::Test {
  Strategy full = *preset("full");

  // A search to which so much was told, whatever it asked.
  std::unique_ptr<Search> after(const Strategy& strategy, const std::vector<Verdict>& verdicts) const {
    auto search = make_model_search(strategy, {}, 1);
    for (std::size_t i = 0; i < verdicts.size(); ++i) {
      const auto request = search->ask();
      search->tell(*request, program("p" + std::to_string(i + 1)), verdicts[i], {});
    }
    return search;
  }
};

TEST_F(Preview, ShowsEveryOperatorThatNeedsOnlyOriginal) {
  unsigned shown = 0;
  for (const Preset& known : presets()) {
    const Strategy strategy = *preset(known.name);
    if (strategy.proposer != "model") continue;
    const auto search = make_model_search(strategy, {}, 1);
    for (const OperatorChoice* choice : operators_of(strategy)) {
      const auto request = preview(strategy, *search, {}, choice->label());
      const bool needs_more = choice->name == "crossover" || choice->name == "contrastive" || choice->name == "repair";
      ASSERT_EQ(request.has_value(), !needs_more) << known.name << ' ' << choice->label();
      if (!request) continue;
      ++shown;
      EXPECT_EQ(request->operator_name, choice->name);
      EXPECT_EQ(request->kind, find_model_operator(choice->name)->kind);
      EXPECT_EQ(request->ingredients, choice->ingredients);
      for (const unsigned parent : request->parents) EXPECT_EQ(parent, 0u);
    }
  }
  EXPECT_GE(shown, 30u);
}

TEST_F(Preview, PicksRightParentsSlowerFirst) {
  const auto search = after(full, {right(1.5), wrong(Stage::verify), right(3)});
  Strategy best = full;
  best.selection = Selection::best;
  EXPECT_THAT(preview(best, *search, {}, "crossover")->parents, ElementsAre(1, 3));
  EXPECT_EQ(preview(best, *search, {}, "crossover")->best, 3u);
}

TEST_F(Preview, RepairsLastFailure) {
  const auto search = after(full, {wrong(Stage::compile), right(2), wrong(Stage::verify), right(3)});
  const auto request = preview(full, *search, {}, "repair");
  ASSERT_TRUE(request) << request.error().message();
  EXPECT_EQ(request->repair_of, 3u);
  EXPECT_THAT(request->parents, ElementsAre(3));
}

TEST_F(Preview, PicksMostRelevantTechnique) {
  const Strategy memory = *preset("memory");
  Start start;
  start.state.bottleneck = "memory";
  start.memory.record({"compute", {}}, "unroll", 1.2, 1.1);
  start.memory.record({"memory", {}}, "tile", 2, 2.1);
  const auto search = make_model_search(memory, start, 1);
  const auto request = preview(memory, *search, start.state, "apply-technique");
  ASSERT_TRUE(request) << request.error().message();
  ASSERT_EQ(request->techniques.size(), 1u);
  EXPECT_EQ(request->techniques[0].technique, "tile");
}

TEST_F(Preview, DoesNotChangeSearch) {
  const auto looked_at = after(full, {right(1.5), right(2)}), left_alone = after(full, {right(1.5), right(2)});
  ASSERT_TRUE(preview(full, *looked_at, {}, "mutation"));
  EXPECT_EQ(fake::text_of(*looked_at->ask()), fake::text_of(*left_alone->ask()));
}

TEST_F(Preview, ReportsWhyOperatorCannotBeShown) {
  const auto search = after(full, {});
  EXPECT_THAT(preview(full, *search, {}, "plan").error().message(),
              AllOf(HasSubstr("'full' has no operator 'plan'"), HasSubstr("it has init, crossover, mutation, repair")));
  EXPECT_THAT(preview(full, *search, {}, "crossover").error().message(), HasSubstr("at least two right programs"));
  EXPECT_THAT(preview(full, *search, {}, "repair").error().message(), HasSubstr("nothing has failed yet"));
}

}  // namespace
}  // namespace hone::search
