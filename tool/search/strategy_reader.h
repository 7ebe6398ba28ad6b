// An operator's entry in a strategy file. strategy.h has the grammar.
#pragma once

#include <string_view>

#include "tool/search/json_members.h"
#include "tool/search/strategy.h"

namespace hone::search {

// A genome operator: name and weight.
Result<OperatorChoice> read_genome_operator(const nlohmann::json& entry, std::string_view text, std::size_t at);

// What an entry is there for decides which operators and members it may have.
enum class Entry { evolve, start, repair, advice, afterwards };
Result<OperatorChoice> read_model_operator(const nlohmann::json& entry, std::string_view text, std::size_t at,
                                           Entry role);

// The members of a model's operator, read into `choice`; the caller finishes. For those that have more members.
void read_model_members(JsonMembers& members, std::string_view text, Entry role, OperatorChoice& choice);

}  // namespace hone::search
