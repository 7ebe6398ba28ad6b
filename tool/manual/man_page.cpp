#include "tool/manual/man_page.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "tool/manual/surroundings_text.h"

namespace hone::manual {
namespace {

// Text as roff takes it: backslashes and hyphens as they are, and no line that looks like a request.
std::string escaped(std::string_view text) {
  std::string out;
  bool begins = true;
  for (const char letter : text) {
    if (begins && (letter == '.' || letter == '\'')) out += "\\&";
    if (letter == '\\')
      out += "\\e";
    else if (letter == '-')
      out += "\\-";
    else
      out += letter;
    begins = letter == '\n';
  }
  return out;
}

std::string bold(std::string_view text) {
  return "\\fB" + escaped(text) + "\\fR";
}
std::string italic(std::string_view text) {
  return "\\fI" + escaped(text) + "\\fR";
}

std::string section(std::string_view name) {
  return fmt::format(".SH {}\n", name);
}

// Lines that are indented are shown as they are; others are filled.
std::string paragraphs(const std::string& text) {
  std::string out;
  bool shown = false;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(at, end - at);
    at = end + 1;
    if (line.empty()) {
      if (!shown) out += ".PP\n";
      continue;
    }
    const bool example = line.starts_with("  ");
    if (example != shown) out += example ? ".PP\n.nf\n.RS\n" : ".RE\n.fi\n.PP\n";
    shown = example;
    out += escaped(example ? line.substr(2) : line) + "\n";
  }
  return out + (shown ? ".RE\n.fi\n" : "");
}

std::string head(const ProgramText& program, const std::string& page, const std::string& summary) {
  std::string title = page;
  std::ranges::transform(title, title.begin(), [](unsigned char c) { return c >= 'a' && c <= 'z' ? c - 32 : c; });
  return fmt::format(".TH {} 1 \"\" \"{} {}\" \"User Commands\"\n", escaped(title), program.name, program.version) +
         ".nh\n" + section("NAME") + escaped(page) + " \\- " + escaped(summary) + "\n";
}

std::string entry(const OptionText& option) {
  std::string line;
  for (const std::string& name : option.names) line += (line.empty() ? "" : ", ") + bold(name);
  if (!option.is_flag()) line += (line.empty() ? "" : " ") + italic(option.value);
  std::string text = option.text;
  if (!option.limits.empty()) text += " (" + option.limits + ")";
  if (!option.standard.empty()) text += " [default: " + option.standard + "]";
  if (option.required && !option.names.empty()) text += " Required.";
  return ".TP\n" + line + "\n" + escaped(text) + "\n";
}

std::string entries(const std::vector<OptionText>& options) {
  std::string out;
  for (const OptionText& option : options) out += entry(option);
  return out;
}

std::string synopsis(const std::string& name, const CommandText& command) {
  std::string line = bold(name);
  if (!command.options.empty()) line += " [" + italic("OPTIONS") + "]";
  if (!command.commands.empty()) line += " " + italic("COMMAND");
  for (const OptionText& argument : command.arguments) line += " " + escaped(in_synopsis(argument));
  return line + "\n";
}

// A command's footer says its exit codes last.
std::pair<std::string, std::string> without_codes(const std::string& footer) {
  const std::size_t at = footer.find("Exit codes: ");
  if (at == std::string::npos) return {footer, ""};
  return {footer.substr(0, at), footer.substr(at + std::string_view("Exit codes: ").size())};
}

std::string exit_status(const std::string& codes) {
  return section("EXIT STATUS") + (codes.empty() ? escaped(kExitCodes) + ".\n" : escaped(codes) + "\n");
}

std::string surroundings(const std::string& command) {
  std::string out;
  const auto add = [&](const char* title, const std::vector<SurroundingText>& rows) {
    std::string list;
    for (const SurroundingText& row : rows)
      if (concerns(row, command)) list += ".TP\n" + italic(row.name) + "\n" + escaped(row.text) + "\n";
    if (!list.empty()) out += section(title) + list;
  };
  add("FILES", files_text());
  add("ENVIRONMENT", environment_text());
  return out;
}

std::string see_also(const ProgramText& program, const std::string& but) {
  std::string list = but.empty() ? "" : bold(program.name) + "(1)";
  for (const CommandText& command : program.commands)
    if (command.name != but) list += (list.empty() ? "" : ",\n") + bold(program.name + "-" + command.name) + "(1)";
  return section("SEE ALSO") + list + "\n";
}

std::string subcommands(const std::string& name, const CommandText& command) {
  std::string out;
  for (const CommandText& one : command.commands) {
    const std::string whole = name + " " + one.name;
    out += ".SS " + escaped(whole) + "\n" + synopsis(whole, one) + ".PP\n" + paragraphs(one.text) +
           entries(one.arguments) + entries(one.options) + (one.footer.empty() ? "" : ".PP\n" + paragraphs(one.footer));
  }
  return out.empty() ? out : section("COMMANDS") + out;
}

}  // namespace

std::string man_page(const ProgramText& program) {
  std::string out = head(program, program.name, program.summary) + section("SYNOPSIS") + bold(program.name) + " " +
                    italic("COMMAND") + " [" + italic("OPTIONS") + "]\n.br\n" + bold(program.name + " --version") +
                    "\n" + section("DESCRIPTION") + paragraphs(kAbout) + section("COMMANDS");
  for (const CommandText& command : program.commands)
    out += ".TP\n" + bold(program.name + "-" + command.name) + "(1)\n" + escaped(command.summary) + "\n";
  out += section("OPTIONS") + ".TP\n" + bold("--help") + "\nPrint the commands; behind a command, its options\n.TP\n" +
         bold("--version") + "\nPrint the version\n";
  return out + exit_status("") + surroundings("") + see_also(program, "");
}

std::string man_page(const ProgramText& program, const CommandText& command) {
  const std::string name = program.name + " " + command.name;
  const auto [more, codes] = without_codes(command.footer);
  std::string out = head(program, program.name + "-" + command.name, command.summary) + section("SYNOPSIS") +
                    synopsis(name, command) + section("DESCRIPTION") + paragraphs(command.text);
  if (!more.empty()) out += ".PP\n" + paragraphs(more);
  out += subcommands(name, command) + section("OPTIONS") + entries(command.arguments) + entries(command.options);
  return out + exit_status(codes) + surroundings(command.name) + see_also(program, command.name);
}

}  // namespace hone::manual
