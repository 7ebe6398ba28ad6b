#include "tool/manual/command_text.h"

#include <algorithm>

namespace hone::manual {

ValueKind kind_of(const std::string& value) {
  const auto has = [&](const char* word) { return value.find(word) != std::string::npos; };
  if (has("KERNEL") || value == "K") return ValueKind::kernel;
  if (has("DIR")) return ValueKind::folder;
  if (has("FILE")) return ValueKind::file;
  if (value == "CODE") return ValueKind::code;
  if (value == "PROGRAM" || value == "COMPILER") return ValueKind::program;
  return ValueKind::text;
}

std::string in_synopsis(const OptionText& argument) {
  const std::string word = argument.value + (argument.repeated ? "..." : "");
  const std::string whole = argument.kind == ValueKind::program ? "-- " + word : word;
  return argument.required ? whole : "[" + whole + "]";
}

std::string on_one_line(const std::string& text) {
  std::string line = text;
  std::ranges::replace(line, '\n', ' ');
  return line;
}

std::string in_short(const std::string& text) {
  const std::string line = on_one_line(text);
  std::size_t end = line.size();
  for (const char* mark : {"; ", ". ", ": ", " (default"}) end = std::min(end, line.find(mark));
  return line.substr(0, end);
}

}  // namespace hone::manual
