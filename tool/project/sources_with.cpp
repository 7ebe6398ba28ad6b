#include "tool/project/sources_with.h"

#include <cctype>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "tool/os/files/files.h"
#include "tool/project/project.h"

namespace hone::project {
namespace {

bool is_of_word(char letter) {
  return letter == '_' || letter == '$' || std::isalnum(static_cast<unsigned char>(letter)) != 0;
}

bool has_word(std::string_view text, std::string_view word) {
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !is_of_word(text[at - 1])) && (end == text.size() || !is_of_word(text[end]))) return true;
  }
  return false;
}

}  // namespace

std::function<std::vector<CompileCommand>(const std::string& word)> sources_with(std::filesystem::path build) {
  const auto all = std::make_shared<std::optional<std::vector<CompileCommand>>>();
  return [build = std::move(build), all](const std::string& word) {
    if (!*all) *all = read_commands(build).value_or(std::vector<CompileCommand>());
    return with_word(**all, word);
  };
}

std::vector<CompileCommand> with_word(const std::vector<CompileCommand>& commands, const std::string& word) {
  if (word.empty()) return commands;
  std::vector<CompileCommand> found;
  for (const CompileCommand& command : commands)
    if (const auto text = os::read_file(command.file); text && has_word(*text, word)) found.push_back(command);
  return found;
}

}  // namespace hone::project
