#include "tool/judge/data/gaps.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "tool/judge/data/elements.h"

namespace hone::judge {
namespace {

bool has_gaps(const Array& array) {
  return std::ranges::any_of(array.spans, [](const Span& span) { return span.size() != span.length; });
}

// Each element's bytes as they were before the call, where they were rubbish.
std::vector<std::byte> rubbish(const std::optional<Poison>& poison, std::size_t bytes) {
  std::vector<std::byte> filled(poison ? bytes : 0);
  if (poison) poison->fill(filled.data(), bytes);
  return filled;
}

}  // namespace

std::optional<std::size_t> wrong_in_gaps(const Comparison& comparison, const std::byte* expected,
                                         const std::byte* got) {
  const Array& array = comparison.array;
  if (!has_gaps(array)) return std::nullopt;
  const std::size_t size = comparison.element.size;
  const std::vector<std::byte> before = rubbish(comparison.unwritten, array.bytes);
  const std::vector<std::byte> got_before = rubbish(comparison.got_unwritten, array.bytes);
  std::optional<std::size_t> wrong;
  const auto look = [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end && !wrong; ++i) {
      const std::size_t at = i * size;
      const bool kept = !before.empty() && std::memcmp(expected + at, before.data() + at, size) == 0;
      const std::byte* wanted = kept && !got_before.empty() ? got_before.data() + at : expected + at;
      if (std::memcmp(got + at, wanted, size) != 0) wrong = i;
    }
  };
  std::size_t done = 0;
  each_stretch(array, [&](std::size_t first, std::size_t count) {
    look(done, first);
    done = first + count;
  });
  look(done, array.elements);
  return wrong;
}

}  // namespace hone::judge
