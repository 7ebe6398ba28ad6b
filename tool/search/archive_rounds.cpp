#include <algorithm>
#include <cassert>

#include "tool/search/archive.h"

namespace hone::search {
namespace {

using Member = Population::Member;

// CUDA-LLM's feature search: N candidates from one seed at each depth. The fastest right one seeds the next depth;
// where all failed they are shown with their errors and put right, a few depths in a row, before the seed is taken up
// again.
class Rounds final : public Archive {
 public:
  explicit Rounds(const Strategy& strategy)
      : width_(std::max(strategy.width, 1u)), most_repairs_(strategy.repair.tries) {}

  std::optional<Place> next(Random&) override {
    if (started_ >= width_) {
      if (open_ > 0) return std::nullopt;
      deepen();
    }
    Place place;
    place.island = depth_;
    place.members = ranked_;
    place.fresh = depth_ == 0;
    place.failed = repairs_ > 0;
    place.failures = previous_;
    // A line may have ended unanswered, so that slots are started more than once: still one failure each.
    place.current = place.failed ? previous_[started_ % previous_.size()] : seed_;
    return place;
  }

  void opened(const Place&) override {
    ++started_;
    ++open_;
  }

  void closed(const Place&, bool answered) override {
    --open_;
    if (!answered) --started_;
  }

  void add(const Individual& individual, const Place&, Random&) override {
    if (individual.right) {
      insert_ranked(ranked_, {individual.trial, individual.fitness});
      insert_ranked(right_, {individual.trial, individual.fitness});
    } else {
      failing_.push_back(individual.trial);
    }
  }

  void seed(const Individual& individual) override {
    if (!individual.right) return;
    insert_ranked(ranked_, {individual.trial, individual.fitness});
    seed_ = ranked_.front().trial;
  }

  std::vector<Member> members() const override { return ranked_; }

 private:
  void deepen() {
    ++depth_;
    started_ = 0;
    const bool all_failed = right_.empty() && !failing_.empty();
    repairs_ = all_failed && repairs_ < most_repairs_ ? repairs_ + 1 : 0;
    if (!right_.empty()) seed_ = right_.front().trial;
    previous_ = std::move(failing_);
    failing_ = {};
    right_ = {};
  }

  unsigned width_;
  unsigned most_repairs_;
  unsigned depth_ = 0;
  unsigned seed_ = 0;
  unsigned started_ = 0;  // lines of this depth
  unsigned open_ = 0;
  unsigned repairs_ = 0;            // depths in a row that put failures right
  std::vector<Member> right_;       // of this depth, best first
  std::vector<unsigned> failing_;   // of this depth
  std::vector<unsigned> previous_;  // what failed at the depth before
  std::vector<Member> ranked_;
};

}  // namespace

std::unique_ptr<Archive> make_rounds(const Strategy& strategy) {
  return std::make_unique<Rounds>(strategy);
}

}  // namespace hone::search
