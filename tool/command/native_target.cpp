#include "tool/command/native_target.h"

#include <string_view>

namespace hone {

bool is_for_this_machine(const std::vector<std::string>& words) {
  bool native = false;
  for (const std::string& word : words)
    for (const std::string_view option : {"-march=", "-mcpu="}) {
      if (!word.starts_with(option) && !word.starts_with("-Xcompiler")) continue;
      // -Xcompiler=-O3,-march=native
      const std::size_t at = word.rfind(option);
      if (at == word.npos) continue;
      const std::size_t value = at + option.size();
      native = std::string_view(word).substr(value, word.find(',', value) - value) == "native";
    }
  return native;
}

}  // namespace hone
