// Which attributes a candidate may write: those that speak of its own code and data alone.
//
// Looked at in the text, since a compiler drops the attributes that it does not know and each knows others. Pure.
#pragma once

#include <clang/Basic/LangOptions.h>

#include <optional>

#include "tool/frontend/gate/candidate_text.h"

namespace hone::frontend {

std::optional<Objection> object_to_attributes(const SplitSource& candidate, const clang::LangOptions& language);

}  // namespace hone::frontend
