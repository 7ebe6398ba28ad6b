#include "tool/search/memory/memory.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace hone::search {
namespace {

using nlohmann::json;

constexpr unsigned best_grade = 3;
// Ratios that are read or learned are kept within these, so that their logarithms stay finite.
constexpr double least_ratio = 1e-6, most_ratio = 1e6;
constexpr unsigned most_count = 1'000'000'000;

double ratio_of(double gain) {
  return std::clamp(std::exp(gain), least_ratio, most_ratio);
}

double gain(double ratio) {
  return std::log(std::max(ratio, least_ratio));
}

Result<Experience> read_entry(const json& text, std::size_t index) {
  const std::string where = fmt::format("entry {}", index + 1);
  const auto bad = [&](const char* what) { return failure(fmt::format("the memory's {}", what), where); };
  if (!text.is_object() || !text.contains("technique") || !text["technique"].is_string())
    return bad("entry must be an object with a technique");
  Experience entry;
  entry.technique = text["technique"].get<std::string>();
  const auto number = [&](const char* key, double& value, double low, double high) {
    const auto at = text.find(key);
    if (at == text.end()) return true;
    if (!at->is_number() || !(at->get<double>() >= low) || !(at->get<double>() <= high)) return false;
    value = at->get<double>();
    return true;
  };
  double uses = 0, failures = 0;
  if (!number("predicted", entry.predicted, least_ratio, most_ratio))
    return bad("\"predicted\" must be a ratio above zero");
  if (!number("actual", entry.actual, least_ratio, most_ratio)) return bad("\"actual\" must be a ratio above zero");
  if (!number("confidence", entry.confidence, 0, 1)) return bad("\"confidence\" must be from 0 to 1");
  if (!number("uses", uses, 0, most_count) || !number("failures", failures, 0, most_count))
    return bad("counts must be from 0 to a thousand million");
  entry.uses = static_cast<unsigned>(uses);
  entry.failures = static_cast<unsigned>(failures);
  for (const auto& [key, value] : {std::pair{"bottleneck", &entry.state.bottleneck}, {"note", &entry.note}}) {
    const auto at = text.find(key);
    if (at == text.end()) continue;
    if (!at->is_string()) return bad("\"bottleneck\" and \"note\" must be text");
    *value = at->get<std::string>();
  }
  if (const auto axes = text.find("axes"); axes != text.end()) {
    if (!axes->is_object()) return bad("\"axes\" must be an object");
    for (const auto& [axis, grade] : axes->items()) {
      if (!grade.is_number_unsigned() || grade.get<std::uint64_t>() > best_grade) return bad("grades are 0 to 3");
      entry.state.axes[axis] = grade.get<unsigned>();
    }
  }
  return entry;
}

}  // namespace

std::string in_words(const KernelState& state) {
  std::string text = state.bottleneck.empty() ? "unknown" : state.bottleneck;
  const char* separator = "; ";
  for (const auto& [axis, grade] : state.axes) {
    text += fmt::format("{}{} {}", separator, axis, grade);
    separator = ", ";
  }
  return text;
}

double similarity(const KernelState& one, const KernelState& other) {
  const double same = one.bottleneck == other.bottleneck ? 0.5 : 0;
  double agreement = 0;
  std::size_t shared = 0;
  for (const auto& [axis, grade] : one.axes) {
    const auto at = other.axes.find(axis);
    if (at == other.axes.end()) continue;
    const unsigned apart = grade > at->second ? grade - at->second : at->second - grade;
    agreement += 1 - static_cast<double>(std::min(apart, best_grade)) / best_grade;
    ++shared;
  }
  // Without a common axis the class alone speaks.
  return same + 0.5 * (shared ? agreement / static_cast<double>(shared) : same * 2);
}

double reward(double predicted, double actual) {
  double value = gain(actual);
  // Where next to nothing was predicted (below 0.1%), a ratio of gains says nothing.
  const double share = std::abs(gain(predicted)) < 1e-3 ? 0 : gain(actual) / gain(predicted);
  if (share >= 0.8 && share <= 1.2) value += 0.2;
  if (actual < 1) value -= 0.5;
  return value;
}

bool disappoints(double predicted, double actual) {
  return gain(predicted) > 0 && gain(actual) < 0.5 * gain(predicted);
}

