// Whether a candidate's macros are its own where it was parsed: none had a meaning before it, none has one behind it.
//
// The candidate's lines are those that #line puts into kCandidateFile. What a reused prologue defined is not seen.
#pragma once

#include <set>
#include <string>

#include "tool/frontend/parse/parse.h"

namespace hone::frontend {

// `macros`: those that its text defines anywhere, also where the preprocessor passed over it. "" or the reason.
std::string object_to_macros(const Parsed& parsed, const std::set<std::string>& macros);

}  // namespace hone::frontend
