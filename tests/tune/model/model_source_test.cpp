// A model's search on a client that answers when the test says so, and on stages that are a table.
#include "tool/tune/model/model_source.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tune/trial/line_bench.h"
#include "tool/tune/model/dialogue.h"
#include "tool/tune/model/rejudge.h"

namespace hone::tune {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

const std::string strategy = R"({"name":"s","proposer":"model","population":"single","patience":4,)"
                             R"("operators":[{"name":"init","ingredients":["task"]}]})";

std::string code(const std::string& statements) {
  return "```cpp\nvoid twice() { " + statements + " }\n```\n";
}

const std::string with_constant = code("HONE_TUNABLE(N, fast2, fast4); N();");

// Calls are answered by number, from 1; calls for opinions by what they ask about. Late ones wait for answer(), or
// until they are stopped. Whoever makes a call that nobody has thought of is told to make no more.
class ScriptedClient : public llm::Client {
 public:
  using llm::Client::submit;
  void submit(llm::Prompt prompt, std::stop_token stop, Done done) override {
    if (opinion && prompt.messages.back().text.find("compute the same as the original") != std::string::npos) {
      ++opinions;
      return done(opinion(prompt.messages.back().text));
    }
    const unsigned call = ++calls;
    if (const auto outcome = outcomes.find(call); outcome != outcomes.end()) return done(outcome->second);
    if (!late.contains(call)) return done(llm::Failure{.what = "one call too many", .ends_the_run = true});
    {
      const std::lock_guard lock(mutex_);
      waiting_[call] = done;
    }
    cancels_.push_back(std::make_unique<std::stop_callback<std::function<void()>>>(std::move(stop), [this, call] {
      answer(call, llm::Failure{.kind = llm::FailureKind::canceled, .what = "stopped"});
    }));
  }
  void answer(unsigned call, llm::Outcome outcome) {
    Done done;
    {
      const std::lock_guard lock(mutex_);
      done = std::exchange(waiting_[call], nullptr);
    }
    if (done) done(std::move(outcome));
  }

  static llm::Outcome reply(const std::string& text) {
    return llm::Reply{.text = text, .usage = {.input_tokens = 10, .output_tokens = 5}, .model = "m"};
  }

  std::map<unsigned, llm::Outcome> outcomes;
  std::set<unsigned> late;
  unsigned calls = 0;
  std::function<llm::Outcome(const std::string& prompt)> opinion;  // these calls are counted by themselves
  unsigned opinions = 0;

 private:
  std::mutex mutex_;
  std::map<unsigned, Done> waiting_;
  std::vector<std::unique_ptr<std::stop_callback<std::function<void()>>>> cancels_;
};

class ModelSourceTest : public LineBench {
 protected:
  ModelSourceTest() {
    header_.kernel = header_.facts.function = "twice";
    header_.key = "key";
    header_.strategy = strategy;
    header_.facts.definition = "void twice() { slow(); }";
  }

  // Asks two at a time, so that three are open; goes on with what is recorded where `resume` says so.
  SearchOutcome run(unsigned trials, bool resume = false, Spending::Limits limits = {}) {
    return run(trials, resume, limits, [](TrialLine&) {});
  }
  template <class Meanwhile>
  SearchOutcome run(unsigned trials, bool resume, Spending::Limits limits, Meanwhile meanwhile) {
    const auto search = search_of(header_).value();
    Dialogue dialogue(*search, header_.facts, {});
    std::optional<Played> played;
    if (resume) played = play(recorded(), dialogue).value();
    Recorder recorder = resume ? Recorder(recording()) : Recorder::create(recording(), header_).value();
    Spending spending(limits);
    TrialLine::Options line_is = options(trials);
    if (enough_) line_is.enough = enough_;
    TrialLine line(ports(), std::move(line_is), stop_.get_token());
    ModelSource source({dialogue, client_, recorder, spending, listener_},
                       {{"openai", {{.concurrency = 2}}}, trials, 1, search::parse_strategy(header_.strategy)->opinion},
                       line);
    if (played) source.resume(std::move(*played), *journal_);
    meanwhile(line);
    SearchOutcome outcome = line.run(source);
    is_dry_ = source.is_dry();
    opinions_ = source.opinions().text();
    ended_by_provider_ = source.ended_by_provider().has_value();
    return outcome;
  }

