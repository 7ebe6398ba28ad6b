// What a search with a language model starts from: the facts of kernel and machine, and what other kernels taught.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>

#include "tool/base/result.h"
#include "tool/project/settings.h"
#include "tool/tune/model/dialogue.h"
#include "tool/tune/model/recording.h"
#include "tool/tune/trial/evaluator.h"
#include "tool/tune/trial/tuning_task.h"

namespace hone::tune {

// What is said to people on the way.
using Note = std::function<void(const std::string& line)>;

// What is known of kernel and machine, with the least times that its rates allow where these are known. Times the
// original.
Result<search::TaskFacts> describe_task(const TuningTask& task, Evaluator& evaluator, std::stop_token stop);

// Times the original. No seeds: whoever searches finds them.
Result<RecordingHeader> describe_run(const TuningTask& task, Evaluator& evaluator, std::stop_token stop,
                                     const Note& note);

// The same of a CUDA kernel where there is no device: without times, rates, limits and counters.
RecordingHeader describe_run_without_device(const TuningTask& task, Evaluator& evaluator, std::stop_token stop,
                                            const Note& note);

// With the user's own notes and templates. The search is borrowed.
Dialogue open_dialogue(search::Search& search, const RecordingHeader& header, const project::Settings& settings);

// Where the run with this key and seed is recorded.
std::filesystem::path recording_file(const std::filesystem::path& build, const std::string& key, std::uint64_t seed);

// The run that `file` records, if it can go on with these settings: the same strategy, as many models. nullopt: it
// cannot, or there is none.
std::optional<Recording> earlier_run(const std::filesystem::path& file, const project::Settings& settings);

}  // namespace hone::tune
