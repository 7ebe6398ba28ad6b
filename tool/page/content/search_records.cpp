#include "tool/page/content/search_records.h"

#include <charconv>

#include "tool/tune/model/recording.h"
#include "tool/tune/model/run_header.h"

namespace hone::page {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t key_digits = 64;

void add(ModelSpending& spending, const llm::Usage& usage) {
  spending.input_tokens += usage.input_tokens;
  spending.output_tokens += usage.output_tokens;
  spending.cached_tokens += usage.cached_tokens;
  spending.cost += usage.cost;
  spending.estimated |= usage.estimated;
}

ModelSpending spending_in(const tune::Recording& recording) {
  ModelSpending spending;
  for (const tune::Event& event : recording.events) {
    if (const auto* replied = std::get_if<tune::Replied>(&event)) {
      ++spending.calls;
      spending.seconds += replied->seconds;
      add(spending, replied->usage);
    } else if (const auto* failed = std::get_if<tune::CallFailed>(&event)) {
      ++spending.calls;
      ++spending.failed;
      add(spending, failed->usage);
    }
  }
  return spending;
}

// <key>-<seed>.jsonl, and none of the recordings beside it.
std::optional<std::uint64_t> seed_of_journal(const std::string& name) {
  constexpr std::string_view suffix = ".jsonl";
  if (name.size() <= key_digits + 1 + suffix.size() || name[key_digits] != '-' || !name.ends_with(suffix)) return {};
  const char* const end = name.data() + name.size() - suffix.size();
  std::uint64_t seed = 0;
  const auto [rest, error] = std::from_chars(name.data() + key_digits + 1, end, seed);
  return error == std::errc() && rest == end ? std::optional(seed) : std::nullopt;
}

}  // namespace

SearchRecords::SearchRecords(const fs::path& build) : build_(build) {
  if (build.empty()) return;
  std::error_code error;
  for (fs::directory_iterator at(build / "hone" / "runs", error), end; !error && at != end; at.increment(error)) {
    const std::string name = at->path().filename().string();
    std::error_code gone;
    if (const auto seed = seed_of_journal(name))
      journals_.emplace(name.substr(0, key_digits), Journal{*seed, at->path(), at->last_write_time(gone)});
  }
}

std::optional<SearchRecords::Found> SearchRecords::of(const std::string& key, std::optional<std::uint64_t> seed,
                                                      const std::function<void(const std::string&)>& trouble) const {
  const Journal* chosen = nullptr;
  const auto [first, last] = journals_.equal_range(key);
  for (auto one = first; one != last; ++one) {
    const Journal& journal = one->second;
    const bool wanted = seed == journal.seed, better = chosen && chosen->seed == seed;
    if (!chosen || wanted || (!better && journal.time > chosen->time)) chosen = &journal;
  }
  if (!chosen) return std::nullopt;
  auto run = tune::read_journal(chosen->file);
  if (!run) {
    trouble(run.error().message());
    return std::nullopt;
  }
  const bool running = !run->done && tune::is_written(chosen->file);
  Found found{{std::move(*run), running}, {}, {}};
  const fs::path calls = tune::recording_file(build_, key, chosen->seed);
  std::error_code error;
  if (!fs::exists(calls, error)) return found;
  const auto recording = tune::Recording::read(calls);
  if (!recording) {
    trouble(recording.error().message());
    return found;
  }
  found.spending = spending_in(*recording);
  for (const search::TaskProblem& problem : recording->header.facts.problems)
    if (problem.floor_seconds > 0) found.least[problem.label] = problem.floor_seconds;
  return found;
}

}  // namespace hone::page
