// The recording of a model's search, which is resumed and replayed: what was read is written as it was, a torn end
// takes no more than its own line with it, and playing it gives an answer or an error.
#include "tool/tune/model/recording.h"

#include "tests/fuzz/fuzz.h"
#include "tool/tune/model/replay.h"

namespace {

using namespace hone::tune;
using hone::fuzz::require;

std::string text_of(const Recording& recording) {
  std::string text = line_of(recording.header) + '\n';
  for (const Event& event : recording.events) text += line_of(event) + '\n';
  return text;
}

void play_it(const Recording& recording) {
  const auto search = search_of(recording.header);
  if (!search) return require(!search.error().message().empty(), "a refusal says why");
  Dialogue dialogue(**search, recording.header.facts, {});
  const auto played = play(recording, dialogue);
  if (!played) return require(!played.error().message().empty(), "a refusal says why");
  require(played->asked.size() <= recording.events.size(), "nothing is asked that was not recorded");
  require((*search)->trials().size() == 1 + recording.header.seeds.size() + played->trials.size(),
          "each recorded trial is a trial");
  require(played->open.size() == dialogue.open(), "what was not told is open");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = hone::fuzz::text_of(data, size);
  const auto recording = Recording::parse(text, "a.calls.jsonl");
  if (!recording) {
    require(recording.error().where.starts_with("a.calls.jsonl"), "an error names the file");
    return 0;
  }
  const std::string once = text_of(*recording);
  const auto again = Recording::parse(once, "a.calls.jsonl");
  require(again.has_value(), "a recording that was read is read again");
  require(text_of(*again) == once, "a recording comes back as it was");
  const std::size_t last = once.rfind('\n', once.size() - 2);
  if (const auto torn = Recording::parse(once.substr(0, once.size() - 1), "a.calls.jsonl"); last != std::string::npos)
    require(torn && torn->events.size() + 1 == recording->events.size(), "a torn line takes no other with it");
  play_it(*recording);
  return 0;
}
