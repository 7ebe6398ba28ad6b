// A callee's body as it stands in the kernel in place of one call.
#pragma once

#include <optional>
#include <string>

#include "tool/transforms/calls/body_names.h"
#include "tool/transforms/calls/call_place.h"
#include "tool/transforms/calls/stable_value.h"

namespace hone::frontend {

struct InlinedCall {
  std::string before;  // statements in front of the one with the call
  std::string value;   // what stands for the call; "" where it has no value
};

// `alone`: no other call of the statement is put in at the same time. nullopt: it cannot be done right.
std::optional<InlinedCall> inlined(const KernelContext& context, const CallPlace& place, const Callee& callee,
                                   const StableValues& stable, FreshNames& fresh, bool alone);

}  // namespace hone::frontend
