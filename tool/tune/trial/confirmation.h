// Which of a search's best is the winner: the first that holds when it is measured afresh.
//
// One that turns out slower on some problems and faster on others comes next with a choice by size in front of it,
// unless the next best promises as much without one. Pure but for what it is given.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "tool/base/result.h"
#include "tool/tune/trial/search_outcome.h"

namespace hone::tune {

// Why a text does not fit into its file; `why` is "" where it does.
struct Misfit {
  std::string why;
  bool known_to_key = false;  // it depends on nothing but what the request key holds
};

struct Winner {
  std::optional<std::size_t> index;  // in SearchOutcome::accepted; nullopt: none held
  std::optional<Verdict> fresh;      // measured afresh; nullopt: the first look had to do
  std::string message;               // why it had to
  std::string misfit;  // without a winner: why the fastest that did not fit into its file, of which the key knows
                       // nothing, did not
};

// The first from `from` on that is a gain beyond doubt, though it is the best of so many trials, by the samples of its
// trial alone; the number of all: none is.
std::size_t first_certain(const std::vector<Accepted>& accepted, std::size_t from, unsigned trials);

struct ConfirmationSteps {
  std::function<Result<Misfit>(const std::string& source)> misfit;
  // Errors of both are the environment's.
  std::function<Result<Verdict>(const Candidate& candidate)> measured;
  // A choice by size in front of what was measured afresh, not measured itself. nullopt: it cannot be written.
  std::function<std::optional<Accepted>(const Accepted& mixed)> with_choice;
  std::function<bool()> stopped;
  std::function<void(const std::string& line)> note;
};

// Sets `found.error` where the environment fails, and puts what got a choice behind what it stands in front of.
Winner confirm(SearchOutcome& found, const ConfirmationSteps& steps);

}  // namespace hone::tune
