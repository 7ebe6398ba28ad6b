// How calls are queued, tried again and ended: PacedClient over backends that a test writes.
#include "tool/llm/pace.h"

#include <deque>
#include <mutex>

#include <gmock/gmock.h>

#include "provider_bench.h"
#include "tool/llm/ensemble.h"
#include "tool/llm/paced_client.h"
#include "tool/llm/scripted_client.h"
#include "tool/llm/settings/clean_text.h"
#include "tool/llm/token_estimate.h"

namespace hone::llm {
namespace {
using namespace std::chrono_literals;
using testing::AllOf;
using testing::Ge;
using testing::HasSubstr;
using testing::Le;
using testing::Optional;

TEST(Pace, DoublesPausesWithJitter) {
  const Pace pace{.attempts = 5, .first_pause = 1000ms, .longest_pause = 3000ms};
  for (std::uint64_t call = 0; call < 100; ++call) {
    EXPECT_THAT(pause_after(pace, call, 1, {}), Optional(AllOf(Ge(500ms), Le(1000ms))));
    EXPECT_THAT(pause_after(pace, call, 2, {}), Optional(AllOf(Ge(1000ms), Le(2000ms))));
    EXPECT_THAT(pause_after(pace, call, 4, {}), Optional(AllOf(Ge(1500ms), Le(3000ms))));
    EXPECT_EQ(pause_after(pace, call, 5, {}), std::nullopt);
  }
  EXPECT_NE(pause_after(pace, 1, 1, {}), pause_after(pace, 2, 1, {}))
      << "calls that failed together do not come back together";
  EXPECT_EQ(pause_after(pace, 1, 1, {}), pause_after(pace, 1, 1, {}));
}

TEST(Pace, PausesAsLongAsProviderAsks) {
  const Pace pace;
  EXPECT_EQ(pause_after(pace, 0, 1, 40s), 40s);
  EXPECT_LE(pause_after(pace, 0, 1, 0s), 1s);
  EXPECT_EQ(pause_after(pace, 0, 1, 3601s), std::nullopt);
  EXPECT_EQ(pause_after(pace, 0, 1, std::chrono::seconds::max()), std::nullopt);
}

// Holds each attempt until the test says how it ended.
class HeldBackend final : public Backend {
 public:
  void start(const Prompt& prompt, std::stop_token stop, Done done) override {
    const std::lock_guard lock(mutex_);
    open_.push_back(std::make_unique<Open>(prompt.messages.at(1).text, std::move(done)));
    Open* open = open_.back().get();
    open->on_stop.emplace(std::move(stop), [open] {
      if (!open->ended.exchange(true)) open->done({Failure{FailureKind::canceled, "stopped"}});
    });
  }
  // Waits for the n-th attempt and ends it.
  void end(std::size_t n, Attempt attempt) {
    Open& open = at(n);
    if (!open.ended.exchange(true)) open.done(std::move(attempt));
  }
  std::string text(std::size_t n) { return at(n).text; }
  std::size_t started() {
    const std::lock_guard lock(mutex_);
    return open_.size();
  }

 private:
  struct Open {
    Open(std::string said, Done then) : text(std::move(said)), done(std::move(then)) {}
    std::string text;
    Done done;
    std::atomic<bool> ended = false;
    std::optional<std::stop_callback<std::function<void()>>> on_stop;
  };
  Open& at(std::size_t n) {
    while (started() <= n) std::this_thread::sleep_for(1ms);
    const std::lock_guard lock(mutex_);
    return *open_[n];
  }
  std::mutex mutex_;
  std::vector<std::unique_ptr<Open>> open_;
};

struct PacedClientTest : testing::Test {
  HandClock clock;
  HeldBackend* backend = nullptr;
  std::unique_ptr<Client> client;

