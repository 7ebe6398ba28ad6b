#include "tool/linked/linked_kernel.h"

#include <algorithm>

namespace hone::linked {
namespace {

struct Word {
  Reason reason;
  const char* word;
  const char* meaning;
};

constexpr Word kWords[] = {
    {Reason::none, "", "the locked variant"},
    {Reason::untuned, "untuned", "it was not tuned"},
    {Reason::stale, "stale", "it was tuned in another state"},
    {Reason::elsewhere, "elsewhere", "it was tuned for another compiler or other options"},
    {Reason::distrusted, "distrusted", "its lock entry did not hold"},
    {Reason::kept, "kept", "a search found nothing faster"},
    {Reason::slower, "slower", "the variant is slower on a machine that this build is for"},
    {Reason::missing, "missing", "the locked variant was not there"},
    {Reason::unfit, "unfit", "the locked variant did not fit the file"},
    {Reason::refused, "refused", "the locked variant was refused"},
    {Reason::uncompilable, "uncompilable", "the locked variant did not compile"},
    {Reason::unreadable, "unreadable", "the lock file could not be read"},
    {Reason::captured, "captured", "it records its calls (mode capture)"},
};

}  // namespace

const char* to_string(Reason reason) {
  return std::ranges::find(kWords, reason, &Word::reason)->word;
}

std::string in_words(std::string_view reason) {
  const auto* known = std::ranges::find(kWords, reason, &Word::word);
  return known == std::end(kWords) ? std::string(reason) : known->meaning;
}

}  // namespace hone::linked
