// A search driven as `hone tune` drives it with eight calls at once: twelve requests are open, and verdicts come late,
// in this order or that. What was asked is kept, for tests to hold a strategy to its description.
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tests/search/fake_model.h"
#include "tool/search/search.h"

namespace hone::search::fake {

// All of a request that a prompt shows: two of the same text are one question.
inline std::string prompt_of(const Request& r) {
  const bool shows_best = std::ranges::find(r.ingredients, Ingredient::best) != r.ingredients.end();
  std::vector<std::string> techniques;
  for (const Experience& known : r.techniques)
    techniques.push_back(known.technique + fmt::format("@{}", known.predicted));
  return fmt::format("{} of {} best {} shown {} thoughts {} errors {} advice {} choice {} brief {} techniques {}",
                     r.operator_name, fmt::join(r.parents, ","), shows_best ? int(r.best) : -1, fmt::join(r.shown, ","),
                     fmt::join(r.insights, ","), fmt::join(r.errors, ","), r.advised_by.value_or(0),
                     r.choice ? int(*r.choice) : -1, r.brief, fmt::join(techniques, ","));
}

// Whether anything in it comes of an earlier trial: a parent, history, the best, a thought, an error.
inline bool shows_a_trial(const Request& r) {
  const auto any = [](const std::vector<unsigned>& numbers) {
    return std::ranges::any_of(numbers, [](unsigned number) { return number != 0; });
  };
  const bool shows_best = std::ranges::find(r.ingredients, Ingredient::best) != r.ingredients.end();
  return any(r.parents) || any(r.shown) || any(r.insights) || any(r.errors) || (shows_best && r.best != 0);
}

enum class Late { in_order, newest_first, randomly };

// How often a call fails, advice is useless, or a reply is a program that was there before; and how often each question
// is asked for once more where there was none.
struct Trouble {
  double failed = 0, useless = 0, repeated = 0;
  unsigned in_vain = 0;
};

class AtOnce {
 public:
  struct Asked {
    Request request;
    std::string prompt;
    bool informed = false;  // by a trial; so is what follows advice that was
  };

  AtOnce(Search& search, Late late, std::uint64_t seed, Trouble trouble = {})
      : search_(search), late_(late), trouble_(trouble), random_(seed), model_(seed) {}

  // Until so many trials were told, or nothing is left to ask.
  void run(unsigned trials) {
    while (told_ < trials) {
      ask(trials);
      if (open_.empty()) return;
      look();
      tell(next());
    }
  }

  const std::vector<Asked>& asked() const { return asked_; }
  unsigned told() const { return told_; }
  unsigned widest() const { return widest_; }  // requests that were open at once
  unsigned alike() const { return alike_; }    // … that were one question
  // How often in a row nothing new or no answer came, at the end.
  unsigned in_vain() const { return std::max(idle_, failed_); }

  std::vector<Asked> candidates() const {
    std::vector<Asked> some;
    std::ranges::copy_if(asked_, std::back_inserter(some),
                         [](const Asked& one) { return one.request.kind == RequestKind::candidate; });
    return some;
  }
  unsigned count(const std::string& operator_name) const {
    return static_cast<unsigned>(
        std::ranges::count(asked_, operator_name, [](const Asked& one) { return one.request.operator_name; }));
  }
  // Of the candidates from the given one on, the share that show a trial.
  double informed_after(std::size_t first) const {
    const auto some = candidates();
    if (some.size() <= first) return 1;
    const auto informed = std::count_if(some.begin() + static_cast<std::ptrdiff_t>(first), some.end(),
                                        [](const Asked& one) { return one.informed; });
    return static_cast<double>(informed) / static_cast<double>(some.size() - first);
  }

 private:
  static constexpr std::size_t window = 12;

  void look() {
    widest_ = std::max(widest_, static_cast<unsigned>(open_.size()));
    std::map<std::string, unsigned> times;
    for (const Request& request : open_) alike_ = std::max(alike_, ++times[asked_[request.number - 1].prompt]);
  }

  unsigned expected() const {
    unsigned expected = 0;
    for (const Request& request : open_) expected += candidates_of(request);
    return expected;
  }

  void ask(unsigned trials) {
    while (open_.size() < window && told_ + expected() < trials) {
      auto request = search_.ask();
      for (unsigned i = 0; !request && i < trouble_.in_vain; ++i) request = search_.ask();
      if (!request) return;
      const bool advised = request->advised_by && asked_[*request->advised_by - 1].informed;
      asked_.push_back({*request, prompt_of(*request), advised || shows_a_trial(*request)});
      open_.push_back(std::move(*request));
    }
  }

  Request next() {
    const std::size_t at = late_ == Late::in_order       ? 0
                           : late_ == Late::newest_first ? open_.size() - 1
                                                         : random_.below(open_.size());
    Request request = std::move(open_[at]);
    open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(at));
    return request;
  }

  void tell(const Request& request) {
    if (random_.chance(trouble_.failed)) {
      ++failed_;
      return search_.fail(request);
    }
    failed_ = 0;
    if (request.kind == RequestKind::advice) {
      const bool useful = !random_.chance(trouble_.useless);
      idle_ += !useful;
      return search_.tell_advice(request, useful ? model_.advise(request, search_.trials()) : "none", useful);
    }
    const Candidate candidate = model_.answer(request, search_.trials());
    const bool again = random_.chance(trouble_.repeated);
    idle_ = again ? idle_ + 1 : 0;
    told_ += !again;
    search_.tell(request, candidate, again ? search_.trials().front().verdict : judge(candidate.source),
                 again ? std::optional(0u) : std::nullopt);
  }

  Search& search_;
  Late late_;
  Trouble trouble_;
  Random random_;
  Model model_;
  std::vector<Request> open_;
  std::vector<Asked> asked_;  // by number
  unsigned told_ = 0;         // trials: no duplicates
  unsigned widest_ = 0, alike_ = 0;
  unsigned idle_ = 0, failed_ = 0;  // in a row
};

}  // namespace hone::search::fake
