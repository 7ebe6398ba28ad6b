// What a worker answers to a bundle, as it travels back over an executor that may be any command on any machine.
//
// An answer is a claim. It is read only if it names the bundle that was sent; its figures are dropped and computed
// again here, from its raw samples, by the rule that the bundle asked for; "faster" stands only if these samples say so
// too. What a lying executor can still do is invent samples that agree with each other: whoever runs one trusts its
// machine so far, and `hone verify` measures here. Pure.
#pragma once

#include <string>
#include <string_view>

#include "tool/base/result.h"
#include "tool/bundle/bundle.h"

namespace hone::bundle {

// Which bundle an answer is to: a fingerprint of all its bytes, the seed (64 random bits) among them. Not a digest to
// trust: who answers knows the bundle anyway.
std::string fingerprint(std::string_view bundle_bytes);

std::string serialize_answer(const Answer& answer, std::string_view bundle_bytes);

// `elapsed`: how long the executor took by our own clock, in seconds. Error: no answer to this bundle, or one that
// contradicts itself.
Result<Answer> read_answer(std::string_view bytes, const Bundle& bundle, std::string_view bundle_bytes, double elapsed);

}  // namespace hone::bundle
