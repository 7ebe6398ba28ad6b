// What a command meets around it: files, the environment, exit codes. The CLI's own description has no place for them,
// so they stand here, once. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hone::manual {

struct SurroundingText {
  std::string name;
  std::string text;
  std::vector<std::string> commands{};  // that it concerns; none: all
};

const std::vector<SurroundingText>& files_text();
const std::vector<SurroundingText>& environment_text();

// `command` "": the page of the program, which has all.
bool concerns(const SurroundingText& one, const std::string& command);

inline constexpr std::string_view kExitCodes =
    "0 done, 1 the answer is no, 2 usage, 3 the environment failed, 130 interrupted";

extern const char* const kAbout;  // what the program is: a paragraph or two

}  // namespace hone::manual
