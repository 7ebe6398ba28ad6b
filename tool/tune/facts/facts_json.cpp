#include "tool/tune/facts/facts_json.h"

#include <stdexcept>

#include <nlohmann/json.hpp>

namespace hone {

void to_json(nlohmann::json& json, const DeviceLimits& limits) {
  for (const auto& [name, limit] : device_limits) json[name] = limits.*limit;
}
void from_json(const nlohmann::json& json, DeviceLimits& limits) {
  for (const auto& [name, limit] : device_limits) limits.*limit = json.value(name, std::uint64_t{0});
}

}  // namespace hone

namespace hone::search {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(CacheLevel, level, bytes, line, shared_by)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(PeakRate, on, rate)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Hardware, cpu, gpu, cores, vector_bits, vector_registers, caches,
                                                bandwidth, peak_operations, peaks, device)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(TaskProblem, label, weight, seconds, bytes, bandwidth, operations,
                                                floor_seconds)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(TaskFacts, kernel, function, signature, definition, closure, scope,
                                                annotation, launch, launcher, no_launcher, tolerance, language,
                                                compiler, flags, target, hardware, problems, threads, profile)

}  // namespace hone::search

namespace hone::tune {
namespace {

using nlohmann::json;

// The same kinds of values: nlohmann converts numbers, and what does not fit with luck only.
void require_alike(const json& given, const json& like) {
  const bool alike = like.is_number_unsigned() ? given.is_number_unsigned()
                     : like.is_number()        ? given.is_number()
                                               : given.type() == like.type();
  if (!alike) throw std::invalid_argument("a fact is of another kind");
  if (like.is_object())
    for (const auto& [name, value] : like.items())
      if (const auto member = given.find(name); member != given.end()) require_alike(*member, value);
  if (like.is_array())
    for (const json& element : given) require_alike(element, like.front());
}

}  // namespace

nlohmann::json facts_json(const search::TaskFacts& facts) {
  return facts;
}

search::TaskFacts facts_from(const nlohmann::json& from) {
  search::TaskFacts like;
  like.hardware.caches.emplace_back();
  like.hardware.peaks.emplace_back();
  like.problems.emplace_back();
  require_alike(from, like);
  return from.get<search::TaskFacts>();
}

}  // namespace hone::tune
