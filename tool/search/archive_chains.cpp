#include <algorithm>
#include <cassert>

#include "tool/search/archive.h"

namespace hone::search {
namespace {

using Member = Population::Member;

// CudaForge: one program handed on from step to step, right or not, and nothing else remembered. Several chains go side
// by side, one line open on each; one that has taken its steps starts afresh.
class Chains final : public Archive {
 public:
  explicit Chains(const Strategy& strategy) : steps_(std::max(strategy.rounds, 1u)) {
    chains_.resize(std::max(strategy.islands, 1u));
  }

  std::optional<Place> next(Random&) override {
    // The idle one that has gone least far, so that none starves.
    const Chain* chosen = nullptr;
    for (const Chain& chain : chains_)
      if (!chain.busy && (!chosen || chain.taken < chosen->taken)) chosen = &chain;
    if (!chosen) return std::nullopt;
    Place place;
    place.island = static_cast<unsigned>(chosen - chains_.data());
    place.members = ranked_;
    place.fresh = !chosen->last;
    place.current = chosen->last;
    place.failed = chosen->last && !chosen->right;
    if (place.failed) place.failures = {*chosen->last};
    return place;
  }

  void opened(const Place& place) override { chains_[place.island].busy = true; }

  void closed(const Place& place, bool answered) override {
    Chain& chain = chains_[place.island];
    chain.busy = false;
    if (!answered) return;
    ++chain.taken;
    if (++chain.step < steps_) return;
    chain.step = 0;
    chain.last.reset();
  }

  void add(const Individual& individual, const Place& place, Random&) override {
    Chain& chain = chains_[place.island];
    chain.last = individual.trial;
    chain.right = individual.right;
    if (individual.right) insert_ranked(ranked_, {individual.trial, individual.fitness});
  }

  // A chain starts from the task alone; what was known before is there to be compared with.
  void seed(const Individual& individual) override {
    if (individual.right) insert_ranked(ranked_, {individual.trial, individual.fitness});
  }

  std::vector<Member> members() const override { return ranked_; }

 private:
  struct Chain {
    std::optional<unsigned> last;
    bool right = true;
    bool busy = false;
    unsigned step = 0;   // since it started
    unsigned taken = 0;  // in all
  };

  unsigned steps_;
  std::vector<Chain> chains_;
  std::vector<Member> ranked_;
};

}  // namespace

std::unique_ptr<Archive> make_chains(const Strategy& strategy) {
  return std::make_unique<Chains>(strategy);
}

}  // namespace hone::search
