#include "tests/frontend/first_error.h"

#include <algorithm>
#include <filesystem>
#include <tuple>
#include <vector>

#include "tool/frontend/parse/parse.h"
#include "tool/os/files/files.h"

namespace hone::frontend {
namespace {

std::string where(const Message& message) {
  return message.file + ":" + std::to_string(message.line) + ":" + std::to_string(message.column);
}

}  // namespace

std::string first_error(const CompileCommand& command, const std::string& main_text, const Options& options) {
  Parser::Settings settings;
  settings.reuse_prologue = false;
  auto parser = Parser::create(command, options, settings);
  if (!parser) return parser.error().message();
  auto parsed = parser->parse(main_text);
  if (!parsed) return parsed.error().message();
  std::vector<Message> errors = (*parsed)->errors();
  if (errors.empty()) return "";
  // What Clang has against the file as it stands is no fault of what was put into it.
  const auto text = os::read_file(std::filesystem::path(command.directory) / parser->main_file());
  const auto original = parser->parse(text.value_or(""));
  if (original)
    std::erase_if(errors, [&](const Message& error) {
      return std::ranges::any_of((*original)->errors(), [&](const Message& known) {
        return std::tie(known.file, known.line, known.text) == std::tie(error.file, error.line, error.text);
      });
    });
  return errors.empty() ? "" : where(errors.front()) + ": " + errors.front().text;
}

}  // namespace hone::frontend
