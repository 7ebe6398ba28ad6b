// A trial line on fake stages, with a journal in a folder of its own and a listener that keeps what it hears.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/tune/trial/fake_stages.h"
#include "tool/frontend/gate/fingerprint.h"
#include "tool/os/files/files.h"
#include "tool/tune/trial/trial_line.h"

namespace hone::tune {

class Listener : public report::Progress {
 public:
  void begin(const report::Run&) override {}
  void note(const std::string& line) override { notes.push_back(line); }
  void trial(const report::TrialNews& news) override { trials.push_back(news); }
  void end(const report::KernelResult&) override {}

  std::vector<std::string> notes;
  std::vector<report::TrialNews> trials;
};

class LineBench : public testing::Test {
 protected:
  LineBench() { reopen(); }

  // What the journal holds is known from now on, as in a run that resumes.
  void reopen() {
    journal_.reset();
    auto opened =
        Journal::open(file(), {"key", 1, "builtin", "g++ 12"}, Journal::Start::go_on, {}, [](const std::string&) {});
    ASSERT_TRUE(opened) << opened.error().message();
    journal_.emplace(std::move(*opened));
  }

  TrialPorts ports() { return {stages_, *journal_, listener_}; }
  std::filesystem::path file() const { return folder_.path() / "journal.jsonl"; }

  // The names in the journal, in order.
  std::vector<std::string> written() const {
    std::vector<std::string> names;
    const std::string text = os::read_file(file()).value_or(""), before = R"("name":")";
    for (std::size_t at = text.find(before); at != std::string::npos; at = text.find(before, at)) {
      at += before.size();
      names.push_back(text.substr(at, text.find('"', at) - at));
    }
    return names;
  }

  // Until it holds, or for so long that a test which waits in vain fails and does not hang.
  template <class Condition>
  static void wait_until(Condition holds) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    while (!holds() && std::chrono::steady_clock::now() < end)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }

  static constexpr const char* original = "the text of the original";
  static TrialLine::Options options(unsigned trials = 100) {
    TrialLine::Options options;
    options.bench.parallel = {.compiles = 3, .judgments = 2};
    options.bench.limits.trials = trials;
    options.original = frontend::fingerprint(original);
    return options;
  }

  os::TemporaryFolder folder_ = os::TemporaryFolder::create("hone-line").value();
  FakeStages stages_;
  std::optional<Journal> journal_;
  Listener listener_;
  std::stop_source stop_;
};

}  // namespace hone::tune
