#include "tool/search/turns.h"

#include <algorithm>

namespace hone::search {

Turns::Turns(const Strategy& strategy)
    : generation_(strategy.generation), abreast_(strategy.abreast), starts_first_(strategy.starts_first) {}

bool Turns::owing() const {
  return std::ranges::any_of(lines_, [](const auto& entry) { return entry.second.owed > 0; });
}

unsigned Turns::open_starts() const {
  return static_cast<unsigned>(
      std::ranges::count_if(lines_, [](const auto& entry) { return entry.second.start && entry.second.owed > 0; }));
}

bool Turns::may_begin(const Starts& wanted) const {
  if (generation_ > 0) return begun_ < size_ || !owing();
  if (!starts_first_ || wanted.asked > 0) return true;
  return wanted.right > 0 ? wanted.right > open_starts() : open_starts() == 0;
}

void Turns::keep_free(std::vector<Population::Member>& members) const {
  if (abreast_ == 0) return;
  std::erase_if(members, [this](const Population::Member& member) {
    return std::ranges::count_if(lines_, [&](const auto& entry) {
             return std::ranges::find(entry.second.programs, member.trial) != entry.second.programs.end();
           }) >= abreast_;
  });
}

void Turns::begin(unsigned line, bool start, std::vector<unsigned> programs, const Starts& wanted) {
  if (begun_ >= size_) {
    begun_ = 0;
    size_ = std::max({generation_, wanted.asked, wanted.right});
  }
  ++begun_;
  lines_.emplace(line, Line{start, std::move(programs)});
}

void Turns::owe(unsigned line) {
  ++lines_.at(line).owed;
}

void Turns::settle(unsigned line) {
  --lines_.at(line).owed;
}

// One that nobody answered leaves its place in the generation, which cannot be over: it owed until now.
void Turns::end(unsigned line, bool answered) {
  if (!answered && begun_ > 0) --begun_;
  lines_.erase(line);
}

}  // namespace hone::search
