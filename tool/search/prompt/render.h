// A brief worded by its operator's template: the messages that go to a model.
//
// Templates are mustache, one file per operator with partials for the ingredients (templates/, embedded when Hone is
// built); a user's own of the same name replaces one. Nothing is escaped: code goes in as it is. The same brief gives
// the same bytes on any machine. Pure.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tool/base/result.h"
#include "tool/search/brief.h"

namespace hone::search {

// Templates by name without suffix: "mutation"; partials start with an underscore: "_contract".
using Templates = std::map<std::string, std::string, std::less<>>;

const Templates& builtin_templates();
std::vector<std::string> prompt_names();  // operators that have a template, sorted

// `own` comes before the built-in ones. Error: no template of that name, or one that is not mustache.
Result<std::vector<PromptMessage>> render(const Brief& brief, const Templates& own = {});

// A strategy's brief for this kernel: it may ask, as templates do, what the task is ({{#gpu}}…{{/gpu}}). Text that is
// not mustache stays as it is.
std::string worded_for(const TaskFacts& facts, const std::string& text);

// The messages one after the other under their roles, for `hone show --prompt` and `command:` proposers.
std::string as_text(const std::vector<PromptMessage>& messages);

}  // namespace hone::search
