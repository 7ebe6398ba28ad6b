// What an executor answers, to a bundle with two problems.
#include "tool/bundle/answer.h"
#include "tests/fuzz/fuzz.h"

namespace {

const hone::bundle::Bundle& bundle() {
  static const hone::bundle::Bundle bundle = [] {
    hone::bundle::Bundle made;
    made.data.problems = {{{}, 1}, {{}, 3}};
    made.reference = made.candidate = "object";
    return made;
  }();
  return bundle;
}

// The fingerprint would hide all else from a fuzzer: it is put in for it.
std::string addressed(std::string_view text) {
  return "{\"bundle\":\"" + hone::bundle::fingerprint(hone::bundle::serialize(bundle())) +
         "\",\"verdict\":" + std::string(text) + "}";
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using hone::fuzz::require;
  const std::string_view text = hone::fuzz::text_of(data, size);
  static const std::string sent = hone::bundle::serialize(bundle());
  require(!hone::bundle::read_answer(text, bundle(), sent, 100) || text.find("bundle") != text.npos,
          "an answer names its bundle");
  const auto verdict = hone::bundle::read_answer(addressed(text), bundle(), sent, 100);
  if (!verdict) return 0;
  require(verdict->right || !verdict->faster, "nothing wrong is faster");
  require(!verdict->faster || verdict->measurement.speedup.low > 1, "nothing is faster without a faster interval");
  hone::fuzz::require_printable(verdict->reason + verdict->detail + verdict->sandbox, "no text of a worker is obeyed");
  require(hone::bundle::parse_verdict(hone::bundle::serialize(*verdict)).has_value(),
          "a verdict that was taken is taken again");
  return 0;
}
