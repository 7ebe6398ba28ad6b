#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <map>

#include <fmt/format.h>

#include "tool/cli/command/command.h"
#include "tool/diagnostics/diagnostic_code.h"
#include "tool/os/files/files.h"
#include "tool/report/text.h"
#include "tool/suggest/suggestion.h"

namespace hone::cli {
namespace {

namespace fs = std::filesystem;

constexpr double kLeastSeconds = 0.1;  // the kernel looks at timers every 1 to 10 ms

struct SuggestArguments {
  ProjectOptions project;
  std::vector<std::string> program;
  unsigned most = 10;
  bool json = false, apply = false, yes = false;
};

fs::path sampler() {
  std::error_code error;
  return fs::read_symlink("/proc/self/exe", error).parent_path() / "hone-sampler.so";
}

std::string percent(double share) {
  return fmt::format("{:.1f}%", 100 * share);
}

std::string gain(double most) {
  return std::isinf(most) || most > 100 ? "over 100x" : fmt::format("{:.2f}x", most);
}

std::string verdict(const suggest::Suggestion& one) {
  if (one.annotated) return "annotated already";
  if (!one.annotatable) return with_code("no: " + one.why_not, one.code);
  return one.open.empty() ? "yes" : "yes, once you fill in each ?";
}

void print(const suggest::Suggestions& found) {
  std::vector<std::vector<std::string>> rows{{"", "function", "in its loops", "whole", "gain at most", "place"}};
  unsigned rank = 0;
  for (const suggest::Suggestion& one : found.functions)
    rows.push_back({std::to_string(++rank), one.name, percent(one.in_loops), percent(one.whole), gain(one.most_gain),
                    fmt::format("{}:{}", one.file, one.line)});
  say("{}", report::table(rows, {}));
  if (found.outside > 0.005) say("{} of the time was in none of the project's loops\n", percent(found.outside));
  rank = 0;
  for (const suggest::Suggestion& one : found.functions) {
    say("\n{}. {}: {}\n", ++rank, one.name, verdict(one));
    if (!one.annotatable || one.annotated) continue;
    say("   {}:{}\n   {}\n", one.file, one.line, one.pragma);
    for (const std::string& open : one.open) say("   ? {}\n", open);
    for (const std::string& guess : one.guesses) say("   a guess: {}\n", guess);
    if (one.guessed_sizes) say("   the sizes in problem() are guesses: put in your program's\n");
  }
}

// "" or what is wrong with what was noted.
std::string too_little(const suggest::Profile& profile, double used) {
  if (profile.seconds >= kLeastSeconds) return "";
  if (used >= 2 * kLeastSeconds)
    return fmt::format(
        "the program used {:.2f} s of processor time, and no more than {:.2f} s of it could be seen: it "
        "blocks the signal SIGURG, takes it for itself, or has threads that end within milliseconds",
        used, profile.seconds);
  return fmt::format("the program used {:.2f} s of processor time, too little to say where; give it more to do",
                     profile.seconds);
}

// Whole annotations only: one with a `?` would be an error in the next build.
int apply(const SuggestArguments& arguments, const suggest::Suggestions& found) {
  std::map<std::string, std::vector<const suggest::Suggestion*>> files;
  std::size_t count = 0;
  for (const suggest::Suggestion& one : found.functions)
    if (one.annotatable && !one.annotated && one.open.empty()) files[one.file].push_back(&one), ++count;
  if (count == 0)
    return complain(with_code("there is no annotation to write: none is whole", DiagnosticCode::nothing_to_annotate),
                    no);
  const std::string question = fmt::format("Write {} annotation{} into the sources?", count, count == 1 ? "" : "s");
  if (!arguments.yes && !is_agreed(question, "--apply asks, and there is nobody to answer")) return no;
  for (const auto& [file, suggestions] : files) {
    if (const auto written = suggest::apply(file, suggestions); !written) return complain(written.error(), environment);
    for (const suggest::Suggestion* one : suggestions)
      fmt::print(stderr, "hone: annotated '{}' in {}\n", one->name, file);
  }
  return done;
}

void describe(CLI::App& app, SuggestArguments& arguments) {
  arguments.project.add_build_to(app);
  app.add_option("--top", arguments.most, "How many functions to look at")
      ->check(CLI::Range(1u, 1000u))
      ->capture_default_str();
  app.add_flag("--json", arguments.json, "Print JSON");
  app.add_flag("--apply", arguments.apply, "Write the annotations that are whole into the sources, after a yes");
  app.add_flag("--yes", arguments.yes, "That yes, for scripts");
  app.add_option("PROGRAM", arguments.program, "Behind --: the program to run, and its arguments")->required();
  app.footer(
      "The program is what the project in -p builds, with symbols and best with line numbers (-g).\n"
      "Exit codes: 0 a function can be annotated; 1 none can, or the run was too short; 2 usage; 3 the environment\n"
      "failed.");
}

}  // namespace

int suggest_command(int argc, char** argv) {
  CLI::App app{"Runs a program, and says which of its functions to annotate, how, and what can be gained at most.",
               "hone suggest"};
  SuggestArguments arguments;
  describe(app, arguments);
  if (const auto exit = parse(app, argc, argv)) return *exit;

  const auto commands = project::read_commands(arguments.project.folder());
  if (!commands) return complain(commands.error(), environment);
  const auto folder = os::TemporaryFolder::create("hone-suggest");
  if (!folder) return complain(folder.error(), environment);
  const auto end = suggest::run_profiled(arguments.program, sampler(), folder->path());
  if (!end) return complain(end.error(), environment);
  if (end->signal)
    fmt::print(stderr, "hone: the program was ended by {}; what it did until then counts\n", strsignal(end->signal));
  else if (end->code)
    fmt::print(stderr, "hone: the program ended with {}; what it did counts all the same\n", end->code);

  const auto profile = suggest::read_profile(folder->path());
  if (!profile) return complain(profile.error(), environment);
  if (const std::string why = too_little(*profile, end->seconds); !why.empty()) {
    if (arguments.json) fmt::print("{}", suggest::to_json({}, profile->seconds));
    return complain(with_code(why, DiagnosticCode::not_sampled), no);
  }
  os::PosixProcessRunner runner;
  const auto frames = suggest::find_frames(*profile, runner);
  if (!frames) return complain(frames.error(), environment);
  const suggest::Suggestions found = suggest::suggest(*profile, *frames, *commands, arguments.most);

  for (const std::string& note : found.notes) fmt::print(stderr, "hone: {}\n", printable(note));
  if (arguments.json)
    fmt::print("{}", suggest::to_json(found, profile->seconds));
  else if (!found.functions.empty())
    print(found);
  if (found.functions.empty())
    return complain(
        with_code("no function of the project's had time in a loop; is this the program that is built there?",
                  DiagnosticCode::nothing_to_annotate),
        no);
  if (arguments.apply) return apply(arguments, found);
  return std::ranges::any_of(found.functions, &suggest::Suggestion::annotatable) ? done : no;
}

}  // namespace hone::cli
