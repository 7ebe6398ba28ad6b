// What a language model answers when it is asked for advice: a byte that says who was asked, then the reply, made valid
// UTF-8 as every client does. Advice
// that was taken can be written down as JSON and is then taken again, to the same words.
#include <algorithm>

#include "tests/fuzz/fuzz.h"
#include "tool/llm/settings/clean_text.h"
#include "tool/search/prompt/compose.h"
#include "tool/search/prompt/reply.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace hone::search;
  using hone::fuzz::require;
  if (size == 0) return 0;
  const auto kind = static_cast<AdviceKind>(data[0] % 7);
  const auto advice = parse_advice(hone::llm::valid_utf8(hone::fuzz::text_of(data + 1, size - 1)), kind);
  if (!advice) {
    require(!advice.error().why.empty(), "a refusal says why");
    return 0;
  }
  require(!advice->items.empty() && advice->items.size() <= 32, "advice has items, and not without end");
  bool several = kind == AdviceKind::proposal || kind == AdviceKind::techniques;
  require(several || advice->items.size() == 1, "one was asked for");
  for (const AdviceItem& item : advice->items) {
    const auto& members = advice_members(kind);
    require(std::equal(item.members.begin(), item.members.end(), members.begin(), members.end(),
                       [](const auto& given, const std::string& name) { return given.first == name; }),
            "an item has the members that were asked for");
    require(!item.get(kind == AdviceKind::proposal ? "idea" : members.front()).empty(), "an item says something");
    for (const auto& [name, value] : item.members) require(value.size() <= 1000, "a value is short");
  }
  require(!advice->text().empty() && !advice->told().empty(), "advice can be told");
  advice_text(advice->told());
  const auto again = parse_advice(advice->json(), kind);
  require(again.has_value(), "advice that was taken is taken again");
  require(again->json() == advice->json(), "advice comes back as it was");
  return 0;
}
