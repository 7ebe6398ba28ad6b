#include "tool/tune/search_run.h"

#include <algorithm>

#include <fmt/format.h>

#include "tool/cuda/device_count.h"
#include "tool/executor/make_executor.h"
#include "tool/frontend/gate/fingerprint.h"
#include "tool/llm/make_client.h"
#include "tool/tune/model/learned.h"
#include "tool/tune/model/model_source.h"
#include "tool/tune/model/rejudge.h"
#include "tool/tune/model/run_header.h"
#include "tool/tune/profile/profiler.h"
#include "tool/tune/trial/builtin_source.h"

namespace hone::tune {
namespace {

// Where a model's strategy starts from what the built-in proposer finds: so much of the time, so many trials, so many
// of the best. It is a start, and the budget is for the model.
constexpr double seeding_share = 0.25;
constexpr unsigned most_seeding_trials = 24;
constexpr std::size_t most_seeds = 3;
// What may be spent on finding out which transformations a kernel has places for.
constexpr double survey_share = 1.0 / 3;

// What the gate refused is nothing to go on from. A text that is there already, neither.
void add_starts(const std::vector<search::Start::Known>& starts, std::vector<search::Start::Known>& seeds) {
  for (const auto& start : starts) {
    const bool known = std::ranges::any_of(seeds, [&](const search::Start::Known& seed) {
      return frontend::fingerprint(seed.candidate.source) == frontend::fingerprint(start.candidate.source);
    });
    if (start.verdict.stage > Stage::gate && !known) seeds.push_back(start);
  }
}
constexpr unsigned judgments_elsewhere = 4;  // hides what a connection and a queue take; --at-once says another number

// One is timed, one verified, and one starts its processes.
unsigned judgments_on(const Result<std::vector<std::string>>& devices) {
  return devices ? static_cast<unsigned>(devices->size()) + 2 : 1;
}

constexpr const char* why_prompts_differ = "another version wrote them, or other notes and templates went into them";

}  // namespace

unsigned judgments_at_once(const project::TuneOptions& options) {
  return options.at_once > 0 ? options.at_once : judgments_elsewhere;
}

SearchRun::SearchRun(const TuningTask& task, Ports ports, Deadline& deadline, Judged judged,
                     std::vector<search::Start::Known> starts)
    : task_(task), ports_(ports), deadline_(deadline), judged_(std::move(judged)), starts_(std::move(starts)) {}

Result<SearchRun::Found> SearchRun::run() {
  HONE_CHECK(task_.settings.replayed                ? run_recording()
             : task_.settings.models.models.empty() ? run_builtin()
                                                    : run_model());
  return std::move(found_);
}

double SearchRun::planned_seconds() const {
  return std::min(task_.settings.budget_seconds, task_.slice->planned());
}

// On a processor another judgment beside the one that is timed would be felt; GPUs take turns by themselves. What is
// beside the first there waits for a place (judgment_places()).
Parallel SearchRun::parallel() const {
  const unsigned jobs = task_.settings.jobs;
  if (task_.options.at_once > 0) return {jobs, task_.options.at_once};
  if (executor::is_queue(task_.options.executor)) return {jobs, judgments_elsewhere};
  if (!task_.spec.cuda) return {jobs, 1};  // without asking the driver, which takes its time to start
  if (!is_judged_here(task_)) return {jobs, judgments_elsewhere};
  return {jobs, judgments_on(cuda::cuda_devices())};
}

std::optional<judge::JudgmentPlaces> SearchRun::judgment_places() const {
  if (task_.options.at_once > 0 || !task_.spec.cuda || !is_judged_here(task_)) return std::nullopt;
  return judge::JudgmentPlaces("cuda", judgments_on(cuda::cuda_devices()));
}

StopRule SearchRun::stop_rule(const search::TaskFacts& facts) const {
  std::vector<LeastTime> least;
  for (const search::TaskProblem& problem : facts.problems) least.push_back({problem.label, problem.floor_seconds});
  StopRule rule({task_.options.until, task_.options.least_gain}, std::move(least));
  if (task_.options.until > 0 && !rule.knows_limit())
    ports_.progress.note("what this machine allows is not known of '" + task_.spec.name +
                         "': --until does not end its search");
  return rule;
}

// For a search that asks no model: the original is timed only if somebody asks for its limit.
Result<StopRule> SearchRun::stop_rule() {
  if (task_.options.until <= 0) return StopRule({0, task_.options.least_gain}, {});
  HONE_TRY(const search::TaskFacts facts, describe_task(task_, ports_.evaluator, deadline_.token()));
  return stop_rule(facts);
}

TrialLine::Options SearchRun::line_options(unsigned trials, StopRule& rule) const {
  const double budget = planned_seconds();
  TrialLine::Options options;
  options.bench.slice = task_.slice;
  options.bench.parallel = parallel();
  options.bench.places = judgment_places();
  // Choosing one candidate's constants may take a tenth of the time, one long look a thirtieth: there are many.
  options.bench.limits = {.trials = trials, .longest_look = std::max(2.0, budget / 30), .longest_tuning = budget / 10};
  options.original = frontend::fingerprint(task_.spec.unit.active());
  options.judged = judged_;
  options.enough = [&rule, slice = task_.slice](const Verdict& verdict) {
    rule.told(verdict);
    slice->told(rule.best(), rule.share());
    return rule.reason();
  };
  return options;
}

Result<SearchOutcome> SearchRun::propose(search::Search& search, frontend::Workshop& workshop, const Deadline& deadline,
                                         unsigned trials, StopRule& rule) {
  TrialLine line(line_ports(), line_options(trials, rule), deadline.token());
  BuiltinSource source(
      search, [&](const Genome& genome) { return workshop.render(genome, deadline.token()); }, line);
  return line.run(source);
}

// The shortest form is as fast as a rule, compiles sooner, and is what a reader sees where no time is left to reduce
// it.
Result<std::unique_ptr<frontend::Workshop>> SearchRun::open_workshop() const {
  return frontend::Workshop::open(task_.spec, task_.unit.command, task_.options.frontend, frontend::Form::shortest);
}

// Of a kernel with many loops the survey alone may take minutes. What it has found by then is enough to begin with.
Catalog SearchRun::survey(frontend::Workshop& workshop) {
  const double seconds = planned_seconds() * survey_share;
  const Deadline share(deadline_.token(), seconds_from(task_.slice->now(), seconds), task_.slice);
  Catalog catalog = workshop.survey(share.token());
  found_.surveyed = !share.stopped();
  if (!found_.surveyed && !deadline_.stopped())
    ports_.progress.note(
        fmt::format("looking for what could be tried was ended after {:.0f} s, with {} starts: a longer --budget looks "
                    "at all of it",
                    seconds, catalog.recipes.size()));
  return catalog;
}

// A genome that was good for an earlier text comes first; what of it does not apply to this one is left out.
Catalog SearchRun::catalog_of(frontend::Workshop& workshop) {
  Catalog catalog = survey(workshop);
  std::vector<Genome> first;
  for (const auto& start : starts_)
    if (!start.candidate.genome.empty()) first.push_back(start.candidate.genome);
  catalog.recipes.insert(catalog.recipes.begin(), first.begin(), first.end());
  return catalog;
}

Result<void> SearchRun::run_builtin() {
  std::optional piece = task_.slice->begin(deadline_.token());
  HONE_TRY(const auto workshop, open_workshop());
  found_.search = search::make_builtin_search(task_.settings.strategy, catalog_of(*workshop), task_.options.seed);
  HONE_TRY(StopRule rule, stop_rule());
  piece.reset();
  HONE_TRY(found_.outcome, propose(*found_.search, *workshop, deadline_, task_.settings.trials, rule));
  return {};
}

// What a model's search starts from: the best that the built-in proposer finds in a quarter of the time.
Result<std::vector<Accepted>> SearchRun::find_seeds(StopRule rule) {
  if (!task_.settings.strategy.seeded) return std::vector<Accepted>{};
  HONE_TRY(const auto strategy, search::preset("builtin"));
  HONE_TRY(const auto workshop, open_workshop());
  const auto search = search::make_builtin_search(strategy, catalog_of(*workshop), task_.options.seed);
  found_.surveyed = true;  // it is the model's search that says when it is complete
  const double seconds = planned_seconds() * seeding_share;
  const Deadline share(deadline_.token(), seconds_from(task_.slice->now(), seconds), task_.slice);
  const unsigned trials = std::min(most_seeding_trials, task_.settings.trials);
  ports_.progress.note(fmt::format("the built-in proposer first: at most {} candidates, {:.0f} s", trials, seconds));
  HONE_TRY(SearchOutcome outcome, propose(*search, *workshop, share, trials, rule));
  if (outcome.error) return tl::unexpected(*outcome.error);
  ports_.progress.note(fmt::format("the built-in proposer: {} candidates, {} right, {} faster", outcome.counts.total,
                                   outcome.counts.right, outcome.counts.faster));
  if (outcome.accepted.size() > most_seeds) outcome.accepted.resize(most_seeds);
  // A seed's parents are trials of the built-in search, which nobody here knows.
  for (Accepted& seed : outcome.accepted)
    seed.candidate = {.source = seed.candidate.source,
                      .name = seed.candidate.name,
                      .thought = seed.candidate.thought,
                      .behind_choice = seed.candidate.behind_choice};
  return std::move(outcome.accepted);
}

// The seeds of a recording, with the samples that the journal still has.
std::vector<Accepted> SearchRun::known_seeds(const std::vector<search::Start::Known>& seeds) const {
  std::vector<Accepted> accepted;
  for (const auto& seed : seeds) {
    const Journal::Entry* known = ports_.journal.find(frontend::fingerprint(seed.candidate.source));
    accepted.push_back({0, seed.candidate, known ? known->verdict : seed.verdict});
  }
  return accepted;
}

// Nobody asks a model where the built-in proposer came near enough to the limit.
bool SearchRun::seeds_are_enough(const std::vector<Accepted>& seeds, StopRule& rule) {
  for (const Accepted& seed : seeds) rule.start(seed.verdict);
  const auto reason = rule.reason();
  if (!reason) return false;
  found_.outcome.accepted = seeds;
  found_.outcome.complete = true;
  found_.outcome.enough = *reason;
  return true;
}

// What was learned since `before`. A memory that cannot be written costs the run nothing.
void SearchRun::remember(const search::Memory& before, Recorder& recorder) {
  if (!task_.options.memory || before.entries() == found_.search->memory().entries()) return;
  const auto file = memory_file();
  if (!file) return;
  auto kept = add_to_memory(*file, before, found_.search->memory());
  if (kept) kept = recorder.append(Remembered{});  // a run that goes on from here adds only what is new
  if (!kept) ports_.progress.note("what was learned is not remembered: " + kept.error().message());
}

void SearchRun::note_other_prompts(const Played& played) const {
  if (!played.different_prompt) return;
  ports_.progress.note(fmt::format("from request {} on the prompts are not the recorded ones: {}",
                                   *played.different_prompt, why_prompts_differ));
}

Result<void> SearchRun::run_model() {
  const auto& [spec, unit, options, settings, slice] = task_;
  const auto file = recording_file(options.build, spec.key, options.seed);
  const auto earlier = options.resume.value_or(ports_.journal.goes_on()) ? earlier_run(file, settings) : std::nullopt;
  RecordingHeader header;
  std::vector<Accepted> seeded;
  if (earlier) {
    header = earlier->header;
  } else {
    const auto piece = task_.slice->begin(deadline_.token());
    HONE_TRY(header, describe_run(task_, ports_.evaluator, deadline_.token(),
                                  [this](const std::string& line) { ports_.progress.note(line); }));
  }
  StopRule rule = stop_rule(header.facts);
  if (earlier) {
    seeded = known_seeds(header.seeds);
  } else {
    HONE_TRY(seeded, find_seeds(rule));
    for (const Accepted& seed : seeded) header.seeds.push_back({seed.candidate, without_samples(seed.verdict)});
    add_starts(starts_, header.seeds);
    if (deadline_.stopped()) {
      found_.outcome.accepted = std::move(seeded);
      return {};
    }
  }
  if (seeds_are_enough(seeded, rule)) return {};
  found_.search = search::make_model_search(settings.strategy, start_of(header), options.seed);
  Dialogue dialogue = open_dialogue(*found_.search, header, settings);
  std::optional<Recorder> recorder;
  std::optional<Played> played;
  if (earlier) {
    HONE_TRY(played, play(*earlier, dialogue));
    recorder.emplace(file);
  } else {
    HONE_TRY(recorder, Recorder::create(file, header));
  }
  os::CurlHttpTransport http;
  const os::SteadyClock clock;
  const auto client =
      llm::make_client(settings.models, {http, ports_.runner, clock}, llm::own_environment(), options.seed);
  if (!client) return end_without_model(client.error(), std::move(seeded));
  Spending spending({options.most_tokens, options.most_cost});
  TrialLine::Options line_is = line_options(settings.trials, rule);
  if (shows_profiles(settings.strategy))
    line_is.bench.profile = Profiler(spec, header.facts, ports_.evaluator, deadline_.token());
  TrialLine line(line_ports(), std::move(line_is), deadline_.token());
  for (unsigned trial = 1; const auto& seed : header.seeds)
    line.know(frontend::fingerprint(seed.candidate.source), trial++);
  ModelSource source({dialogue, **client, *recorder, spending, ports_.progress},
                     {settings.models, settings.trials, options.seed, settings.strategy.opinion}, line);
  const search::Memory remembered = played ? played->remembered : found_.search->memory();
  if (played) {
    note_other_prompts(*played);
    source.resume(std::move(*played), ports_.journal);
  }
  found_.outcome = line.run(source);
  found_.outcome.complete &= !source.is_dry();
  found_.outcome.ended_by_provider = source.ended_by_provider();
  accept(std::move(seeded));
  found_.spent = spending.spent();
  remember(remembered, *recorder);
  ports_.progress.note("spent: " + spending.text());
  if (const std::string opinions = source.opinions().text(); !opinions.empty()) ports_.progress.note(opinions);
  return {};
}

// Seeds are trials 1, 2, … of a model's search. What an earlier state of the kernel left may be wrong for this one.
void SearchRun::accept(std::vector<Accepted> seeded) {
  for (unsigned trial = 1; Accepted & seed : seeded) {
    seed.trial = trial++;
    if (seed.verdict.right && seed.verdict.faster) found_.outcome.accepted.push_back(std::move(seed));
  }
  found_.outcome.sort();
}

// Nobody can be asked. What the built-in proposer found stands.
Result<void> SearchRun::end_without_model(const Error& why, std::vector<Accepted> seeded) {
  if (std::ranges::none_of(seeded, [](const Accepted& seed) { return seed.verdict.right && seed.verdict.faster; }))
    return tl::unexpected(why);
  accept(std::move(seeded));
  found_.outcome.ended_by_provider = why;
  return {};
}

Result<void> SearchRun::run_recording() {
  const auto& [spec, unit, options, settings, slice] = task_;
  HONE_TRY(const Recording recording, Recording::read(*settings.replayed));
  if (recording.header.kernel != spec.name)
    return failure(fmt::format("the recording is of {}, not of {}", recording.header.kernel, spec.name),
                   *settings.replayed, "name the kernel that it is of, or another recording");
  if (recording.header.key != spec.key)
    ports_.progress.note(
        "the recording is of another state of this kernel, or of another target: its replies are judged all the same");
  HONE_TRY(found_.search, search_of(recording.header));
  Dialogue dialogue = open_dialogue(*found_.search, recording.header, settings);
  HONE_TRY(const Played played, play(recording, dialogue));
  HONE_CHECK(os::write_file_atomically(
      options.build / "hone" / "runs" / fmt::format("{}-{}.replay.jsonl", spec.key, options.seed), transcript(played)));
  note_other_prompts(played);
  ports_.progress.note(
      fmt::format("replaying {} replies written by {}", played.trials.size(), recording.header.written_by));
  const auto seeds = static_cast<unsigned>(recording.header.seeds.size());
  auto trials = trials_to_judge(recording.header, played, settings.trials + seeds);
  HONE_TRY(StopRule rule, stop_rule());
  TrialLine::Options line_is = line_options(static_cast<unsigned>(trials.size()), rule);
  line_is.finds_duplicates = false;
  TrialLine line(line_ports(), std::move(line_is), deadline_.token());
  Rejudge source(std::move(trials), line);
  found_.outcome = line.run(source);
  if (source.differences() > 0)
    ports_.progress.note(fmt::format("{} of {} candidates were judged otherwise than when they were recorded",
                                     source.differences(), found_.outcome.counts.total));
  Opinions opinions = source.opinions();
  for (const auto& [on, usage] : played.spent)
    if (on == opinion_calls) opinions.paid(usage);
  if (!opinions.text().empty()) ports_.progress.note("as recorded, " + opinions.text());
  return {};
}

}  // namespace hone::tune
