// Which attributes a candidate may write: those that speak of its own code and data alone, and those that the original
// has. (Where such a one may stand is look_at_meaning()'s question.)
//
// Looked at in the text, since a compiler drops the attributes that it does not know and each knows others. Pure.
#pragma once

#include <clang/Basic/LangOptions.h>

#include <optional>

#include "tool/frontend/gate/candidate_text.h"

namespace hone::frontend {

// `original`: the text of its definition.
std::optional<Objection> object_to_attributes(const SplitSource& candidate, const clang::LangOptions& language,
                                              const std::string& original);

}  // namespace hone::frontend
