// The operators that are asked of a language model: the other half of the table is in operators.h, for genomes.
//
// Each says how many parents it takes and whether it answers with code or with text. How it is worded is a template in
// tool/search/prompt, one per name.
#pragma once

#include <span>
#include <string_view>

#include "tool/search/request.h"

namespace hone::search {

struct ModelOperator {
  std::string_view name;
  RequestKind kind;
  unsigned parents;  // the default; a strategy may ask for another number from `least` to `most`
  unsigned least, most;
  bool advised;              // needs `advice` from another operator first
  std::string_view meaning;  // a sentence for people
};

std::span<const ModelOperator> model_operators();
const ModelOperator* find_model_operator(std::string_view name);  // null: none

}  // namespace hone::search
