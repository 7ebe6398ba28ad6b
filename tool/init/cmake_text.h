// Commands in the text of a CMakeLists.txt, and where to put one more. Pure.
//
// Reads what CMake's manual calls command invocations: comments, quoted and bracket arguments too. It runs nothing, so
// a name that a variable holds stays "${name}".
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hone::init {

struct CMakeCall {
  std::string name;  // in lower case, as CMake compares it
  std::vector<std::string> arguments;
  std::size_t begin = 0, end = 0;  // from the name to behind the closing parenthesis
};

// nullopt: the text is no whole CMake file, such as one with a parenthesis that nothing closes.
std::optional<std::vector<CMakeCall>> calls_in(std::string_view text);

// The text with `line` behind the call, indented as that is.
std::string with_line_behind(std::string_view text, const CMakeCall& call, const std::string& line);

// Behind what find_package(Hone REQUIRED) goes: the last find_package() of those in front of any target, else
// project(). nullptr: there is neither.
const CMakeCall* place_for_package(const std::vector<CMakeCall>& calls);

// The add_executable() or add_library() that makes the target. nullptr: it is not there.
const CMakeCall* maker_of(const std::vector<CMakeCall>& calls, const std::string& target);

// Is there a call of `name` whose first argument is `first`?
bool has_call(const std::vector<CMakeCall>& calls, std::string_view name, std::string_view first);

}  // namespace hone::init
