#include <clocale>
#include <cstdio>
#include <new>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include "tool/base/deep_stack.h"
#include "tool/cli/cc_command.h"
#include "tool/cli/command/command.h"
#include "tool/cli/command/command_description.h"
#include "tool/cli/manual_files.h"
#include "tool/manual/surroundings_text.h"
#include "tool/project/parse_watch.h"

namespace hone::cli {
namespace {

constexpr const char* about = "an ahead-of-time kernel tuner that lives in a CMake build";

struct Command {
  const char* name;
  const char* summary;
  int (*run)(int argc, char** argv);
};

constexpr Command commands[] = {
    {"cc", "compile with the locked variants: the compiler launcher", cc_command},
    {"list", "the annotated kernels and what is linked for each", list_command},
    {"tune", "search for faster variants; lock what is proven", tune_command},
    {"eval", "judge one candidate file", eval_command},
    {"show", "a kernel's original against its variant, and the evidence", show_command},
    {"verify", "verify and time the locked variants here and now", verify_command},
    {"report", "the results as one page for a browser, or as a merge request's comment", report_command},
    {"cache", "the store: figures, check, prune; shared with a team, and whose word counts", cache_command},
    {"lock", "is every entry fresh and there; git's merge driver; where a gain holds", lock_command},
    {"export", "recorded exchanges with language models, for training", export_command},
    {"capture", "real inputs of the annotated functions, from a run", capture_command},
    {"init", "what a CMake project needs to use Hone, added after a yes", init_command},
    {"suggest", "what to annotate, by a profile of a run", suggest_command},
    {"explain", "what a diagnostic means, and what to do", explain_command},
    {"doctor", "what works on this machine", doctor_command},
};

void help(std::FILE* stream) {
  fmt::print(stream,
             "hone: {}\n\n"
             "usage: hone COMMAND [OPTIONS]\n\n",
             about);
  for (const Command& command : commands) fmt::print(stream, "  {:<8} {}\n", command.name, command.summary);
  fmt::print(stream,
             "\n  hone COMMAND --help   the options of a command\n"
             "  hone --version        the version\n\n"
             "exit codes: {}\n",
             manual::kExitCodes);
}

// What the standard library throws where the system gives no more threads or memory (ulimit -v, ulimit -u).
int run_command(const Command& command, int argc, char** argv) {
  const auto refused = [&](const char* what) {
    return complain(fmt::format("{} cannot go on: the system gives no more threads or memory ({}); raise ulimit -v and "
                                "ulimit -u, or ask for less at once (hone tune --jobs 1)",
                                command.name, what),
                    environment);
  };
  try {
    return command.run(argc, argv);
  } catch (const std::system_error& error) {
    return refused(error.what());
  } catch (const std::bad_alloc& error) {
    return refused(error.what());
  }
}

manual::CommandText described(const Command& command) {
  std::string name = command.name, word = kDescribe;
  char* words[] = {name.data(), word.data(), nullptr};
  try {
    command.run(2, words);
  } catch (Described& described) {
    described.command.name = command.name;
    described.command.summary = command.summary;
    return std::move(described.command);
  }
  return {command.name, command.summary, "", "", {}, {}, {}};
}

// What the commands say of themselves, for man pages and completions.
manual::ProgramText described() {
  manual::ProgramText program{"hone", HONE_VERSION, about, {}};
  for (const Command& command : commands) program.commands.push_back(described(command));
  return program;
}

int run(int argc, char** argv) {
  const std::string_view name = argc > 1 ? argv[1] : "";
  if (name == "--help" || name == "-h" || name == "help") return help(stdout), done;
  if (name == "--write-manual" && argc == 3) return write_manual(described(), argv[2]);  // the build's
  if (name == "--version") return fmt::print("hone {}\n", HONE_VERSION), done;
  for (const Command& command : commands)
    if (command.name == name) return run_command(command, argc - 1, argv + 1);
  if (name.empty()) {
    help(stderr);
  } else {
    fmt::print(stderr, "hone: there is no command '{}'; see hone --help\n", name);
  }
  return usage;
}

}  // namespace
}  // namespace hone::cli

int main(int argc, char** argv) {
  hone::project::restart_on_crash(argv);
  return hone::on_deep_stack([&] { return hone::cli::run(argc, argv); });
}
