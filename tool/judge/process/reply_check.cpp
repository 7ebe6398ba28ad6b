#include "tool/judge/process/reply_check.h"

namespace hone::evaluate {

Heard judge_reply(const worker::Reply& reply, std::size_t bytes, std::uint64_t request, std::size_t expected) {
  if (bytes < worker::short_reply || reply.version != worker::protocol_version) return Heard::no_reply;
  const bool is_short = bytes == worker::short_reply;
  if (is_short && reply.answer == worker::Answer::fault) return Heard::fault;  // to whatever was asked
  if (is_short && reply.answer == worker::Answer::device) return Heard::device_fault;
  if (reply.id != request) return Heard::another_request;
  if (is_short && reply.answer == worker::Answer::failed) return Heard::refusal;
  return reply.answer == worker::Answer::ok && bytes == expected ? Heard::answer : Heard::another_kind;
}

}  // namespace hone::evaluate