double Memory::relevance(const Experience& entry, const KernelState& state) const {
  // Predictions count fully before anything was measured; after that measurements do, less what fails.
  const double measured = entry.uses ? gain(entry.actual) : gain(entry.predicted);
  const double right = static_cast<double>(entry.uses + 1) / (entry.uses + entry.failures + 1);
  const double expected =
      entry.confidence * measured + (1 - entry.confidence) * 0.5 * (measured + gain(entry.predicted));
  return similarity(entry.state, state) * right * std::max(expected, 0.01);
}

std::vector<Experience> Memory::relevant(const KernelState& state, std::size_t most) const {
  std::vector<Experience> sorted = entries_;
  std::stable_sort(sorted.begin(), sorted.end(),
                   [&](const Experience& a, const Experience& b) { return relevance(a, state) > relevance(b, state); });
  while (!sorted.empty() && (sorted.size() > most || relevance(sorted.back(), state) <= 0)) sorted.pop_back();
  return sorted;
}

std::optional<Experience> Memory::sample(const KernelState& state, Random& random,
                                         const std::vector<std::string>& but) const {
  std::vector<double> weights;
  double sum = 0;
  for (const Experience& known : entries_) {
    const bool left_out = std::find(but.begin(), but.end(), known.technique) != but.end();
    weights.push_back(left_out ? 0 : std::pow(relevance(known, state), 3));
    sum += weights.back();
  }
  if (!(sum > 0)) return but.empty() ? std::nullopt : sample(state, random);
  return entries_[random.weighted(weights)];
}

Experience& Memory::entry(const KernelState& state, const std::string& technique) {
  const auto known = std::find_if(entries_.begin(), entries_.end(), [&](const Experience& other) {
    return other.technique == technique && other.state == state;
  });
  if (known != entries_.end()) return *known;
  Experience fresh;
  fresh.state = state;
  fresh.technique = technique;
  const auto before = [](const Experience& a, const Experience& b) {
    return std::tie(a.state.bottleneck, a.state.axes, a.technique) <
           std::tie(b.state.bottleneck, b.state.axes, b.technique);
  };
  return *entries_.insert(std::upper_bound(entries_.begin(), entries_.end(), fresh, before), fresh);
}

void Memory::expect(const KernelState& state, const std::string& technique, double predicted) {
  Experience& known = entry(state, technique);
  if (known.uses + known.failures == 0 && known.predicted == 1)
    known.predicted = std::clamp(predicted, least_ratio, most_ratio);
}

void Memory::record(const KernelState& state, const std::string& technique, double predicted,
                    std::optional<double> actual) {
  Experience& known = entry(state, technique);
  if (known.uses + known.failures == 0 && known.predicted == 1)
    known.predicted = std::clamp(predicted, least_ratio, most_ratio);
  if (!actual) {
    known.failures = std::min(known.failures + 1, most_count);
    known.confidence *= 0.8;
    return;
  }
  known.actual = ratio_of((gain(known.actual) * known.uses + gain(*actual)) / (known.uses + 1));
  known.uses = std::min(known.uses + 1, most_count);
  // What was rewarded beyond its bare gain was well predicted: trust it more, and what disappointed less.
  const double agreement = reward(predicted, *actual) > gain(*actual) ? 1 : disappoints(predicted, *actual) ? 0 : 0.5;
  known.confidence += (agreement - known.confidence) / 3;
  known.predicted = ratio_of(0.5 * (gain(known.predicted) + gain(known.actual)));
}

void Memory::note(const KernelState& state, const std::string& technique, std::string text) {
  entry(state, technique).note = std::move(text);
}

std::string Memory::serialize() const {
  json entries = json::array();
  for (const Experience& known : entries_)
    entries.push_back({{"bottleneck", known.state.bottleneck},
                       {"axes", known.state.axes},
                       {"technique", known.technique},
                       {"predicted", known.predicted},
                       {"actual", known.actual},
                       {"confidence", known.confidence},
                       {"uses", known.uses},
                       {"failures", known.failures},
                       {"note", known.note}});
  const json document{{"memory", 1}, {"entries", std::move(entries)}};
  return document.dump(1, ' ', false, json::error_handler_t::replace) + "\n";
}

Result<Memory> Memory::parse(std::string_view text) {
  const json document = json::parse(text, nullptr, false);
  if (!document.is_object() || document.value("memory", json()) != 1 || !document.value("entries", json()).is_array())
    return failure("this is no memory of version 1", "", "delete it to start without one");
  Memory memory;
  std::size_t index = 0;
  for (const json& entry : document["entries"]) {
    HONE_TRY(const Experience read, read_entry(entry, index++));
    memory.entry(read.state, read.technique) = read;
  }
  return memory;
}

}  // namespace hone::search
