// Test vocabulary: keys under which anybody can sign, and how.
#pragma once

#include <string>
#include <vector>

namespace hone::trust {

// All spellings of the points whose order divides eight: second coordinate and sign, beyond the field too.
inline std::vector<std::string> small_order_keys() {
  const std::string zeros(60, '0'), effs(60, 'f');
  std::vector<std::string> keys;
  for (const std::string sign : {"0", "8"}) {
    const std::string seven = sign == "0" ? "7f" : "ff";
    for (const std::string first : {"00", "01"}) keys.push_back(first + zeros + sign + "0");
    for (const std::string first : {"ec", "ed", "ee"}) keys.push_back(first + effs + seven);
    keys.push_back("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc" +
                   std::string(sign == "0" ? "05" : "85"));
    keys.push_back("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03" +
                   std::string(sign == "0" ? "7a" : "fa"));
  }
  return keys;
}

// The base point, and one: under a key of small order it signs one message in eight, or more.
inline std::string nobodys_signature() {
  std::string hex = "58";
  for (int i = 0; i < 31; ++i) hex += "66";
  return hex + "01" + std::string(62, '0');
}

}  // namespace hone::trust
