#include "tool/cli/show_prompt.h"

#include <algorithm>

#include <fmt/format.h>

#include "tool/base/printable.h"
#include "tool/cli/command/command.h"
#include "tool/cli/command/interrupt.h"
#include "tool/os/process/process_runner.h"
#include "tool/report/text.h"
#include "tool/search/prompt/render.h"
#include "tool/tune/model/prompt_preview.h"
#include "tool/tune/training/exchange.h"

namespace hone::cli {
namespace {

void note(const std::string& line) {
  complain(line, done);
}

// Candidates and verdicts that it quotes are not ours: nothing of them shall reach the terminal as an escape.
void print(const std::vector<search::PromptMessage>& messages) {
  fmt::print("{}", printable(search::as_text(messages)));
}

Result<tune::Recording> recording_of(const project::ProjectKernel& kernel, const project::TuneOptions& options) {
  const auto file = tune::recording_file(options.build, kernel.spec.key, options.seed);
  std::error_code error;
  if (!std::filesystem::exists(file, error))
    return failure(fmt::format("no run of {} with seed {} was recorded", kernel.spec.name, options.seed), file.string(),
                   "hone tune with a language model records one; --seed names another");
  return tune::Recording::read(file);
}

std::string outcome_of(const tune::Recording& recording, unsigned call) {
  const auto judged = tune::exchanges_of(recording).judged;
  const auto exchange = std::ranges::find(judged, call, &tune::Exchange::request);
  if (exchange == judged.end()) return "not judged";
  const bool advice = exchange->kind == search::RequestKind::advice;
  return (advice ? "advice; the best that came of it: " : "") + report::describe(exchange->verdict);
}

int show_call(const tune::Recording& recording, unsigned call) {
  const tune::Asked* asked = nullptr;
  const tune::Replied* reply = nullptr;
  unsigned last = 0;
  for (const tune::Event& event : recording.events) {
    if (const auto* question = std::get_if<tune::Asked>(&event)) {
      last = std::max(last, question->request);
      if (question->request == call) asked = question;
    }
    if (const auto* answer = std::get_if<tune::Replied>(&event); answer && answer->request == call) reply = answer;
  }
  if (!asked) return complain(fmt::format("there is no call {}: the recorded run has calls 1 to {}", call, last), no);
  std::vector<search::PromptMessage> messages = asked->prompt;
  if (reply) messages.push_back({"assistant", reply->text + (reply->text.ends_with('\n') ? "" : "\n")});
  print(messages);
  note(fmt::format("call {}, {}: {}", call, asked->operator_name, outcome_of(recording, call)));
  return done;
}

int show_next(const project::ProjectKernel& kernel, const tune::Recording& recording,
              const std::string& operator_name) {
  const auto preview = tune::next_prompt(kernel, recording, operator_name);
  if (!preview) return complain(preview.error(), no);
  note(fmt::format("{} of the strategy {}, after the recorded trials; nothing is sent", preview->operator_name,
                   preview->strategy));
  print(preview->prompt);
  return done;
}

int show_first(const project::ProjectKernel& kernel, const PromptArguments& arguments, std::stop_token stop) {
  os::PosixProcessRunner runner;
  const auto preview = tune::first_prompt(kernel, arguments.tune, arguments.operator_name, runner, note, stop);
  if (stop.stop_requested()) return interrupted;
  if (!preview) return complain(preview.error(), environment);
  note(fmt::format("{} of the strategy {}; nothing is sent", preview->operator_name, preview->strategy));
  print(preview->prompt);
  return done;
}

int show_one(const project::ProjectKernel& kernel, const PromptArguments& arguments, std::stop_token stop) {
  if (arguments.call || arguments.tune.resume.value_or(false)) {
    const auto recording = recording_of(kernel, arguments.tune);
    if (!recording) return complain(recording.error(), no);
    return arguments.call ? show_call(*recording, *arguments.call)
                          : show_next(kernel, *recording, arguments.operator_name);
  }
  const auto possible = tune::check_first_prompt(arguments.tune, kernel.unit.settings, arguments.operator_name);
  return possible ? show_first(kernel, arguments, stop) : complain(possible.error(), usage);
}

}  // namespace

void PromptArguments::add_to(CLI::App& app) {
  auto* now = app.add_option("--prompt", operator_name,
                             "Print the prompt that a search with a language model would send now: its first, or what\n"
                             "this operator of the strategy would show. The original is timed for it,\n"
                             "unless it is CUDA's and there is no device; nothing is sent")
                  ->expected(0, 1)
                  ->type_name("[OPERATOR]");
  auto* resume = app.add_flag("--resume", tune.resume,
                              "With --prompt: after the trials of the recorded run, as tune --resume goes on")
                     ->needs(now);
  app.add_option("--strategy", tune.strategy, "With --prompt: a preset or a .json file (default: the target's)")
      ->needs(now)
      ->excludes(resume);
  app.add_option("--executor", tune.executor,
                 "With --prompt: where the original is timed: local, slurm:<partition>, or command:<argv>")
      ->needs(now)
      ->capture_default_str();
  app.add_flag("!--no-memory", tune.memory, "With --prompt: without what searches on other kernels have learned")
      ->needs(now);
  app.add_option("--call", call, "Print the call of this number of the recorded run: prompt, reply, verdict")
      ->check(CLI::PositiveNumber)
      ->excludes(now);
  app.add_option("--seed", tune.seed, "Of the run that --prompt and --call are about")
      ->check(why_no_seed)
      ->capture_default_str();
}

int show_prompts(const std::vector<project::ProjectKernel>& kernels, const PromptArguments& arguments) {
  const Interrupt interrupt;
  int code = done;
  for (const project::ProjectKernel& kernel : kernels)
    if (!interrupt.happened()) code = std::max(code, show_one(kernel, arguments, interrupt.token()));
  return code;
}

}  // namespace hone::cli
