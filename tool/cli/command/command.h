// What the commands have in common: exit codes, the project to work on, how errors are said.
//
// Each command is one function of (argc, argv) whose argv[0] is its own name; it returns the exit code. Messages go to
// stderr, answers to stdout.
#pragma once

#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "tool/base/printable.h"
#include "tool/base/result.h"
#include "tool/project/kernels.h"
#include "tool/project/tune_options.h"

namespace hone::cli {

enum Exit : int {
  done = 0,
  no = 1,  // the answer is no: nothing found, not verified
  usage = 2,
  environment = 3,  // something around us failed
  interrupted = 130,
};

int list_command(int argc, char** argv);
int tune_command(int argc, char** argv);
int eval_command(int argc, char** argv);
int show_command(int argc, char** argv);
int verify_command(int argc, char** argv);
int doctor_command(int argc, char** argv);
int cache_command(int argc, char** argv);
int lock_command(int argc, char** argv);
int export_command(int argc, char** argv);
int capture_command(int argc, char** argv);
int report_command(int argc, char** argv);
int suggest_command(int argc, char** argv);
int init_command(int argc, char** argv);
int explain_command(int argc, char** argv);

// nullopt: go on. Else the exit code: help was asked for, or the command line is wrong (said already).
std::optional<int> parse(CLI::App& app, int argc, char** argv);

int complain(const Error& error, Exit code);
int complain(const std::string& message, Exit code);

// Prints to stdout, and no more of it than a person reads: lock files and records of other people's branches are quoted
// there.
template <class... Arguments>
void say(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  std::fputs(printable(fmt::format(format, std::forward<Arguments>(arguments)...)).c_str(), stdout);
}

// -p, --target: which part of which project.
struct ProjectOptions {
  std::string build;
  std::string target;
  std::string config;
  void add_to(CLI::App& app);
  void add_build_to(CLI::App& app);  // -p alone
  // -p, else `build` where it has a compile_commands.json, else the working directory.
  std::filesystem::path folder() const;
};

// --proposer, --model, --endpoint, --temperature: which language model, if any.
void add_model_options(CLI::App& app, project::TuneOptions& options);

struct Selection {
  project::Project project;
  std::vector<project::ProjectKernel> kernels;  // that the names mean
  bool flawed = false;                          // some annotation or unit is wrong; said already
};

// What is wrong in files that have none of the kernels that are named: one line says how much, or all of it is told.
enum class Elsewhere { counted, told };

// Opens the project, says what is wrong with its annotations, and picks kernels: whole, but for those of which it is
// `enough` to know who they are. On failure all is said and `code` set.
std::optional<Selection> select(const ProjectOptions& options, const std::vector<std::string>& names, int& code,
                                const project::Enough& enough = project::never_enough,
                                Elsewhere elsewhere = Elsewhere::counted);

// "-" is stdout; what is there and no regular file (a pipe, a device) is written into. False: it could not be written;
// said already.
bool write_answer(const std::string& file, const std::string& text);

// Asks on the terminal. Without one nothing is agreed, and `nobody` says so; --yes is for scripts.
bool is_agreed(const std::string& question, const std::string& nobody);

// For CLI11, which takes -1 for a very large number: "" or what is wrong.
inline std::string why_no_seed(const std::string& text) {
  return text.starts_with('-') ? "a seed is a whole number from 0 on, and not " + text : "";
}

}  // namespace hone::cli
