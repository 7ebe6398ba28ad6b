#include <algorithm>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tool/manual/completion.h"

namespace hone::manual {
namespace {

// The words are those of the line up to the cursor: readline cuts kernels' names at their colons.
constexpr const char* kFunctions = R"sh(
_hone_kernels() {
  local folder=() i
  for ((i = 1; i + 1 < ${#words[@]}; ++i)); do
    [[ ${words[i]} == -p ]] && folder=(-p "${words[i + 1]}")
  done
  timeout 2 "${words[0]}" list --json "${folder[@]}" 2>/dev/null | sed -n 's/^ *"name": "\(.*\)",*$/\1/p'
}

_hone_codes() {
  timeout 2 "${words[0]}" explain 2>/dev/null | sed -n 's/^  \([a-z][a-z-]*\)  .*/\1/p'
}

_hone_reply() {
  local IFS=$'\n'
  COMPREPLY=($(compgen "$@" -- "$current"))
}

_hone_value() {
  case $1 in
    file) _hone_reply -f; compopt -o filenames 2>/dev/null ;;
    folder) _hone_reply -d; compopt -o filenames 2>/dev/null ;;
    kernel) _hone_reply -W "$(_hone_kernels)" ;;
    code) _hone_reply -W "$(_hone_codes)" ;;
    program) _hone_reply -c ;;
    choice:*) _hone_reply -W "${1#choice:}" ;;
  esac
}

_hone() {
  local line=${COMP_LINE:0:COMP_POINT} words current previous path i
  read -ra words <<<"$line"
  [[ $line == *[[:space:]] ]] && words+=("")
  current=${words[${#words[@]} - 1]}
  previous=${words[${#words[@]} - 2]}
  COMPREPLY=()
  for ((i = 1; i + 1 < ${#words[@]}; ++i)); do
    if [[ ${words[i]} == -- ]]; then
      if ((i + 2 == ${#words[@]})); then _hone_value program; else _hone_value file; fi
      return
    fi
  done

  # The command, and a command of its own.
  path=hone
  if ((${#words[@]} > 2)); then
    path="hone ${words[1]}"
    for ((i = 2; i + 1 < ${#words[@]}; ++i)); do
      [[ " ${_hone_commands[$path]} " == *" ${words[i]} "* ]] && path+=" ${words[i]}" && break
    done
  fi
  local value=${_hone_values[$path:$previous]}
  if [[ -n $value ]]; then
    _hone_value "$value"
  elif [[ $current == -* ]]; then
    _hone_reply -W "${_hone_options[$path]// /$'\n'}"
  elif [[ -n ${_hone_commands[$path]} ]]; then
    _hone_reply -W "${_hone_commands[$path]// /$'\n'}"
  else
    _hone_value "${_hone_arguments[$path]}"
  fi
  # What stands in front of the last colon is on the line already.
  if [[ $current == *:* && $COMP_WORDBREAKS == *:* ]]; then
    local front=${current%"${current##*:}"}
    for i in "${!COMPREPLY[@]}"; do COMPREPLY[i]=${COMPREPLY[i]#"$front"}; done
  fi
}

complete -F _hone hone
)sh";

std::string word_for(const OptionText& option) {
  if (const auto choices = choices_of(option); !choices.empty())
    return fmt::format("$'choice:{}'", fmt::join(choices, "\\n"));
  switch (option.kind) {
    case ValueKind::file:
      return "file";
    case ValueKind::folder:
      return "folder";
    case ValueKind::kernel:
      return "kernel";
    case ValueKind::code:
      return "code";
    case ValueKind::program:
      return "program";
    case ValueKind::text:
      break;
  }
  return "text";  // nothing is offered
}

struct Tables {
  std::string commands, options, values, arguments;

  void add(const std::string& path, const CommandText& command) {
    std::vector<std::string> names;
    for (const CommandText& one : command.commands) names.push_back(one.name);
    if (!names.empty()) commands += fmt::format("  ['{}']='{}'\n", path, fmt::join(names, " "));
    names.clear();
    for (const OptionText& option : command.options) {
      names.insert(names.end(), option.names.begin(), option.names.end());
      for (const std::string& name : option.names)
        if (!option.is_flag()) values += fmt::format("  ['{}:{}']={}\n", path, name, word_for(option));
    }
    options += fmt::format("  ['{}']='{}'\n", path, fmt::join(names, " "));
    if (!command.arguments.empty())
      arguments += fmt::format("  ['{}']={}\n", path, word_for(command.arguments.front()));
    for (const CommandText& one : command.commands) add(path + " " + one.name, with_options_of(one, command));
  }

  // A command's options may stand behind its own commands, too.
  static CommandText with_options_of(CommandText one, const CommandText& outer) {
    if (outer.name.empty()) return one;
    one.options.insert(one.options.end(), outer.options.begin(), outer.options.end());
    return one;
  }
};

}  // namespace

std::vector<std::string> choices_of(const OptionText& option) {
  std::vector<std::string> choices;
  const std::size_t open = option.limits.find('{'), close = option.limits.find('}');
  if (open == std::string::npos || close == std::string::npos) return choices;
  for (std::size_t at = open + 1; at < close;) {
    const std::size_t end = std::min(option.limits.find(',', at), close);
    choices.push_back(option.limits.substr(at, end - at));
    at = end + 1;
  }
  return choices;
}

std::string bash_completion(const ProgramText& program) {
  CommandText root;
  root.commands = program.commands;
  root.options = {{{"--help", "--version"}, "", "", "", "", false, false, ValueKind::text}};
  Tables tables;
  tables.add(program.name, root);
  return fmt::format(
      "# Completions of {} {} for bash. Made of the program's own description of its commands.\n\n"
      "declare -gA _hone_commands=(\n{})\ndeclare -gA _hone_options=(\n{})\ndeclare -gA _hone_values=(\n{})\n"
      "declare -gA _hone_arguments=(\n{})\n{}",
      program.name, program.version, tables.commands, tables.options, tables.values, tables.arguments, kFunctions);
}

}  // namespace hone::manual