  std::filesystem::path recording() const { return folder_.path() / "calls.jsonl"; }
  Recording recorded() const { return Recording::read(recording()).value(); }
  template <class Kind>
  std::vector<Kind> recorded_as() const {
    std::vector<Kind> events;
    for (const Event& event : recorded().events)
      if (const auto* one = std::get_if<Kind>(&event)) events.push_back(*one);
    return events;
  }
  std::vector<std::string> told() const {
    std::vector<std::string> lines;
    for (const ToldTrial& trial : recorded_as<ToldTrial>()) lines.push_back(line_of(Event(trial)));
    return lines;
  }
  void answer(const std::map<unsigned, std::string>& replies) {
    for (const auto& [call, text] : replies) client_.outcomes[call] = ScriptedClient::reply(text);
  }
  void forget() {
    std::filesystem::remove(file());
    reopen();
    client_.calls = 0;
    client_.outcomes.clear();
  }

  RecordingHeader header_;
  ScriptedClient client_;
  std::function<std::optional<std::string>(const Verdict&)> enough_;
  std::string opinions_;
  bool is_dry_ = false, ended_by_provider_ = false;
};

TEST_F(ModelSourceTest, RecordsWhatBecameOfEachReply) {
  answer({{1, code("fast3();")}, {2, "I would rather not."}, {3, code("wrong();")}, {4, code("fast3(); /* again */")}});
  answer({{5, code("invalid();")}});
  const SearchOutcome outcome = run(4);
  std::vector<std::string> became;
  for (const ToldTrial& trial : recorded_as<ToldTrial>())
    became.push_back(trial.duplicate_of ? fmt::format("= {}", *trial.duplicate_of) : to_string(trial.verdict.stage));
  EXPECT_THAT(became, ElementsAre("done", "gate", "verify", "= 1", "compile"));
  EXPECT_EQ(outcome.counts.total, 4u);
  EXPECT_TRUE(outcome.complete);
  ASSERT_EQ(outcome.accepted.size(), 1u);
  EXPECT_EQ(outcome.accepted[0].provenance.model, "m");
  EXPECT_EQ(client_.calls, 5u);
}

TEST_F(ModelSourceTest, RecordsSameWhicheverReplyComesFirst) {
  const std::map<unsigned, std::string> replies{{1, with_constant}, {2, with_constant}, {3, code("wrong();")}};
  answer(replies);
  run(2);
  const auto expected = told();
  ASSERT_EQ(expected.size(), 3u);
  EXPECT_THAT(expected[0], HasSubstr(R"("choice":[1])"));
  EXPECT_THAT(expected[1], HasSubstr(R"("duplicate_of":1)"));
  EXPECT_THAT(expected[1], Not(HasSubstr("choice")));
  EXPECT_THAT(expected[1], Not(HasSubstr("fast4")));

  forget();
  client_.late = {1};
  answer({{2, with_constant}, {3, code("wrong();")}});
  std::jthread late([&] {
    wait_until([&] { return stages_.times_judged("twice() { constexpr auto N = fast4; N(); }\n") == 2; });
    std::this_thread::sleep_for(std::chrono::milliseconds(20));  // until the second was judged, and not told
    client_.answer(1, ScriptedClient::reply(with_constant));
  });
  run(2);
  EXPECT_EQ(told(), expected);
}

TEST_F(ModelSourceTest, GoesOnWhereItWasStopped) {
  const std::map<unsigned, std::string> replies{{1, code("fast2();")}, {2, with_constant},      {3, with_constant},
                                                {4, code("wrong();")}, {5, code("fast2(); ;")}, {6, code("fast5();")},
                                                {7, code("fast6();")}};
  answer(replies);
  run(5);
  const auto expected = told();
  forget();
  answer(replies);
  run(2);
  ASSERT_EQ(told().size(), 2u);
  reopen();
  const SearchOutcome outcome = run(5, true);
  EXPECT_EQ(told(), expected);
  EXPECT_EQ(outcome.counts.total, 5u);
  EXPECT_EQ(recorded_as<Replied>().size(), client_.calls) << "nothing was paid for twice";
  EXPECT_THAT(listener_.notes, testing::Contains("resuming: 2 trials are known"));
}

TEST_F(ModelSourceTest, DefaultChoiceOfDuplicateIsNoTrialAfterResuming) {
  // The third has the default choice's text, which nobody has been told of.
  const std::map<unsigned, std::string> replies{
      {1, with_constant}, {2, with_constant}, {3, code("wrong();")}, {4, code("constexpr auto N = fast2; N();")}};
  answer(replies);
  run(3);
  const auto expected = told();
  ASSERT_EQ(expected.size(), 4u);
  EXPECT_THAT(expected[3], Not(HasSubstr("duplicate_of")));
  forget();
  answer(replies);
  run(2);
  reopen();
  run(3, true);
  EXPECT_EQ(told(), expected);
}

TEST_F(ModelSourceTest, FailedCallIsNoTrial) {
  answer({{2, code("fast3();")}, {3, code("wrong();")}});
  client_.outcomes[1] = llm::Failure{.kind = llm::FailureKind::timeout, .what = "no answer came"};
  EXPECT_EQ(run(2).counts.total, 2u);
  EXPECT_EQ(recorded_as<ToldFailed>().size(), 1u);
  EXPECT_THAT(listener_.notes, testing::Contains("no answer came"));
}

TEST_F(ModelSourceTest, EndsIfProviderAnswersNobodyAnyMore) {
  answer({{1, code("fast3();")}});
  client_.outcomes[2] = llm::Failure{.what = "no such key", .ends_the_run = true};
  const SearchOutcome outcome = run(10);
  EXPECT_TRUE(ended_by_provider_);
  EXPECT_FALSE(outcome.complete);
  EXPECT_FALSE(outcome.error);
  EXPECT_THAT(recorded_as<ToldFailed>(), IsEmpty()) << "a resumed run makes the call anew";
  EXPECT_TRUE(recorded_as<CallFailed>().at(0).again);
}

TEST_F(ModelSourceTest, StopsCallsWithTheLineAndKeepsWhatTheyCost) {
  answer({{1, code("fast3();")}});
  client_.late = {2, 3, 4};
  run(10, false, {}, [&](TrialLine& line) { line.post()([&] { stop_.request_stop(); }); });
  for (const CallFailed& failed : recorded_as<CallFailed>()) EXPECT_TRUE(failed.again) << failed.request;
  EXPECT_EQ(recorded_as<CallFailed>().size() + recorded_as<Replied>().size(), recorded_as<Sent>().size());
}

TEST_F(ModelSourceTest, AsksNobodyIfNoCallFitsIntoBudget) {
  const SearchOutcome outcome = run(10, false, {.tokens = 10});
  EXPECT_TRUE(is_dry_);
  EXPECT_EQ(client_.calls, 0u);
  EXPECT_EQ(outcome.counts.total, 0u);
  EXPECT_THAT(recorded_as<Sent>(), IsEmpty());
  EXPECT_EQ(recorded_as<Asked>().size(), 1u) << "with a larger budget it can go on";
}

// ---- enough is found

TEST_F(ModelSourceTest, JudgesWhatWasSentWhenEnoughIsFoundAndAsksNoMore) {
  answer({{1, code("fast2();")}, {2, code("fast3();")}, {3, code("wrong();")}});
  enough_ = [](const Verdict&) { return std::optional<std::string>("the first is enough"); };
  const SearchOutcome outcome = run(20);
  EXPECT_TRUE(outcome.complete);
  EXPECT_EQ(outcome.enough, "the first is enough");
  EXPECT_EQ(outcome.counts.total, 3u) << "as many as were open";
  EXPECT_EQ(client_.calls, 3u);
}

TEST_F(ModelSourceTest, GoesOnIfWhatWasSentShowsThatItWasNotEnough) {
  answer({{1, code("fast2();")}, {2, code("fast3();")}, {3, code("fast4();")}, {4, code("fast5();")}});
  enough_ = [heard = 0u](const Verdict&) mutable {
    return ++heard == 1 ? std::optional<std::string>("so it seems") : std::nullopt;
  };
  EXPECT_EQ(run(4).counts.total, 4u);
}

// ---- strategies that wait for verdicts

const std::string in_generations =
    R"({"name":"s","proposer":"model","population":"single","patience":4,"generation":2,)"
    R"("operators":[{"name":"init","ingredients":["task"]}]})";

TEST_F(ModelSourceTest, NextGenerationIsAskedAfterVerdicts) {
  header_.strategy = in_generations;
  client_.outcomes[1] = llm::Failure{.kind = llm::FailureKind::timeout, .what = "no answer came"};
  answer({{2, code("fast2();")}, {3, code("fast2(); /* again */")}, {4, code("fast3();")}, {5, code("wrong();")}});
  EXPECT_EQ(run(3).counts.total, 3u);
  std::string order;  // questions, and verdicts
  for (const Event& event : recorded().events) {
    if (std::holds_alternative<Asked>(event)) order += 'q';
    if (std::holds_alternative<ToldTrial>(event)) order += 'v';
    if (std::holds_alternative<ToldFailed>(event)) order += 'x';
  }
  EXPECT_EQ(order, "qqxqvvqqvv") << "a call that failed is made again, and a duplicate counts";
}

TEST_F(ModelSourceTest, FewerTrialsThanOneGenerationHasEndTheSearch) {
  header_.strategy = in_generations;
  answer({{1, code("fast2();")}});
  const SearchOutcome outcome = run(1);
  EXPECT_TRUE(outcome.complete);
  EXPECT_EQ(outcome.counts.total, 1u);
}

TEST_F(ModelSourceTest, GoesOnWithinAGeneration) {
  header_.strategy = in_generations;
  const std::map<unsigned, std::string> replies{{1, code("fast2();")}, {2, code("wrong();")}, {3, code("fast3();")},
                                                {4, code("fast5();")}, {5, code("fast6();")}, {6, code("fast7();")}};
  answer(replies);
  run(5);
  const auto expected = told();
  forget();
  answer(replies);
  run(3);
  reopen();
  EXPECT_EQ(run(5, true).counts.total, 5u);
  EXPECT_EQ(told(), expected);
}

TEST_F(ModelSourceTest, AsksForNoMoreAdviceThanCandidatesFollow) {
  header_.strategy = R"({"name":"s","proposer":"model","population":"single","operators":[{"name":"micro-step",)"
                     R"("ingredients":["task"],"advised_by":{"name":"plan","ingredients":["task"]}}]})";
  answer({{1, R"({"action":"tile","region":"i"})"},
          {2, R"({"action":"unroll","region":"j"})"},
          {3, code("fast2();")},
          {4, code("fast3();")}});
  EXPECT_EQ(run(2).counts.total, 2u);
  EXPECT_EQ(client_.calls, 4u);
}

// ---- opinions

std::string asking_opinions(const std::string& use) {
  return R"({"name":"s","proposer":"model","population":"single","patience":4,"opinion":")" + use +
         R"(","operators":[{"name":"init","ingredients":["task"]}]})";
}

