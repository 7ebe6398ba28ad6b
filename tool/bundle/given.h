// Data that somebody names in place of drawn ones: the bytes of each argument.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace hone::bundle {

struct Given {
  std::string origin;                // "a counterexample of the bounded proof"
  std::vector<std::string> scalars;  // per parameter, sixteen bytes or more; "" for arrays
  std::vector<std::string> arrays;  // per parameter, the whole array; "" for scalars, and for outputs that hold nothing
  // Of a run of the user's program: problems that have such data are timed on it.
  bool captured = false;
};

nlohmann::json write_given(const Given& given);
Given read_given(const nlohmann::json& json);  // throws as read_spec() does

// Many and large ones: their arrays travel beside the JSON, one behind the other.
nlohmann::json write_given(const Given& given, std::string& arrays);
Given read_given(const nlohmann::json& json, std::string_view& arrays);  // takes its own from the front

}  // namespace hone::bundle
