#include "tool/tune/model/run_header.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "cache/store.h"
#include "tool/lock/verified_pairs.h"
#include "tool/search/knowledge/near_pairs.h"
#include "tool/tune/facts/facts.h"
#include "tool/tune/facts/roofline.h"
#include "tool/tune/model/learned.h"
#include "tool/tune/profile/profiler.h"

namespace hone::tune {
namespace {

std::string remembered(const Note& note) {
  const auto file = memory_file();
  const auto memory = file ? read_memory(*file) : search::Memory{};
  if (!memory) note("searching without a memory: " + memory.error().message());
  return memory && !memory->entries().empty() ? memory->serialize() : "";
}

// All but the facts.
RecordingHeader begin_header(const TuningTask& task, const Note& note) {
  const auto& [spec, unit, options, settings, slice] = task;
  RecordingHeader header;
  header.kernel = spec.name;
  header.key = spec.key;
  header.seed = options.seed;
  header.strategy = settings.strategy_text;
  header.models = static_cast<unsigned>(settings.models.models.size());
  header.written_by = settings.proposer;
  for (const llm::ModelSettings& model : settings.models.models)
    if (!model.model.empty()) header.written_by += ' ' + model.model;
  if (options.memory) header.memory = remembered(note);
  return header;
}

// What earlier searches found for kernels like this one, where prompts show that. Whatever cannot be read is not shown.
void add_pairs(const TuningTask& task, RecordingHeader& header, const Note& note) {
  const auto& [spec, unit, options, settings, slice] = task;
  if (!options.memory || !search::shows_pairs(settings.strategy)) return;
  std::vector<search::VerifiedPair> pairs = lock::pairs_of_project(unit.settings.lock);
  if (settings.models.examples == llm::Examples::all)
    if (const auto store = cache::user_folder())
      std::ranges::move(lock::pairs_in_store(*store), std::back_inserter(pairs));
  header.pairs = search::near_pairs(std::move(pairs), header.facts, {.key = spec.key, .own = settings.strategy.own});
  if (header.pairs.empty()) return;
  std::vector<std::string> shown;
  for (const search::VerifiedPair& pair : header.pairs)
    shown.push_back(fmt::format("{} ({:.2f}x)", pair.kernel, pair.gain));
  note(fmt::format("prompts may show what earlier searches found for {}", fmt::join(shown, ", ")));
}

// Rates of this machine's processor say nothing of another machine's, nor of a device's.
search::TaskFacts facts_of(const TuningTask& task, const Evaluator& evaluator, const bundle::Answer& timed) {
  const auto& [spec, unit, options, settings, slice] = task;
  search::TaskFacts facts = gather_facts(spec, unit.command, evaluator.compiler(), timed.measurement);
  if (options.executor == "local" && !spec.cuda) add_roofline(facts, spec, unit.command, options.frontend);
  if (spec.cuda) add_device_roofline(facts, spec, timed, timed.rates);
  return facts;
}

}  // namespace

Result<search::TaskFacts> describe_task(const TuningTask& task, Evaluator& evaluator, std::stop_token stop) {
  HONE_TRY(const bundle::Answer timed, evaluator.time_original(stop));
  return facts_of(task, evaluator, timed);
}

Result<RecordingHeader> describe_run(const TuningTask& task, Evaluator& evaluator, std::stop_token stop,
                                     const Note& note) {
  const auto& [spec, unit, options, settings, slice] = task;
  HONE_TRY(const bundle::Answer timed, evaluator.time_original(stop));
  RecordingHeader header = begin_header(task, note);
  header.facts = facts_of(task, evaluator, timed);
  add_pairs(task, header, note);
  if (evaluator.architecture().empty()) evaluator.compile_candidates_for(timed.architecture);
  if (evaluator.leaves_architectures_out())
    header.facts.hardware.gpu += fmt::format("; what you write is compiled for {} alone, and used on its family alone",
                                             evaluator.architecture());
  if (shows_profiles(settings.strategy)) {
    Profile profile = Profiler(spec, header.facts, evaluator, stop).original(timed.measurement);
    header.facts.profile = std::move(profile.text);
    if (profile.counted) add_counters(header.facts, *profile.counted);
    if (!profile.uncounted.empty()) note("prompts are without the device's counters: " + profile.uncounted);
  }
  return header;
}

RecordingHeader describe_run_without_device(const TuningTask& task, Evaluator& evaluator, std::stop_token stop,
                                            const Note& note) {
  const auto& [spec, unit, options, settings, slice] = task;
  RecordingHeader header = begin_header(task, note);
  header.facts = gather_facts(spec, unit.command, evaluator.compiler(), untimed(spec));
  add_pairs(task, header, note);
  const bool profiles = shows_profiles(settings.strategy);
  if (profiles) header.facts.profile = Profiler(spec, header.facts, evaluator, stop).original_as_compiled();
  note(
      fmt::format("on one, a run measures the original's time on each problem and the device's bandwidth and rates of "
                  "arithmetic, and asks for its name, multiprocessors, clock, caches, registers and shared memory{}: "
                  "the prompt is without them",
                  profiles ? ", and ncu for the original's counters" : ""));
  return header;
}

Dialogue open_dialogue(search::Search& search, const RecordingHeader& header, const project::Settings& settings) {
  search::Materials materials;
  materials.notes = settings.notes;
  materials.pairs = header.pairs;
  return Dialogue(search, header.facts, std::move(materials), settings.templates);
}

std::filesystem::path recording_file(const std::filesystem::path& build, const std::string& key, std::uint64_t seed) {
  return build / "hone" / "runs" / fmt::format("{}-{}.calls.jsonl", key, seed);
}

std::optional<Recording> earlier_run(const std::filesystem::path& file, const project::Settings& settings) {
  auto read = Recording::read(file);
  if (!read || read->header.models != settings.models.models.size()) return std::nullopt;
  if (nlohmann::json::parse(read->header.strategy, nullptr, false) !=
      nlohmann::json::parse(settings.strategy_text, nullptr, false))
    return std::nullopt;
  return std::move(*read);
}

}  // namespace hone::tune
