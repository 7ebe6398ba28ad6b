// Gate, compiler and judge that are a table: what becomes of a text is written in it, and nothing is run.
//
//   refused   the gate refuses it          invalid  it does not compile       broken  the environment fails to compile
//   wrong     it is not right              lost     the environment fails to judge
//   original  its object is the original's
//   fastN     it is right and N times as fast; else it is right and no faster
// A text is its own object, but for its first word, which stands for what no compiler sees: "a fast2" and "b fast2" are
// two texts of one program.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "cache/digest.h"
#include "tool/tune/trial/trial_stages.h"

namespace hone::tune {

class FakeStages : public TrialStages {
 public:
  static std::string object_of(const std::string& source) { return source.substr(source.find(' ') + 1); }

  std::optional<Verdict> gate(const std::string& source) override {
    if (!has(source, "refused")) return std::nullopt;
    return failed(Stage::gate, "it may not be a candidate");
  }

  Result<std::variant<compile::Objects, Verdict>> compile_for_trial(const std::string& source,
                                                                    std::stop_token stop) override {
    note(compiled, source);
    wait_while_held(source, stop);
    if (has(source, "broken")) return failure("there is no compiler");
    if (has(source, "invalid")) return failed(Stage::compile, "it does not compile");
    return compile::Objects{.plain = object_of(source)};
  }

  Result<std::variant<compile::Objects, Verdict>> compile_plain(const std::string& source,
                                                                std::stop_token stop) override {
    return compile_for_trial(source, stop);
  }

  Result<Verdict> verify(const compile::Objects& candidate, std::stop_token stop) override {
    return run(candidate, {}, stop);
  }

  Result<Verdict> run(const compile::Objects& candidate, const statistics::AcceptanceRule& rule,
                      std::stop_token stop) override {
    note(judged, candidate.plain);
    {
      const std::lock_guard lock(mutex_);
      looks[candidate.plain] = rule.looks.back();
    }
    wait_while_held(candidate.plain, stop);
    if (stop.stop_requested()) return failure("the judgment was stopped");
    if (has(candidate.plain, "lost")) return failure("there is no executor");
    if (has(candidate.plain, "wrong")) return failed(Stage::verify, "it is wrong");
    return right(candidate.plain);
  }

  std::string original_object() const override { return cache::sha256("original"); }

  // Compiles of this text, or judgments of this object, wait until they are released.
  void hold(const std::string& text) {
    const std::lock_guard lock(mutex_);
    held_.insert(text);
  }
  void release(const std::string& text) {
    {
      const std::lock_guard lock(mutex_);
      held_.erase(text);
    }
    released_.notify_all();
  }

  std::size_t times_judged(const std::string& object) {
    const std::lock_guard lock(mutex_);
    return static_cast<std::size_t>(std::count(judged.begin(), judged.end(), object));
  }

  std::size_t compiled_so_far() {
    const std::lock_guard lock(mutex_);
    return compiled.size();
  }
  std::size_t judgments_begun() {
    const std::lock_guard lock(mutex_);
    return judged.size();
  }
  std::string last_begun() {
    const std::lock_guard lock(mutex_);
    return judged.back();
  }

  std::vector<std::string> compiled, judged;  // in the order of beginning
  std::map<std::string, double> looks;        // the longest one that each object might have had

 private:
  static bool has(const std::string& text, const char* word) { return text.find(word) != std::string::npos; }

  static Verdict failed(Stage stage, std::string reason) {
    Verdict verdict;
    verdict.stage = stage;
    verdict.reason = std::move(reason);
    return verdict;
  }

  static Verdict right(const std::string& object) {
    Verdict verdict;
    verdict.stage = Stage::done;
    verdict.right = true;
    verdict.seconds = 0.5;
    const auto fast = object.find("fast");
    const double speedup = fast == std::string::npos ? 1 : std::stod(object.substr(fast + 4));
    verdict.measurement.speedup = {speedup, speedup, speedup};
    verdict.measurement.problems = {{.reference_samples = {1, 1}, .candidate_samples = {1, 1}}};
    verdict.faster = speedup > 1;
    return verdict;
  }

  void note(std::vector<std::string>& where, const std::string& what) {
    const std::lock_guard lock(mutex_);
    where.push_back(what);
  }

  void wait_while_held(const std::string& text, std::stop_token stop) {
    std::unique_lock lock(mutex_);
    released_.wait(lock, stop, [&] { return !held_.contains(text); });
  }

  std::mutex mutex_;
  std::condition_variable_any released_;
  std::set<std::string> held_;
};

}  // namespace hone::tune
