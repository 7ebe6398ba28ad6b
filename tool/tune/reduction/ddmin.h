// Delta debugging: the parts of something that cannot be left out (Zeller and Hildebrandt's ddmin, over complements).
//
// Pure but for what it is given.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace hone::tune {

enum class Attempt { holds, fails, stop };

struct Minimal {
  std::vector<std::size_t> parts;
  bool complete = true;  // else it was stopped
};

// `holds` is asked about subsets of what held last, larger chunks first and later parts before earlier ones; about no
// subset twice in a row. The whole is taken to hold. The empty subset is asked about, too.
Minimal ddmin(std::size_t count, const std::function<Attempt(const std::vector<std::size_t>& parts)>& holds);

}  // namespace hone::tune
