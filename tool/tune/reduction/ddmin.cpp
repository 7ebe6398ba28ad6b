#include "tool/tune/reduction/ddmin.h"

#include <algorithm>
#include <numeric>

namespace hone::tune {
namespace {

std::vector<std::size_t> without(const std::vector<std::size_t>& parts, std::size_t begin, std::size_t end) {
  std::vector<std::size_t> rest(parts.begin(), parts.begin() + static_cast<std::ptrdiff_t>(begin));
  rest.insert(rest.end(), parts.begin() + static_cast<std::ptrdiff_t>(end), parts.end());
  return rest;
}

}  // namespace

Minimal ddmin(std::size_t count, const std::function<Attempt(const std::vector<std::size_t>& parts)>& holds) {
  Minimal minimal{.parts = std::vector<std::size_t>(count)};
  std::vector<std::size_t>& parts = minimal.parts;
  std::iota(parts.begin(), parts.end(), std::size_t{0});
  std::size_t chunk = std::max<std::size_t>(count / 2, 1);
  while (!parts.empty()) {
    bool shrunk = false;
    for (std::size_t end = parts.size(); end > 0;) {
      const std::size_t begin = end > chunk ? end - chunk : 0;
      std::vector<std::size_t> rest = without(parts, begin, end);
      const Attempt attempt = holds(rest);
      if (attempt == Attempt::stop) {
        minimal.complete = false;
        return minimal;
      }
      if (attempt == Attempt::holds) {
        parts = std::move(rest);
        shrunk = true;
      }
      end = begin;
    }
    if (chunk > 1)
      chunk = std::max<std::size_t>(std::min(chunk, parts.size()) / 2, 1);
    else if (!shrunk)
      return minimal;
  }
  return minimal;
}

}  // namespace hone::tune
