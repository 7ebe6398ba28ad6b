// What the command line says of itself, as plain values: what man pages and completions are made of.
//
// The commands describe themselves once, to CLI11 (tool/cli); nothing here knows a command's name. Values.
#pragma once

#include <string>
#include <vector>

namespace hone::manual {

// What completes an option's value or an argument.
enum class ValueKind { text, file, folder, kernel, code, program };

struct OptionText {
  std::vector<std::string> names;  // "-p", "--target"; none: an argument
  std::string value;               // "FILE", an argument's name; "": a flag
  std::string limits;              // "UINT in [1 - 64]", "{chat,preference}"; may be empty
  std::string text;                // what it says, lines and all
  std::string standard;            // the default; "": none, or said in the text
  bool required = false;
  bool repeated = false;
  ValueKind kind = ValueKind::text;

  bool is_flag() const { return value.empty(); }
};

struct CommandText {
  std::string name;     // "tune"
  std::string summary;  // a few words, for lists
  std::string text;
  std::string footer;
  std::vector<OptionText> options;
  std::vector<OptionText> arguments;
  std::vector<CommandText> commands;
};

struct ProgramText {
  std::string name;  // "hone"
  std::string version;
  std::string summary;
  std::vector<CommandText> commands;
};

// By the words that descriptions use: FILE, DIR, KERNEL, PROGRAM …
ValueKind kind_of(const std::string& value);

// "KERNEL..." as a synopsis has it: brackets around what may be left out.
std::string in_synopsis(const OptionText& argument);

// On one line, without a line's end.
std::string on_one_line(const std::string& text);

// The first of it that is a sentence or a clause, for menus.
std::string in_short(const std::string& text);

}  // namespace hone::manual
