// Is what came over a runner's channel the answer to the judge's last request? Pure.
//
// A forger who has read the request out of the process's memory can pass: an answer means that the outputs may be
// looked at now, never that they are right or that the work is done.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tool/runner/protocol.h"

namespace hone::judge {

enum class ReplyCheck { answer, fault, device_fault, refusal, no_reply, another_request, another_kind };

// `bytes`: the length of the message, which may be more or less than a Reply's; what lies behind it is not looked at.
// `expected`: the length of an answer to that request.
ReplyCheck check_reply(const runner::Reply& reply, std::size_t bytes, std::uint64_t request, std::size_t expected);

}  // namespace hone::judge