// Doubts what has the word.
auto doubting(const std::string& word) {
  return [word](const std::string& prompt) {
    return ScriptedClient::reply(prompt.find(word) == std::string::npos
                                     ? R"({"right": true, "reason": "all sizes are there"})"
                                     : R"({"right": false, "reason": "the tail is left out"})");
  };
}

TEST_F(ModelSourceTest, DoubtedCandidateIsNotJudged) {
  header_.strategy = asking_opinions("filter");
  client_.opinion = doubting("wrong();");
  answer({{1, code("fast3();")}, {2, code("wrong();")}, {3, code("fast2();")}});
  const SearchOutcome outcome = run(3);
  EXPECT_EQ(outcome.counts.total, 3u);
  EXPECT_EQ(outcome.accepted.size(), 2u);
  EXPECT_THAT(stages_.compiled, Not(testing::Contains(HasSubstr("wrong"))));
  EXPECT_EQ(recorded_as<ToldTrial>().at(1).verdict.reason,
            "not judged, since a second look by the model says that it is wrong: the tail is left out");
  EXPECT_THAT(written(), testing::SizeIs(2)) << "the journal has verdicts of the judge's alone";
  EXPECT_EQ(opinions_, "opinions: 3 calls, 45 tokens; 1 doubted, 1 of them not judged; 0 of 2 others wrong");
}

