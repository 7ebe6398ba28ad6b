#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tool/cli/command/command.h"
#include "tool/init/init_plan.h"
#include "tool/report/diff.h"

namespace hone::cli {
namespace {

namespace fs = std::filesystem;

// As one word of a shell's.
std::string quoted(const std::string& word) {
  if (word.find_first_of(" \t\"'\\$`*?;&|<>()#~") == std::string::npos) return word;
  std::string text = "'";
  for (const char letter : word) text += letter == '\'' ? "'\\''" : std::string(1, letter);
  return text + "'";
}

// How find_package() finds the Hone that runs here; "" where it needs no help.
std::string way_to_package() {
  std::error_code error;
  const fs::path root = fs::read_symlink("/proc/self/exe", error).parent_path().parent_path().parent_path();
  if (fs::exists(root / "HoneConfig.cmake", error)) return " -DHone_DIR=" + quoted(root.string());  // a build tree
  return root == "/usr" || root == "/usr/local" ? "" : " -DCMAKE_PREFIX_PATH=" + quoted(root.string());
}

void print(const init::InitPlan& plan) {
  for (const init::FileChange& change : plan.files) {
    const std::string name = change.file.lexically_proximate(plan.source).string();
    say("{}", report::unified_diff(change.before.value_or(""), change.after, change.before ? name : "/dev/null", name));
  }
  for (const auto& command : plan.commands) {
    std::vector<std::string> words;
    for (const std::string& word : command) words.push_back(quoted(word));
    say("{}\n", fmt::format("{}", fmt::join(words, " ")));
  }
}

void print_next(const init::InitPlan& plan, const std::string& folder) {
  const std::string build = quoted(folder);
  say("next:\n  cmake -S {} -B {}{} && cmake --build {}\n  cmake --build {} --target hone-tune\n",
      quoted(plan.source.string()), build, way_to_package(), build, build);
}

}  // namespace

int init_command(int argc, char** argv) {
  CLI::App app{"Shows what a CMake project needs to use Hone, and adds it after a yes.", "hone init"};
  ProjectOptions project;
  init::InitRequest request;
  bool yes = false;
  project.add_build_to(app);
  app.add_option("FUNCTION", request.functions, "The functions to annotate; hone suggest finds some");
  app.add_flag("--yes", yes, "That yes, for scripts");
  app.footer(
      "Functions are annotated as their text suggests. That needs a configured build folder (-p) with a\n"
      "compile_commands.json.\n"
      "Exit codes: 0 all is there, or was added; 1 nothing was added, or a function cannot be annotated as it stands;\n"
      "2 usage; 3 the environment failed.");
  if (const auto exit = parse(app, argc, argv)) return *exit;

  request.build = project.folder();
  request.working = fs::current_path();
  os::PosixProcessRunner runner;
  const auto plan = init::plan_init(request, runner);
  if (!plan) return complain(plan.error(), environment);
  print(*plan);
  for (const std::string& note : plan->notes) fmt::print(stderr, "hone: {}\n", printable(note));
  if (plan->empty() && plan->notes.empty())
    say("nothing is missing{}\n", request.functions.empty()
                                      ? "; `hone suggest -- PROGRAM` finds what to annotate, hone init FUNCTION does it"
                                      : "");
  if (!plan->empty()) {
    if (!yes && !is_agreed("Add this?", "hone init asks, and there is nobody to answer")) return no;
    if (const auto added = init::carry_out(*plan, runner); !added) return complain(added.error(), environment);
    print_next(*plan, project.build.empty() ? "build" : project.build);
  }
  return plan->annotates_all ? done : no;
}

}  // namespace hone::cli
