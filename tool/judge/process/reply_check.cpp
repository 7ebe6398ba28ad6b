#include "tool/judge/process/reply_check.h"

namespace hone::judge {

ReplyCheck check_reply(const runner::Reply& reply, std::size_t bytes, std::uint64_t request, std::size_t expected) {
  if (bytes < runner::short_reply || reply.version != runner::protocol_version) return ReplyCheck::no_reply;
  const bool is_short = bytes == runner::short_reply;
  if (is_short && reply.answer == runner::Answer::fault) return ReplyCheck::fault;  // to whatever was asked
  if (is_short && reply.answer == runner::Answer::device) return ReplyCheck::device_fault;
  if (reply.id != request) return ReplyCheck::another_request;
  if (is_short && reply.answer == runner::Answer::failed) return ReplyCheck::refusal;
  return reply.answer == runner::Answer::ok && bytes == expected ? ReplyCheck::answer : ReplyCheck::another_kind;
}

}  // namespace hone::judge