TEST_F(ModelSourceTest, WatchedOpinionsAreCountedAndSpareNothing) {
  header_.strategy = asking_opinions("watch");
  client_.opinion = doubting("();  /*?*/");
  answer({{1, code("fast3();  /*?*/")}, {2, code("wrong();  /*?*/")}, {3, code("wrong(); ;")}, {4, code("fast2();")}});
  EXPECT_EQ(run(4).counts.total, 4u);
  EXPECT_THAT(opinions_, HasSubstr("4 calls, 60 tokens; 2 doubted, 1 of 2 judged ones wrong"));
  EXPECT_THAT(opinions_, HasSubstr("; 1 of 2 others wrong"));
}

TEST_F(ModelSourceTest, OpinionThatFailsKeepsNothingFromTheJudge) {
  header_.strategy = asking_opinions("filter");
  client_.opinion = [](const std::string& prompt) -> llm::Outcome {
    if (prompt.find("fast2") != std::string::npos) return ScriptedClient::reply("I cannot tell.");
    return llm::Failure{.kind = llm::FailureKind::timeout, .what = "no opinion came"};
  };
  answer({{1, code("fast3();")}, {2, code("fast2();")}});
  EXPECT_EQ(run(2).counts.faster, 2u);
  EXPECT_THAT(listener_.notes, testing::Contains("no opinion came"));
}

