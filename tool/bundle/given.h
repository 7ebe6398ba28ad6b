// Data that somebody names in place of drawn ones: the bytes of each argument.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace hone::bundle {

struct Given {
  std::string origin;                // "a counterexample of the bounded proof"
  std::vector<std::string> scalars;  // per parameter, sixteen bytes or more; "" for arrays
  std::vector<std::string> arrays;   // per parameter, the whole array; "" for scalars
};

nlohmann::json write_given(const Given& given);
Given read_given(const nlohmann::json& json);  // throws as read_spec() does

}  // namespace hone::bundle
