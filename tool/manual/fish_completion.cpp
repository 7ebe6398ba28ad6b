#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tool/manual/completion.h"

namespace hone::manual {
namespace {

constexpr const char* kAskedByFish = R"sh(
function __hone_kernels
    set -l folder
    set -l words (commandline -opc)
    if set -l at (contains -i -- -p $words); and set -q words[(math $at + 1)]
        set folder -p $words[(math $at + 1)]
    end
    timeout 2 hone list --json $folder 2>/dev/null | string replace -rf '^ *"name": "(.*)",*$' '$1'
end

function __hone_codes
    timeout 2 hone explain 2>/dev/null | string replace -rf '^  ([a-z][a-z-]*)  (.*)' '$1\t$2'
end

complete -c hone -f
)sh";

std::string fish_word(const std::string& text) {
  std::string out = "'";
  for (const char letter : on_one_line(text)) {
    if (letter == '\'' || letter == '\\') out += '\\';
    out += letter;
  }
  return out + "'";
}

std::string offered(const OptionText& option) {
  if (const auto choices = choices_of(option); !choices.empty())
    return fmt::format(" -a '{}'", fmt::join(choices, " "));
  switch (option.kind) {
    case ValueKind::file:
      return " -F";
    case ValueKind::folder:
      return " -a '(__fish_complete_directories)'";
    case ValueKind::kernel:
      return " -a '(__hone_kernels)'";
    case ValueKind::code:
      return " -a '(__hone_codes)'";
    case ValueKind::program:
      return " -a '(__fish_complete_command)'";
    case ValueKind::text:
      break;
  }
  return "";
}

std::string option_line(const std::string& when, const OptionText& option) {
  std::string line = "complete -c hone -n " + fish_word(when);
  for (const std::string& name : option.names)
    line += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  if (!option.is_flag()) line += (option.kind == ValueKind::file ? " -r" : " -x") + offered(option);
  return line + " -d " + fish_word(in_short(option.text)) + "\n";
}

std::string lines_of(const std::string& when, const CommandText& command) {
  std::string out;
  for (const OptionText& option : command.options) out += option_line(when, option);
  for (const OptionText& argument : command.arguments)
    if (const std::string what = offered(argument); !what.empty())
      out += "complete -c hone -n " + fish_word(when) + what + "\n";
  if (command.commands.empty()) return out;
  std::vector<std::string> names;
  for (const CommandText& one : command.commands) names.push_back(one.name);
  const std::string none = fmt::format("{}; and not __fish_seen_subcommand_from {}", when, fmt::join(names, " "));
  for (const CommandText& one : command.commands) {
    out += "complete -c hone -n " + fish_word(none) + " -a " + one.name + " -d " + fish_word(in_short(one.text)) + "\n";
    out += lines_of(when + "; and __fish_seen_subcommand_from " + one.name, one);
  }
  return out;
}

}  // namespace

std::string fish_completion(const ProgramText& program) {
  std::string out =
      fmt::format("# Completions of {} {} for fish. Made of the program's own description of its commands.\n",
                  program.name, program.version);
  out += kAskedByFish;
  for (const CommandText& command : program.commands) {
    out += "complete -c hone -n __fish_use_subcommand -a " + command.name + " -d " + fish_word(command.summary) + "\n";
    out += lines_of("__fish_seen_subcommand_from " + command.name, command);
  }
  return out;
}

}  // namespace hone::manual
