// What the mutator makes of small kernels, and what the judge makes of that.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>

#include "tests/frontend/snippet.h"
#include "tests/mutation/judging.h"
#include "tests/mutation/mutator.h"
#include "tests/mutation/results.h"

namespace hone::mutation {
namespace {

using frontend::Snippet;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kSum = R"code(
static int limit(int v) { return v > 9 ? 9 : v; }
#pragma hone kernel in(x[0:n]) out(y[0:n]) problem(n=100)
void sums(const int* x, int* y, int n) {
  int sum = 0;
  for (int i = 0; i < n; ++i) {
    sum += limit(x[i]);
    y[i] = sum - i;
  }
}
)code";

std::vector<std::string> lines_of(const std::vector<Mutant>& mutants) {
  std::vector<std::string> lines;
  for (const Mutant& mutant : mutants)
    lines.push_back(fmt::format("{} {}: {} -> {}", mutant.line, mutant.kind, mutant.before, mutant.after));
  return lines;
}

std::vector<std::string> mutants_in(const Snippet& snippet, const std::string& candidate) {
  return lines_of(mutants_of(candidate, snippet.kernel(), snippet.command()).value());
}

TEST(Mutator, MakesEveryListedMistake) {
  const Snippet snippet(
      "#pragma hone kernel in(x[0:n]) out(y[0:n]) problem(n=100)\n"
      "void twice(const float* x, float* y, int n) {\n"
      "  for (int i = 0; i < n; ++i) y[i] = 2.0f * x[i];\n"
      "}\n");
  EXPECT_THAT(
      mutants_in(snippet, snippet.kernel().unit.definition),
      ElementsAre("2 start: 0 -> (0) + 1", "2 start: 0 -> (0) - 1", "2 step: ++i -> i += 2", "2 bound: n -> (n) + 1",
                  "2 bound: n -> (n) - 1", "2 statement: for (int i = 0; i < n; ++i) y[i] = 2.0f * x[i]; -> ;",
                  "2 statement: y[i] = 2.0f * x[i]; -> ;", "2 type: int -> short", "2 type: int -> signed char",
                  "2 type: int -> unsigned", "2 init: 0 -> 1", "2 constant: 0 -> (-1)",
                  "2 comparison: < -> <=", "2 comparison: < -> >", "2 comparison: < -> !=", "2 index: i -> (i) + 1",
                  "2 index: i -> (i) - 1", "2 arithmetic: * -> +", "2 arithmetic: * -> /", "2 float: 2.0f -> 2.02f",
                  "2 float: 2.0f -> 6.0f", "2 index: i -> (i) + 1", "2 index: i -> (i) - 1"));
}

TEST(Mutator, MutatesHelpersUnderNewNames) {
  const Snippet snippet(kSum);
  const std::string candidate = original_as_candidate(snippet.kernel(), snippet.command()).value();
  EXPECT_THAT(candidate, HasSubstr("static int limit_again(int v) { return v > 9 ? 9 : v; }"));
  EXPECT_THAT(candidate, HasSubstr("sum += limit_again(x[i]);"));
  EXPECT_THAT(mutants_in(snippet, candidate), Contains("1 branch: v > 9 ? 9 : v -> (9)"));
}

TEST(Mutator, GivesWholeCandidatesWithMistakeInComment) {
  const Snippet snippet(kSum);
  const std::string original = snippet.kernel().unit.definition;
  const auto mutants = mutants_of(original, snippet.kernel(), snippet.command()).value();
  const auto found = std::ranges::find(mutants, "operands", &Mutant::kind);
  ASSERT_NE(found, mutants.end());
  std::string expected = original;
  expected.replace(expected.find("sum - i"), 7, "(i) - (sum)");
  EXPECT_EQ(found->text, "// mutant: operands, line 5\n" + expected);
}

TEST(Mutator, RemovesBarriersTailsAndAtomics) {
  if (!std::filesystem::exists(frontend::kNvcc)) GTEST_SKIP() << "there is no nvcc";
  const Snippet snippet(
      "__global__ void count(const int* x, int* c, int n) {\n"
      "  __shared__ int own;\n  if (threadIdx.x == 0) own = 0;\n  __syncthreads();\n"
      "  int i = threadIdx.x;\n  for (; i < n; i += 32) atomicAdd(&own, x[i]);\n"
      "  __syncthreads();\n  if (threadIdx.x == 0) c[0] = own;\n}\n"
      "#pragma hone kernel in(x[0:n]) out(c[0:1]) problem(n=100)\n"
      "void total(const int* x, int* c, int n) { count<<<1, 32>>>(x, c, n); }\n",
      {"-std=c++17"}, "main.cu");
  const std::string candidate = original_as_candidate(snippet.kernel(), snippet.command()).value();
  const auto lines = mutants_in(snippet, candidate);
  EXPECT_THAT(lines, Contains("4 barrier: __syncthreads(); -> ;"));
  EXPECT_THAT(lines, Contains("7 barrier: __syncthreads(); -> ;"));
  EXPECT_THAT(lines, Contains("6 atomic: atomicAdd(&own, x[i]) -> *(&own) += (x[i])"));
  EXPECT_THAT(lines, Contains(HasSubstr("6 tail: for (; i < n;")));
}

Deck deck_of(const Snippet& snippet) {
  const CompileCommand command = snippet.command();
  Deck deck{.kernel = "sums", .file = "main.cpp", .arguments = command.arguments, .spec = snippet.kernel()};
  deck.bases.push_back({"original", original_as_candidate(deck.spec, command).value()});
  auto mutants = mutants_of(deck.bases[0].text, deck.spec, command).value();
  for (Mutant& mutant : mutants)
    deck.cards.push_back({.id = fmt::format("{}", deck.cards.size()), .of = "original", .mutant = std::move(mutant)});
  return deck;
}

TEST(Deck, RoundTripsThroughText) {
  const Snippet snippet(kSum);
  const Deck deck = deck_of(snippet);
  const auto back = parse_deck(serialize(deck), snippet.folder());
  ASSERT_TRUE(back) << back.error().message();
  EXPECT_EQ(serialize(*back), serialize(deck));
}

TEST(Deck, RejectsTruncatedText) {
  const Snippet snippet(kSum);
  const std::string text = serialize(deck_of(snippet));
  EXPECT_FALSE(parse_deck(text.substr(0, text.size() / 2), snippet.folder()));
}

// Every ninth, so that it takes seconds; narrower types are asked for by whole runs alone.
TEST(Judging, RejectsMutantsAndAcceptsOriginal) {
  const Snippet snippet(kSum);
  const Deck deck = deck_of(snippet);
  setenv("HONE_WORKER", HONE_WORKER, 1);
  os::PosixProcessRunner runner;
  const auto executor = executor::make_executor("local", runner).value();
  auto judging = Judging::open(deck, snippet.folder(), bundle::Depth::thorough, runner, *executor);
  ASSERT_TRUE(judging) << judging.error().message();
  const Ending right = (*judging)->judge(deck.bases[0]);
  EXPECT_EQ(right.outcome, "accepted") << right.verdict.reason;
  for (std::size_t i = 0; i < deck.cards.size(); i += 9) {
    const Mutant& mutant = deck.cards[i].mutant;
    if (mutant.kind == "type") continue;
    const Ending ending = (*judging)->judge(deck.cards[i]);
    EXPECT_THAT(ending.outcome, testing::AnyOf("refused", "same", "twin")) << mutant.text << ending.verdict.reason;
  }
}

Line line(const char* id, const char* kernel, const char* outcome) {
  return {.kernel = kernel, .id = id, .of = "original", .kind = "bound", .outcome = outcome};
}

TEST(Summary, CountsMutantsAndListsSurvivors) {
  const std::string text =
      summary({line("1", "gemm", "refused"), line("2", "gemm", "accepted"), line("3", "gemm", "accepted"),
               line("4", "gemm", "same"), line("5", "blur", "refused")},
              {{"3", "the last element is padding"}}, {"blur"});
  EXPECT_THAT(text, HasSubstr("| bound | 3 | 2 | 66.7 % | 1 |"));
  EXPECT_THAT(text, HasSubstr("| gemm | 2 | 1 | 50.0 % | 1 |"));
  EXPECT_THAT(text, HasSubstr("| kernel kept aside | wrong | refused | share | equivalent |\n"
                              "|---|---:|---:|---:|---:|\n| blur | 1 | 1 | 100.0 % | 0 |"));
  EXPECT_THAT(text, HasSubstr("- gemm (original), 2 line 0"));
  EXPECT_THAT(text, Not(HasSubstr("- gemm (original), 3 line 0")));
}

}  // namespace
}  // namespace hone::mutation
