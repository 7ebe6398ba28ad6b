#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tool/manual/completion.h"

namespace hone::manual {
namespace {

constexpr const char* kAskedByZsh = R"sh(
_hone_kernels() {
  local -a folder names
  local at=${words[(I)-p]}
  ((at)) && folder=(-p ${words[at + 1]})
  names=(${(f)"$(timeout 2 hone list --json $folder 2>/dev/null | sed -n 's/^ *"name": "\(.*\)",*$/\1/p')"})
  compadd -a names
}

_hone_codes() {
  local -a names
  names=(${(f)"$(timeout 2 hone explain 2>/dev/null | sed -n 's/^  \([a-z][a-z-]*\)  .*/\1/p')"})
  compadd -a names
}
)sh";

// Within '…'; brackets and colons mean something to _arguments.
std::string quoted(const std::string& text, bool in_brackets) {
  std::string out;
  for (const char letter : on_one_line(text)) {
    if (letter == '\'') out += "'\\'";
    if (in_brackets && (letter == '[' || letter == ']' || letter == ':' || letter == '\\')) out += '\\';
    out += letter;
  }
  return out;
}

std::string action(const OptionText& option) {
  if (const auto choices = choices_of(option); !choices.empty()) return fmt::format("({})", fmt::join(choices, " "));
  switch (option.kind) {
    case ValueKind::file:
      return "_files";
    case ValueKind::folder:
      return "_files -/";
    case ValueKind::kernel:
      return "_hone_kernels";
    case ValueKind::code:
      return "_hone_codes";
    case ValueKind::program:
      return "_command_names -e";
    case ValueKind::text:
      break;
  }
  return " ";
}

std::string specification(const OptionText& option, const std::string& name) {
  const std::string value = option.is_flag() ? "" : fmt::format(":{}:{}", quoted(option.value, true), action(option));
  return fmt::format(" \\\n    '*{}[{}]{}'", name, quoted(in_short(option.text), true), value);
}

std::string arguments_of(const CommandText& command) {
  std::string out = "  _arguments -S";
  for (const OptionText& option : command.options)
    for (const std::string& name : option.names) out += specification(option, name);
  for (const OptionText& argument : command.arguments)
    out += fmt::format(" \\\n    '*:{}:{}'", quoted(argument.value, true), action(argument));
  return out + "\n";
}

std::string menu(const std::vector<CommandText>& commands) {
  std::string out = "  local -a commands\n  commands=(\n";
  for (const CommandText& one : commands)
    out +=
        fmt::format("    '{}:{}'\n", one.name, quoted(one.summary.empty() ? in_short(one.text) : one.summary, false));
  return out + "  )\n";
}

std::string function_of(const std::string& name, const CommandText& command) {
  std::string out, inner;
  for (const CommandText& one : command.commands) {
    CommandText whole = one;
    whole.options.insert(whole.options.end(), command.options.begin(), command.options.end());
    out += function_of(name + "_" + one.name, whole);
  }
  out += "\n" + name + "() {\n";
  if (command.commands.empty()) return out + arguments_of(command) + "}\n";
  out += menu(command.commands);
  return out + "  if ((CURRENT == 2)); then\n    _describe command commands\n    return\n  fi\n" +
         "  local command=${words[2]}\n  shift words\n  ((CURRENT--))\n  (( $+functions[" + name + "_$command] )) && " +
         name + "_$command\n}\n";
}

}  // namespace

std::string zsh_completion(const ProgramText& program) {
  CommandText root;
  root.commands = program.commands;
  return fmt::format(
             "#compdef {0}\n# Completions of {0} {1} for zsh. Made of the program's own description of its commands.\n",
             program.name, program.version) +
         kAskedByZsh + function_of("_" + program.name, root) + "\n_" + program.name + " \"$@\"\n";
}

}  // namespace hone::manual
