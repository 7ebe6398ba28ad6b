// A static function that only the original called is unused where a variant stands in its place, which is no mistake of
// the user's. Pure.
#pragma once

#include <string>
#include <vector>

#include "tool/frontend/place/rewriter.h"

namespace hone::apply {

// May a variant in this text, which is still the original's, call less than what it replaces? By names in front of "(".
// An instance of a template has no text of its own: it may.
bool drops_calls(const std::string& text, const std::vector<frontend::Replacement>& variants);

}  // namespace hone::apply
