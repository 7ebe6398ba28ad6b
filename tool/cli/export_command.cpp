#include <algorithm>
#include <set>
#include <system_error>

#include <fmt/format.h>

#include "tool/cli/command/command.h"
#include "tool/tune/training/training_text.h"

namespace hone::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view ending = ".calls.jsonl";

struct Recordings {
  std::vector<tune::Recording> read;
  bool broken = false;  // some file is none; said already
};

// Files sorted by name, so that the same runs give the same lines.
std::vector<fs::path> files_of_runs(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    if (at->path().string().ends_with(ending)) files.push_back(at->path());
  std::sort(files.begin(), files.end());
  return files;
}

Recordings read_all(const std::vector<fs::path>& files) {
  Recordings recordings;
  for (const fs::path& file : files) {
    auto recording = tune::Recording::read(file);
    if (recording) {
      recordings.read.push_back(std::move(*recording));
    } else {
      complain(recording.error(), environment);
      recordings.broken = true;
    }
  }
  return recordings;
}

Result<void> keep_kernels(std::vector<tune::Recording>& recordings, const std::vector<std::string>& names) {
  std::set<std::string> known;
  for (const tune::Recording& recording : recordings) known.insert(recording.header.kernel);
  HONE_TRY(const std::set<std::string> wanted, project::select_names(known, names));
  std::erase_if(recordings,
                [&](const tune::Recording& recording) { return !wanted.contains(recording.header.kernel); });
  return {};
}

std::string count(std::size_t number, const std::string& what) {
  return fmt::format("{} {}{}", number, what, number == 1 ? "" : "s");
}

}  // namespace

int export_command(int argc, char** argv) {
  CLI::App app{
      "Recorded exchanges with language models as JSON lines for fine-tuning and reinforcement learning: prompt, "
      "reply,\n"
      "verdict, reward. Of the project's runs (<build>/hone/runs), or of the recordings that are named.",
      "hone export"};
  ProjectOptions project;
  std::vector<std::string> arguments, names;
  std::string format_name = "chat", out = "-";
  double least_reward = 0;
  project.add_build_to(app);
  app.add_option("KERNEL|FILE", arguments,
                 "Only these kernels (a name, or the end of exactly one); a name that ends in .jsonl is a recording,\n"
                 "to be read in place of the project's runs");
  app.add_option("--format", format_name,
                 "chat: {\"messages\"}; prompt-completion: {\"prompt\", \"completion\"}; preference: {\"prompt\",\n"
                 "\"chosen\", \"rejected\"}, where one prompt got replies of which one is beyond doubt better")
      ->capture_default_str();
  app.add_option("--min-reward", least_reward,
                 "Only what has at least this reward; of a preference the chosen reply. 0: no code, refused or does\n"
                 "not compile; 0.1: wrong; 0.3: right; 0.3 + ln(speedup): accepted as faster")
      ->capture_default_str();
  app.add_option("-o", out, "Write to this file (-: stdout)")->type_name("FILE")->capture_default_str();
  app.footer(
      "Exit codes: 0 done; 1 there is nothing to export; 2 usage; 3 a recording is broken (the others are exported).");
  if (const auto exit = parse(app, argc, argv)) return *exit;
  const auto format = tune::parse_training_format(format_name);
  if (!format) return complain(format.error(), usage);

  std::vector<fs::path> files;
  for (const std::string& argument : arguments)
    if (argument.ends_with(".jsonl"))
      files.emplace_back(argument);
    else
      names.push_back(argument);
  const fs::path runs = project.folder() / "hone" / "runs";
  if (files.empty()) files = files_of_runs(runs);
  if (files.empty())
    return complain({"no search with a language model was recorded here", runs.string(),
                     "run hone tune with one, or name a .calls.jsonl file"},
                    no);
  Recordings recordings = read_all(files);
  if (recordings.read.empty()) return environment;
  if (const auto kept = keep_kernels(recordings.read, names); !kept) return complain(kept.error(), usage);

  const tune::TrainingText training = tune::training_text(recordings.read, *format, least_reward);
  if (!write_answer(out, training.text)) return environment;
  fmt::print(stderr, "{} from {}{}\n", count(training.lines, "line"), count(recordings.read.size(), "recording"),
             training.unjudged
                 ? fmt::format("; left out: {} without a verdict",
                               training.unjudged == 1 ? "1 reply" : fmt::format("{} replies", training.unjudged))
                 : "");
  return recordings.broken ? environment : training.lines == 0 ? no : done;
}

}  // namespace hone::cli
