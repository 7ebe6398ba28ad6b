// Messages from a runner to the judge: one byte of what was expected, the number of the request, then the message.
#include <algorithm>
#include <cstring>

#include "tests/fuzz/fuzz.h"
#include "tool/base/printable.h"
#include "tool/judge/process/reply_check.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace hone;
  using judge::ReplyCheck;
  constexpr std::size_t lengths[] = {runner::short_reply, runner::call_reply, sizeof(runner::Reply)};
  if (size < 9) return 0;
  const std::size_t expected = lengths[data[0] % 3];
  std::uint64_t request;
  std::memcpy(&request, data + 1, sizeof request);
  const std::size_t bytes = size - 9;
  runner::Reply reply{};
  std::memcpy(&reply, data + 9, std::min(bytes, sizeof reply));
  const ReplyCheck heard = judge::check_reply(reply, bytes, request, expected);
  const bool exact = bytes == expected && reply.id == request && reply.version == runner::protocol_version &&
                     reply.answer == runner::Answer::ok;
  fuzz::require((heard == ReplyCheck::answer) == exact, "an answer is the answer, whole, to that request");
  const std::string_view text(reply.text, strnlen(reply.text, runner::text_bytes));
  fuzz::require_printable(printable_line(text), "no text of a runner is obeyed");
  return 0;
}
