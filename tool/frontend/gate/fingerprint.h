// When are two candidates the same text?
#pragma once

#include <string>

namespace hone::frontend {

// Fingerprint of a candidate: canonical tokens, so that layout, comments and nothing else are ignored.
std::string fingerprint(const std::string& source);

}  // namespace hone::frontend
