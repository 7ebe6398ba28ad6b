// What searches learned, in the user's store: read by every search after.
#include "tool/search/memory/memory.h"

#include <cmath>

#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace hone::search;
  using hone::fuzz::require;
  const auto memory = Memory::parse(hone::fuzz::text_of(data, size));
  if (!memory) {
    require(!memory.error().message().empty(), "a refusal says why");
    return 0;
  }
  const std::string once = memory->serialize();
  const auto again = Memory::parse(once);
  require(again.has_value() && again->serialize() == once, "a memory comes back as it was");
  const KernelState state{"memory", {{"locality", 1}}};
  Random random(size);
  for (const Experience& known : memory->entries())
    require(std::isfinite(memory->relevance(known, state)) && memory->relevance(known, state) >= 0,
            "how much an experience says is a number");
  require(memory->relevant(state, 3).size() <= 3, "no more is recalled than was asked for");
  const auto drawn = memory->sample(state, random);
  require(drawn.has_value() || memory->relevant(state, 1).empty(), "what is relevant can be drawn");
  Memory learned = *memory;
  if (drawn) learned.record(drawn->state, drawn->technique, drawn->predicted, 1.5);
  require(Memory::parse(learned.serialize()).has_value(), "what was learned can be read");
  return 0;
}
