#include "tool/tune/model/prompt_preview.h"

#include <algorithm>
#include <memory>

#include "tool/executor/make_executor.h"
#include "tool/project/kernels.h"
#include "tool/project/knowledge_files.h"
#include "tool/search/preview.h"
#include "tool/tune/model/replay.h"

namespace hone::tune {
namespace {

Result<Preview> asked_next(Dialogue& dialogue) {
  HONE_TRY(const Question* question, dialogue.ask());
  if (!question) return failure("the search has nothing to ask any more", "", "it ended by itself");
  return Preview{"", question->request.operator_name, question->prompt};
}

Result<Preview> preview_in(Dialogue& dialogue, const search::Strategy& strategy, const search::KernelState& state,
                           const std::string& operator_name) {
  HONE_TRY(const search::Request request, search::preview(strategy, dialogue.search(), state, operator_name));
  HONE_TRY(auto prompt, dialogue.prompt_of(request));
  return Preview{"", request.operator_name, std::move(prompt)};
}

// Where there is no device, a prompt can be shown all the same: what would be measured is left out.
class NoDevice final : public bundle::Executor {
 public:
  Result<bundle::Answer> run(const bundle::Bundle&, std::stop_token) override {
    return failure("nothing runs for a prompt that is shown without a device");
  }
};

}  // namespace

Result<void> check_first_prompt(const project::TuneOptions& options, const project::TargetSettings& target,
                                const std::string& operator_name) {
  HONE_TRY(const project::Settings settings, project::settle_for_prompts(options, target));
  if (operator_name.empty()) return {};
  const auto search = search::make_model_search(settings.strategy, {}, options.seed);
  auto request = search::preview(settings.strategy, *search, {}, operator_name);
  if (request) return {};
  if (request.error().advice.empty()) request.error().advice = "--resume shows it after the trials of a recorded run";
  return tl::unexpected(request.error());
}

Result<Preview> first_prompt(const project::ProjectKernel& kernel, const project::TuneOptions& options,
                             const std::string& operator_name, os::ProcessRunner& runner, const Note& note,
                             std::stop_token stop) {
  const KernelSpec& spec = kernel.spec;
  HONE_TRY(const project::Settings settings, project::settle_for_prompts(options, kernel.unit.settings));
  HONE_TRY(auto executor, executor::make_executor(options.executor, runner));
  const auto ready = executor->ready_for(spec);
  const bool without_device = !ready && spec.cuda;
  if (without_device) {
    note(ready.error().message());
    executor = std::make_unique<NoDevice>();
  }
  HONE_TRY(const auto evaluator,
           Evaluator::open(spec, project::linked(kernel.unit), project::options_for(kernel.unit, options.frontend),
                           runner, *executor, stop));
  const TuningTask task{spec, kernel.unit, options, settings};
  HONE_TRY(const RecordingHeader header,
           without_device ? Result<RecordingHeader>(describe_run_without_device(task, *evaluator, stop, note))
                          : describe_run(task, *evaluator, stop, note));
  const search::Start start = start_of(header);
  const auto search = search::make_model_search(settings.strategy, start, options.seed);
  Dialogue dialogue = open_dialogue(*search, header, settings);
  HONE_TRY(Preview preview, operator_name.empty()
                                ? asked_next(dialogue)
                                : preview_in(dialogue, settings.strategy, start.state, operator_name));
  preview.strategy = settings.strategy.name;
  if (settings.strategy.seeded)
    note("a run starts from the best that the built-in proposer finds; this is the prompt without it");
  return preview;
}

Result<Preview> next_prompt(const project::ProjectKernel& kernel, const Recording& recording,
                            const std::string& operator_name) {
  HONE_TRY(const auto strategy, search::parse_strategy(recording.header.strategy));
  const search::Start start = start_of(recording.header);
  const auto search = search::make_model_search(strategy, start, recording.header.seed);
  project::Settings settings;  // the run's own strategy counts, not what a new one would take
  HONE_TRY(settings.notes, project::notes_for(kernel.unit.settings.lock));
  HONE_TRY(settings.templates, project::templates_for(kernel.unit.settings.lock));
  Dialogue dialogue = open_dialogue(*search, recording.header, settings);
  HONE_TRY(const Played played, play(recording, dialogue));
  Preview preview;
  if (!operator_name.empty()) {
    HONE_TRY(preview, preview_in(dialogue, strategy, start.state, operator_name));
  } else if (const auto open = std::ranges::find_if(played.open, [](const auto& call) { return !call.second.answer; });
             open != played.open.end()) {
    const Question& unanswered = dialogue.question(open->first);
    preview = {"", unanswered.request.operator_name, unanswered.prompt};
  } else {
    HONE_TRY(preview, asked_next(dialogue));
  }
  preview.strategy = strategy.name;
  return preview;
}

}  // namespace hone::tune
