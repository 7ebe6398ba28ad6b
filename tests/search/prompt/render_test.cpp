#include "tool/search/prompt/render.h"

#include <clocale>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "task.h"
#include "tool/search/model_operators.h"
#include "tool/search/prompt/compose.h"
#include "tool/search/prompt/reply.h"

namespace hone::search {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

std::string worded(const Brief& brief) {
  const auto messages = render(brief);
  EXPECT_TRUE(messages) << messages.error().message();
  return messages ? as_text(*messages) : "";
}

std::string prompt(const std::string& operator_name, const std::vector<Ingredient>& ingredients,
                   const std::vector<unsigned>& parents = {}, const std::string& advice = "") {
  Request request;
  request.operator_name = operator_name;
  request.ingredients = ingredients;
  request.parents = parents;
  request.advice = advice;
  request.best = 2;
  request.shown = {1, 2};
  request.insights = {1};
  request.errors = {3};
  request.profile_of = 0;
  request.target = 10;
  if (const ModelOperator* known = find_model_operator(operator_name)) request.kind = known->kind;
  Materials materials;
  materials.notes = builtin_notes();
  return worded(compose(request, four_trials(), blur_facts(), materials));
}

TEST(Render, HasTemplateForEveryOperator) {
  for (const ModelOperator& known : model_operators()) EXPECT_THAT(prompt_names(), testing::Contains(known.name));
  EXPECT_THAT(prompt_names(), testing::Contains("opinion"));
}

TEST(Render, StatesTaskAndAnswerFormForEveryOperator) {
  for (const ModelOperator& known : model_operators()) {
    const std::vector<unsigned> parents(known.parents, 1);
    const std::string text = prompt(std::string(known.name), {Ingredient::task}, parents, "do it");
    EXPECT_THAT(text, AllOf(HasSubstr("[system]"), HasSubstr("[user]"), HasSubstr(blur_facts().definition)))
        << known.name;
    EXPECT_THAT(text, Not(HasSubstr("{{"))) << known.name;
    EXPECT_THAT(text, Not(HasSubstr("\n\n\n"))) << known.name;
    const auto form = AllOf(HasSubstr("\nname: "), HasSubstr("\nthought: "), HasSubstr(blur_facts().signature));
    EXPECT_TRUE(known.kind == RequestKind::candidate ? testing::Matches(form)(text)
                                                     : testing::Matches(HasSubstr("JSON"))(text))
        << known.name << ":\n"
        << text;
    EXPECT_TRUE(!known.advised || testing::Matches(HasSubstr("do it"))(text)) << known.name;
  }
}

TEST(Render, AsksForMembersThatParserReads) {
  const std::pair<const char*, AdviceKind> asked[] = {
      {"judge", AdviceKind::optimize},          {"plan", AdviceKind::plan},
      {"propose", AdviceKind::proposal},        {"techniques", AdviceKind::techniques},
      {"post-mortem", AdviceKind::post_mortem}, {"opinion", AdviceKind::opinion}};
  for (const auto& [name, kind] : asked)
    for (const std::string& member : advice_members(kind))
      EXPECT_THAT(prompt(name, {Ingredient::task}, {1}), HasSubstr("\"" + member + "\"")) << name;
  for (const std::string& member : advice_members(AdviceKind::repair))
    EXPECT_THAT(prompt("judge", {Ingredient::task}, {3}), HasSubstr("\"" + member + "\""));
}

TEST(Render, StatesRulesOfJudge) {
  const std::string text = prompt("init", {Ingredient::task});
  for (const char* rule :
       {"inside `namespace app`", "<immintrin.h>", "inline assembly", "static or thread_local",
        "macros without an `#undef`", "One thread", "256 KiB more", "sizes: 0, 1, 2, odd, prime", "write every element",
        "AddressSanitizer", "NaN", "|got - expected| <= 1e-05 * scale.", "more than 2%"})
    EXPECT_THAT(text, HasSubstr(rule));
}

TEST(Render, StatesWhichAssemblyIsAllowed) {
  Brief brief{"init", blur_facts()};
  const auto ptx = HasSubstr("Inline PTX is allowed in `__global__` and `__device__` functions");
  EXPECT_THAT(worded(brief), AllOf(HasSubstr("Refused: inline assembly; static"), Not(ptx)));
  brief.facts.hardware.gpu = "some GPU";
  EXPECT_THAT(worded(brief), AllOf(ptx, HasSubstr("Refused: static"), HasSubstr("as clocks, %%smid, trap")));
}

TEST(Render, StatesAllowedThreads) {
  Brief brief{"init", blur_facts()};
  brief.facts.threads = 4;
  EXPECT_THAT(worded(brief), AllOf(HasSubstr("Up to 4 threads. OpenMP is not switched on"), HasSubstr("<thread>")));
  brief.facts.flags = "-O3 -fopenmp";
  EXPECT_THAT(worded(brief), HasSubstr("OpenMP is switched on."));
  brief.facts.threads = 1;
  EXPECT_THAT(worded(brief), Not(HasSubstr("<thread>")));
}

TEST(Render, StatesWhetherLaunchMayChange) {
  Brief brief{"init", blur_facts()};
  brief.facts.hardware.gpu = "some GPU";
  const auto free = HasSubstr("The grid, the blocks, the kernels and their number are yours");
  EXPECT_THAT(worded(brief), free);
  brief.facts.launch = "grid((n + 255) / 256), block(256)";
  brief.facts.no_launcher = "line 30 launches it in a macro";
  EXPECT_THAT(worded(brief), AllOf(HasSubstr("launched with grid((n + 255) / 256), block(256), and keeps this launch "
                                             "(line 30 launches it in a macro): the grid"),
                                   Not(free), Not(HasSubstr("cudaMallocAsync"))));
  brief.facts.no_launcher.clear();
  brief.facts.launcher = "static void hone_launch_blur(float *x, cudaStream_t stream)";
  EXPECT_THAT(worded(brief), AllOf(HasSubstr("launched with grid((n + 255) / 256), block(256). You may rewrite it"),
                                   HasSubstr("last `static void hone_launch_blur(float *x, cudaStream_t stream)`"),
                                   HasSubstr("cudaMallocAsync"), Not(free), Not(HasSubstr("keeps this launch"))));
}

TEST(Render, ShowsWhatItCallsVersionAtHand) {
  for (const ModelOperator& known : model_operators()) {
    const std::string name(known.name);
    for (const unsigned number : {0u, 1u}) {
      const std::vector<unsigned> parents(known.parents, number);
      const std::string text = prompt(name, {Ingredient::task}, parents, "do it");
      EXPECT_THAT(text, Not(HasSubstr("the parent"))) << name;
      EXPECT_THAT(text, Not(HasSubstr("version above"))) << name;
      if (text.find("the version at hand") == std::string::npos) continue;
      EXPECT_THAT(text, HasSubstr(number == 0 ? "# The version at hand: the original\n\nIt is the function above"
                                              : "# The version at hand: rows (trial 1)"))
          << name;
    }
    EXPECT_THAT(prompt(name, {Ingredient::task}, {}, "do it"), Not(HasSubstr("{{"))) << name;
  }
  EXPECT_THAT(prompt("mutation", {Ingredient::task}), HasSubstr("Improve the original by one considerable change"));
}

TEST(Render, StatesFloorBesideRatesThatMakeIt) {
  EXPECT_THAT(
      prompt("init", {Ingredient::task, Ingredient::hardware}),
      HasSubstr("- w=1920 h=1080: at least 16.6 MB must move, at best at 12.0 GB/s, and the original does 18.7 M "
                "operations; at these rates that takes 1.38 ms, 19% of the original's time."));
}

// Every operator, also the advisers, and what each would say of a processor.
TEST(Render, SpeaksOfDeviceWhereKernelRunsOnOne) {
  Brief brief{"init", blur_facts()};
  brief.facts.hardware = {};
  brief.facts.hardware.gpu = "NVIDIA Example";
  brief.facts.language = "cuda c++17";
  brief.facts.target.clear();
  brief.plans = brief.tunables = true;
  brief.parents = {Solution{.trial = 1, .source = "void blur() {}", .right = true}};
  for (const std::string& name : prompt_names()) {
    brief.operator_name = name;
    const std::string text = worded(brief);
    for (const char* other :
         {"ne thread:", "one thread;", "modern processors", "vector width", "caches", "pipeline, prefetch",
          "prefetch distances", "another way to use the processor", "explicit vectors"})
      EXPECT_THAT(text, Not(HasSubstr(other))) << name;
  }
  brief.operator_name = "plan";
  EXPECT_THAT(worded(brief),
              AllOf(HasSubstr("tile-in-shared-memory"), HasSubstr("resize-blocks"),
                    HasSubstr("performance of CUDA on NVIDIA's GPUs"), HasSubstr("choose kernels, grids and blocks")));
  brief.facts.launch = "grid(n), block(256)";
  brief.facts.no_launcher = "line 3 launches it in a macro";
  EXPECT_THAT(worded(brief), AllOf(Not(HasSubstr("resize-blocks")), HasSubstr("but not its grid")));
  brief.operator_name = "tune-constants";
  EXPECT_THAT(worded(brief), AllOf(HasSubstr("whole waves of blocks"), Not(HasSubstr("threads of a block,"))));
}

TEST(Render, SpeaksOfProcessorWhereKernelRunsOnOne) {
  Brief brief{"init", blur_facts()};
  for (const std::string& name : prompt_names()) {
    brief.operator_name = name;
    const std::string text = worded(brief);
    for (const char* other : {"GPU", "shared memory", "warp", "barrier", "launch"})
      EXPECT_THAT(text, Not(HasSubstr(other))) << name;
  }
}

TEST(Render, StatesLimitsOfDevice) {
  Brief brief{"init", blur_facts()};
  brief.facts.hardware = {};
  brief.facts.hardware.gpu = "NVIDIA Example";
  EXPECT_THAT(worded(brief), Not(HasSubstr("multiprocessor")));
  brief.facts.hardware.device = {.multiprocessors = 132,
                                 .clock_hertz = 1'980'000'000,
                                 .threads_of_multiprocessor = 2048,
                                 .blocks_of_multiprocessor = 32,
                                 .registers_of_multiprocessor = 65536,
                                 .shared_bytes_of_multiprocessor = 228 << 10,
                                 .threads_of_block = 1024,
                                 .registers_of_block = 65536,
                                 .shared_bytes_of_block = 48 << 10,
                                 .shared_bytes_of_block_on_request = 227 << 10,
                                 .cache_bytes = 50 << 20,
                                 .memory_bytes = 80ull << 30};
  EXPECT_THAT(
      worded(brief),
      AllOf(HasSubstr("- It has 132 multiprocessors, a clock of up to 1980 MHz, second-level cache of 50 MiB, memory "
                      "of 80 GiB.\n"),
            HasSubstr("- At once a multiprocessor holds at most 2048 threads, which are 64 warps, 32 blocks, 65536 "
                      "registers, 228 KiB of shared memory.\n"),
            HasSubstr("- A block has at most 1024 threads, 65536 registers, 255 of them a thread, 48 KiB of shared "
                      "memory, or 227 KiB where it is dynamic and asked for by cudaFuncSetAttribute.\n")));
}

// EvoEngineer's three compositions, as published.
TEST(Render, FreeShowsTaskHardwareAndBestCodeOnly) {
  const std::string text = prompt("init", {Ingredient::task, Ingredient::hardware, Ingredient::best});
  EXPECT_THAT(text, AllOf(HasSubstr("Example CPU"), HasSubstr("L1 32 KiB"), HasSubstr("12.0 GB/s"),
                          HasSubstr("code of tiles")));
  EXPECT_THAT(text,
              AllOf(Not(HasSubstr("thought of")), Not(HasSubstr("code of rows")), Not(HasSubstr("What was learned"))));
}

TEST(Render, InsightAddsThoughtsAndFigures) {
  const std::string text = prompt(
      "init", {Ingredient::task, Ingredient::hardware, Ingredient::best, Ingredient::profile, Ingredient::insights});
  EXPECT_THAT(text, AllOf(HasSubstr("- rows (1.50x): thought of rows"), HasSubstr("3.00x as fast"),
                          HasSubstr("not vectorized")));
  EXPECT_THAT(text, Not(HasSubstr("code of rows")));
}

TEST(Render, FullShowsParentsWithFiguresThoughtsAndCode) {
  const std::string text = prompt("crossover", {Ingredient::task, Ingredient::hardware, Ingredient::insights}, {1, 2});
  EXPECT_THAT(text,
              AllOf(HasSubstr("# Parent 1: rows (trial 1)"), HasSubstr("1.50x as fast"), HasSubstr("code of rows"),
                    HasSubstr("# Parent 2: tiles (trial 2)"), HasSubstr("thought of tiles")));
}

TEST(Render, RepairShowsWhatFailedAndWhy) {
  const std::string text = prompt("repair", {Ingredient::task}, {3});
  EXPECT_THAT(text, AllOf(HasSubstr("code of shifts"), HasSubstr("dst[17] is wrong on w=1 h=7"),
                          HasSubstr("got 0.5, expected 0.25"), HasSubstr("complete corrected version")));
  EXPECT_THAT(text, Not(HasSubstr("HONE_TUNABLE")));
}

TEST(Render, JudgeAsksForCauseOfFailureOrBottleneck) {
  const std::string failed = prompt("judge", {Ingredient::task}, {3});
  EXPECT_THAT(failed, AllOf(HasSubstr("critical_issue"), Not(HasSubstr("\"bottleneck\""))));
  const std::string right = prompt("judge", {Ingredient::task, Ingredient::profile}, {1});
  EXPECT_THAT(right, AllOf(HasSubstr("\"bottleneck\""), Not(HasSubstr("critical_issue")),
                           Not(HasSubstr("thought: one or two"))));
}

TEST(Render, ContrastiveShowsVariantsWithScores) {
  const std::string text = prompt("contrastive", {Ingredient::task, Ingredient::contrastive});
  EXPECT_THAT(text, AllOf(HasSubstr("## rows (trial 1): 5/10"), HasSubstr("## tiles (trial 2): 10/10"),
                          HasSubstr("First explain")));
}

TEST(Render, NextVersionNumbersParents) {
  const std::string text = prompt("next-version", {Ingredient::task}, {1, 2});
  EXPECT_THAT(text, AllOf(HasSubstr("# Version v0: rows"), HasSubstr("# Version v1: tiles"), HasSubstr("`blur` v2")));
}

TEST(Render, ShowsExampleOfTunable) {
  EXPECT_THAT(prompt("tune-constants", {Ingredient::task}, {1}), HasSubstr("HONE_TUNABLE(TILE, 64, 32, 128);"));
}

TEST(Render, PlanAsksForPrediction) {
  EXPECT_THAT(prompt("init", {Ingredient::task, Ingredient::plan}), HasSubstr("\npredicted: "));
  EXPECT_THAT(prompt("init", {Ingredient::task}), Not(HasSubstr("\npredicted: ")));
}

TEST(Render, KeepsCodeVerbatim) {
  Brief brief{"init", blur_facts()};
  brief.facts.definition =
      "void f() { a = b < c && d > \"e\"; int x[1][1]{{1}}; /* {{signature}} {{> _task}} ``` */ }\n";
  EXPECT_THAT(worded(brief), HasSubstr("````cpp\n" + brief.facts.definition + "````"));
}

TEST(Render, GivesSameBytesInAnyLocale) {
  const std::vector<Ingredient> all(all_ingredients().begin(), all_ingredients().end());
  const std::string before = prompt("mutation", all, {1});
  const char* other = std::setlocale(LC_ALL, "C.UTF-8");
  const std::string after = prompt("mutation", all, {1});
  std::setlocale(LC_ALL, "C");
  ASSERT_NE(other, nullptr);
  EXPECT_EQ(before, after);
  EXPECT_EQ(before, prompt("mutation", all, {1}));
}

TEST(Render, IsShortEnoughForSmallModels) {
  EXPECT_LT(prompt("init", {Ingredient::task, Ingredient::hardware, Ingredient::best}).size(), 8000u);
}

TEST(Render, UsesUserTemplateInsteadOfBuiltIn) {
  const Brief brief{"init", blur_facts()};
  const auto own = render(brief, {{"init", "Speed up {{function}}.\n{{> _reply}}\n"}, {"_reply", "Only code.\n"}});
  ASSERT_TRUE(own) << own.error().message();
  EXPECT_THAT(*own, testing::ElementsAre(PromptMessage{"user", "Speed up blur.\nOnly code.\n"}));
  const auto broken = render(brief, {{"init", "{{#open}} never closed\n"}});
  ASSERT_FALSE(broken);
  EXPECT_THAT(broken.error().message(), HasSubstr("not valid mustache"));
  EXPECT_FALSE(render(Brief{"no-such", blur_facts()}));
  EXPECT_FALSE(render(Brief{"_task", blur_facts()}));
}

}  // namespace
}  // namespace hone::search