TEST_F(ModelSourceTest, OpinionThatEndsTheRunLeavesCandidateForTheNext) {
  header_.strategy = asking_opinions("filter");
  client_.opinion = [](const std::string&) { return llm::Failure{.what = "no credit", .ends_the_run = true}; };
  answer({{1, code("fast3();")}, {2, code("fast2();")}, {3, code("fast4();")}});
  run(3);
  EXPECT_TRUE(ended_by_provider_);
  EXPECT_THAT(recorded_as<ToldTrial>(), IsEmpty());
  client_.opinion = doubting("fast4");
  reopen();
  EXPECT_EQ(run(3, true).counts.faster, 2u);
  EXPECT_EQ(client_.calls, 3u) << "the replies are there";
}

TEST_F(ModelSourceTest, NobodyIsAskedAboutWhatSaysByItselfWhatItIs) {
  header_.strategy = asking_opinions("filter");
  client_.opinion = doubting("nothing");
  answer({{1, code("fast3();")}, {2, code("refused();")}, {3, "no code"}, {4, code("fast3();  // again")}});
  answer({{5, code("fast5();")}});
  run(4);
  EXPECT_EQ(client_.opinions, 2u) << "of fast3 and fast5";
}

TEST_F(ModelSourceTest, NoOpinionIsPaidForTwice) {
  header_.strategy = asking_opinions("filter");
  client_.opinion = doubting("wrong");
  const std::map<unsigned, std::string> replies{{1, code("fast2();")}, {2, code("wrong();")}, {3, code("fast3();")},
                                                {4, code("fast4();")}, {5, code("fast5();")}, {6, code("fast6();")}};
  answer(replies);
  run(4);
  const auto expected = told();
  const std::string worth = opinions_;
  forget();
  client_.opinions = 0;
  answer(replies);
  run(2);
  reopen();
  run(4, true);
  EXPECT_EQ(told(), expected);
  EXPECT_EQ(opinions_, worth);
  EXPECT_EQ(recorded_as<Opined>().size(), client_.opinions);
}

