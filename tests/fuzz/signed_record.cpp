// A record of a shared store, which anybody may write: nothing that is made up is signed.
#include "tool/trust/signed_record.h"

#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using hone::fuzz::require;
  static const auto key = hone::trust::SigningKey::generate();
  const std::string text(hone::fuzz::text_of(data, size));
  const auto read = hone::trust::read_signed(text);
  if (!read) return 0;
  require(read->by.has_value() || read->record == text, "what is unsigned is taken whole");
  const auto made = hone::trust::sign_record(text, *key);
  if (!made) return 0;
  const auto again = hone::trust::read_signed(*made);
  require(again && again->by == key->public_key() && again->holds, "a signature holds");
  require(again->record == text && again->key == read->key, "and is of just that record");
  return 0;
}