  void make(const Pace& pace) {
    auto made = std::make_unique<HeldBackend>();
    backend = made.get();
    client = std::make_unique<PacedClient>(std::move(made), pace, clock);
  }
  static Attempt fails(bool again, bool ends_the_run = false) {
    return {Failure{FailureKind::exhausted, "busy", ends_the_run, Usage{10, 0, 1, true}}, again, {}};
  }
  static Attempt replies(const std::string& text) { return {Reply{text, Usage{100, 50, 2, false}}}; }
};

TEST_F(PacedClientTest, SendsQueuedCallsInOrder) {
  make({.concurrency = 1});
  auto first = client->submit(asking("a")), second = client->submit(asking("b")), third = client->submit(asking("c"));
  backend->end(0, replies("A"));
  backend->end(1, replies("B"));
  backend->end(2, replies("C"));
  EXPECT_EQ(reply_of(std::move(first)).text, "A");
  EXPECT_EQ(reply_of(std::move(second)).text, "B");
  EXPECT_EQ(reply_of(std::move(third)).text, "C");
  EXPECT_EQ(backend->text(2), "c");
}

TEST_F(PacedClientTest, KeepsPlaceAndCostOfPausingCall) {
  make({.concurrency = 1, .attempts = 2});
  auto first = client->submit(asking("a")), second = client->submit(asking("b"));
  backend->end(0, fails(true));
  std::this_thread::sleep_for(50ms);
  EXPECT_EQ(backend->started(), 1) << "the clock stands still";
  clock.hurried = true;
  backend->end(1, replies("A"));
  EXPECT_EQ(backend->text(1), "a");
  const Reply got = reply_of(std::move(first));
  EXPECT_EQ(got.attempts, 2);
  EXPECT_EQ(got.usage.input_tokens, 110);
  EXPECT_EQ(got.usage.cost, 3);
  EXPECT_TRUE(got.usage.estimated);
  backend->end(2, replies("B"));
  EXPECT_EQ(reply_of(std::move(second)).text, "B");
}

TEST_F(PacedClientTest, CancelsStoppedCallInEveryState) {
  make({.concurrency = 1, .attempts = 2});
  std::stop_source flying_stop, pausing_stop, waiting_stop;
  auto flying = client->submit(asking("a"), flying_stop.get_token());
  auto waiting = client->submit(asking("b"), waiting_stop.get_token());
  backend->text(0);
  waiting_stop.request_stop();
  EXPECT_EQ(failure_of(std::move(waiting)).kind, FailureKind::canceled);
  flying_stop.request_stop();
  EXPECT_EQ(failure_of(std::move(flying)).kind, FailureKind::canceled);
  auto pausing = client->submit(asking("c"), pausing_stop.get_token());
  backend->end(1, fails(true));
  pausing_stop.request_stop();
  EXPECT_EQ(failure_of(std::move(pausing)).kind, FailureKind::canceled);
  EXPECT_EQ(failure_of(client->submit(asking("d"), flying_stop.get_token())).kind, FailureKind::canceled);
  EXPECT_EQ(backend->started(), 2);
}

TEST_F(PacedClientTest, FailsQueuedCallsAndKeepsSentOnesAtEndOfRun) {
  make({.concurrency = 2});
  auto first = client->submit(asking("a")), flying = client->submit(asking("b")), waiting = client->submit(asking("c"));
  backend->text(1);
  backend->end(0, fails(false, true));
  EXPECT_TRUE(failure_of(std::move(first)).ends_the_run);
  const Failure never_sent = failure_of(std::move(waiting));
  EXPECT_TRUE(never_sent.ends_the_run);
  EXPECT_EQ(never_sent.attempts, 0);
  EXPECT_EQ(never_sent.spent.cost, 0);
  backend->end(1, replies("B"));
  EXPECT_EQ(reply_of(std::move(flying)).text, "B");
}

TEST_F(PacedClientTest, EndsRunAfterFailuresInARow) {
  make({.concurrency = 1, .failures_in_a_row = 3});
  const auto call = [&](std::size_t n, Attempt attempt) {
    auto outcome = client->submit(asking("x"));
    backend->end(n, std::move(attempt));
    return outcome.get();
  };
  EXPECT_FALSE(std::get<Failure>(call(0, fails(false))).ends_the_run);
  EXPECT_FALSE(std::get<Failure>(call(1, fails(false))).ends_the_run);
  call(2, replies("still there"));
  EXPECT_FALSE(std::get<Failure>(call(3, fails(false))).ends_the_run);
  EXPECT_FALSE(std::get<Failure>(call(4, fails(false))).ends_the_run);
  const Failure last = std::get<Failure>(call(5, fails(false)));
  EXPECT_TRUE(last.ends_the_run);
  EXPECT_THAT(last.what, HasSubstr("3 calls in a row"));
}

TEST_F(PacedClientTest, AllowsCallbackToSubmit) {
  make({.concurrency = 1});
  std::promise<std::string> second;
  client->submit(asking("a"), {}, [&](Outcome) {
    client->submit(asking("b"), {}, [&](Outcome outcome) { second.set_value(std::get<Reply>(outcome).text); });
  });
  backend->end(0, replies("A"));
  backend->end(1, replies("B"));
  EXPECT_EQ(second.get_future().get(), "B");
}

TEST_F(PacedClientTest, AnswersEveryCallWhenDestroyed) {
  make({.concurrency = 1});
  std::atomic<int> answered = 0;
  Client* const kept = client.release();  // a unique_ptr would be empty before its object is gone
  for (int i = 0; i < 3; ++i) {
    kept->submit(asking("a"), {}, [&](Outcome) {
      ++answered;
      if (answered <= 3) kept->submit(asking("again"), {}, [&](Outcome) { ++answered; });
    });
  }
  backend->text(0);
  delete kept;
  EXPECT_GE(answered, 3);
}

TEST(ScriptedClient, AnswersSeveralCallsFromFunction) {
  const auto client = make_scripted_client(
      [](const Prompt& prompt, std::stop_token) -> Outcome {
        if (prompt.messages.at(1).text == "bad") return Failure{FailureKind::malformed, "no"};
        return Reply{"to " + prompt.messages.at(1).text};
      },
      4);
  std::vector<std::future<Outcome>> outcomes;
  for (int i = 0; i < 20; ++i) outcomes.push_back(client->submit(asking(std::to_string(i))));
  for (int i = 0; i < 20; ++i) EXPECT_EQ(reply_of(std::move(outcomes[i])).text, "to " + std::to_string(i));
  EXPECT_EQ(failure_of(client->submit(asking("bad"))).kind, FailureKind::malformed);
}

struct EnsembleTest : testing::Test {
  static EnsembleMember member(const std::string& name, double weight, bool refuses = false) {
    return {make_scripted_client([=](const Prompt&, std::stop_token) -> Outcome {
              if (refuses) return Failure{FailureKind::refused, "no key", true};
              return Reply{name};
            }),
            weight};
  }
  static std::unique_ptr<Client> ensemble(EnsembleMember a, EnsembleMember b) {
    std::vector<EnsembleMember> members;
    members.push_back(std::move(a));
    members.push_back(std::move(b));
    return make_ensemble(std::move(members));
  }
  static Prompt seeded(std::uint64_t seed) {
    Prompt prompt = asking("x");
    prompt.seed = seed;
    return prompt;
  }
};

TEST_F(EnsembleTest, DrawsMembersByWeightAndSeed) {
  const auto client = ensemble(member("a", 3), member("b", 1));
  int first = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const Reply got = reply_of(client->submit(seeded(seed)));
    EXPECT_EQ(got.text, got.member == 0 ? "a" : "b");
    first += got.member == 0;
    if (seed < 20) {
      EXPECT_EQ(reply_of(client->submit(seeded(seed))).member, got.member);
    }
  }
  EXPECT_THAT(first, AllOf(Ge(260), Le(340)));
}

TEST_F(EnsembleTest, AsksNamedMember) {
  const auto client = ensemble(member("a", 3), member("b", 1));
  Prompt prompt = asking("x");
  for (const unsigned place : {0u, 1u}) {
    prompt.member = place;
    EXPECT_EQ(reply_of(client->submit(prompt)).member, place);
  }
}

TEST_F(EnsembleTest, EndsRunWithLastMember) {
  const auto half = ensemble(member("a", 1, true), member("b", 1));
  Prompt first = asking("x");
  first.member = 0;
  EXPECT_FALSE(failure_of(half->submit(first)).ends_the_run);
  for (std::uint64_t seed = 0; seed < 20; ++seed) EXPECT_EQ(reply_of(half->submit(seeded(seed))).text, "b");
  const auto none = ensemble(member("a", 1, true), member("b", 1, true));
  EXPECT_FALSE(failure_of(none->submit(seeded(1))).ends_the_run);
  EXPECT_TRUE(failure_of(none->submit(seeded(1))).ends_the_run);
}

TEST(Tokens, AreEstimatedOnHighSide) {
  EXPECT_EQ(estimate_tokens(""), 0);
  EXPECT_EQ(estimate_tokens("for (int i = 0; i < n; ++i) y[i] += a * x[i];"), 23);
  ModelSettings model;
  model.max_tokens = 1000;
  model.price = Price{1, 10};
  const Usage most = estimate_most(asking(std::string(3'000'000, 'x')), model);
  EXPECT_GE(most.input_tokens, 1'500'000);
  EXPECT_EQ(most.output_tokens, 1000);
  EXPECT_NEAR(most.cost, 1.51, 0.001);
}

TEST(CleanText, MakesMessagesShortPlainLines) {
  EXPECT_EQ(one_line("  a \n\t b  "), "a b");
  EXPECT_EQ(one_line("ääää", 5), "ää…");
  EXPECT_EQ(one_line(std::string(1'000'000, 'x')).size(), 303);
  EXPECT_EQ(valid_utf8("ok \xff\xc3"), "ok \xEF\xBF\xBD\xEF\xBF\xBD");
}

TEST(CleanText, RemovesLongSecretsAndKeepsShortWords) {
  const Scrubber scrub({"sk-0123456789abcdef", "none", ""});
  EXPECT_EQ(scrub("key sk-0123456789abcdef, none, sk-0123456789abcdefsk-0123456789abcdef"),
            "key [key], none, [key][key]");
}

}  // namespace
}  // namespace hone::llm