TEST_F(ModelSourceTest, ReplayTellsWhatRecordedOpinionsWereWorth) {
  header_.strategy = asking_opinions("filter");
  client_.opinion = doubting("();  /*?*/");
  answer({{1, code("fast3();  /*?*/")}, {2, code("wrong();  /*?*/")}, {3, code("fast2();")}});
  run(3);
  const auto search = search_of(header_).value();
  Dialogue dialogue(*search, header_.facts, {});
  const auto trials = trials_to_judge(header_, play(recorded(), dialogue).value(), 10);
  std::filesystem::remove(file());
  reopen();
  TrialLine::Options all = options(3);
  all.finds_duplicates = false;
  TrialLine line(ports(), all, {});
  Rejudge rejudge(trials, line);
  EXPECT_EQ(line.run(rejudge).counts.total, 3u);
  EXPECT_THAT(rejudge.opinions().text(), HasSubstr("2 doubted, 1 of 2 judged ones wrong"));
  EXPECT_EQ(rejudge.differences(), 0u) << "nobody had judged what was doubted";
}

TEST_F(ModelSourceTest, RecordedRunIsJudgedAgainTrialByTrial) {
  answer({{1, with_constant}, {2, with_constant}, {3, "no code"}, {4, code("wrong();")}});
  run(3);
  const auto search = search_of(header_).value();
  Dialogue dialogue(*search, header_.facts, {});
  const Played played = play(recorded(), dialogue).value();
  const auto trials = trials_to_judge(header_, played, 10);
  ASSERT_EQ(trials.size(), 3u) << "without the duplicate";
  EXPECT_THAT(trials[0].proposal.candidate.source, HasSubstr("fast4"));

  std::filesystem::remove(file());
  reopen();
  stages_.judged.clear();
  TrialLine::Options all = options(3);
  all.finds_duplicates = false;
  TrialLine line(ports(), all, {});
  Rejudge rejudge(trials, line);
  const SearchOutcome outcome = line.run(rejudge);
  EXPECT_TRUE(outcome.complete);
  EXPECT_EQ(outcome.counts.total, 3u);
  EXPECT_EQ(rejudge.differences(), 0u);
  ASSERT_EQ(outcome.accepted.size(), 1u);
  EXPECT_EQ(outcome.accepted[0].verdict.measurement.speedup.median, 4);
  for (const char* choice : {"fast2", "fast4"})
    EXPECT_EQ(stages_.times_judged(fmt::format("twice() {{ constexpr auto N = {}; N(); }}\n", choice)), 1u) << choice;
}

TEST_F(ModelSourceTest, SeedsAreJudgedAgainFirst) {
  header_.seeds.push_back({{.source = "a fast2", .name = "seed"}, {}});
  const auto trials = trials_to_judge(header_, {}, 10);
  ASSERT_EQ(trials.size(), 1u);
  TrialLine::Options all = options(1);
  all.finds_duplicates = false;
  TrialLine line(ports(), all, {});
  Rejudge rejudge(trials, line);
  EXPECT_EQ(line.run(rejudge).counts.faster, 1u);
  EXPECT_EQ(rejudge.differences(), 1u) << "it was recorded as wrong";
  EXPECT_THAT(trials_to_judge(header_, {}, 0), IsEmpty());
}

TEST_F(ModelSourceTest, TranscriptHasQuestionsAndCandidates) {
  answer({{1, code("fast3();")}});
  run(1);
  const auto search = search_of(header_).value();
  Dialogue dialogue(*search, header_.facts, {});
  const std::string text = transcript(play(recorded(), dialogue).value());
  EXPECT_THAT(text, HasSubstr(R"("ask":1,)"));
  EXPECT_THAT(text, HasSubstr(R"("candidate":1,)"));
  EXPECT_THAT(text, HasSubstr("fast3()"));
}

}  // namespace
}  // namespace hone::tune
