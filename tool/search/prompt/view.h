// A brief as the names that templates use: the boundary to the template library.
//
// Names of list items are never used at the top, since a name that an item lacks is looked up outside of it. What is
// empty or unknown is left out, so that `{{#name}}` asks whether there is something to say.
#pragma once

#include <string>
#include <string_view>

#include <kainjow/mustache.hpp>

#include "tool/search/brief.h"

namespace hone::search {

kainjow::mustache::data view(const Brief& brief);

// `text` between fences that are longer than any inside.
std::string fenced(std::string_view text, std::string_view language);

}  // namespace hone::search
