#include "tool/llm/ensemble.h"

#include <atomic>
#include <deque>
#include <optional>
#include <utility>

namespace hone::llm {
namespace {

class Ensemble final : public Client {
 public:
  explicit Ensemble(std::vector<EnsembleMember> members) {
    for (EnsembleMember& member : members) members_.emplace_back(std::move(member));
  }

  using Client::submit;
  void submit(Prompt prompt, std::stop_token stop, Done done) override {
    const std::size_t place = choose(prompt);
    // A call of a member that is out goes to that member all the same, which answers with the failure that put it out.
    members_[place].client->submit(
        std::move(prompt), std::move(stop),
        [this, place, done = std::move(done)](Outcome outcome) { done(judged(std::move(outcome), place)); });
  }

 private:
  struct Member {
    explicit Member(EnsembleMember from) : client(std::move(from.client)), weight(from.weight) {}
    std::atomic<bool> out = false;
    std::unique_ptr<Client> client;
    double weight;
  };

  std::size_t choose(const Prompt& prompt) const {
    if (prompt.member && *prompt.member < members_.size() && !members_[*prompt.member].out) return *prompt.member;
    double total = 0;
    for (const Member& member : members_) total += member.out ? 0 : member.weight;
    double left = total * chance(prompt.seed.value_or(0));
    std::optional<std::size_t> last;
    for (std::size_t i = 0; i < members_.size(); ++i) {
      if (members_[i].out) continue;
      last = i;
      left -= members_[i].weight;
      if (left < 0) break;
    }
    return last.value_or(0);
  }

  // A number in [0, 1), well mixed: seeds are often small and near each other (splitmix64's finalizer).
  static double chance(std::uint64_t seed) {
    std::uint64_t x = seed + 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return static_cast<double>((x ^ (x >> 31)) >> 11) * 0x1p-53;
  }

  Outcome judged(Outcome outcome, std::size_t place) {
    std::visit([&](auto& either) { either.member = static_cast<unsigned>(place); }, outcome);
    if (Failure* failure = std::get_if<Failure>(&outcome); failure && failure->ends_the_run) {
      members_[place].out = true;
      for (const Member& member : members_) failure->ends_the_run &= member.out;
    }
    return outcome;
  }

  std::deque<Member> members_;
};

}  // namespace

std::unique_ptr<Client> make_ensemble(std::vector<EnsembleMember> members) {
  return std::make_unique<Ensemble>(std::move(members));
}

}  // namespace hone::llm
