#include "tool/tune/facts_json.h"

#include <nlohmann/json.hpp>

namespace hone::search {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(CacheLevel, level, bytes, line, shared_by)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Hardware, cpu, gpu, cores, vector_bits, vector_registers, caches,
                                                bandwidth, peak_operations)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(TaskProblem, label, weight, seconds, bytes, operations, floor_seconds)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(TaskFacts, kernel, function, signature, definition, closure, scope,
                                                annotation, tolerance, language, compiler, flags, target, hardware,
                                                problems, threads, profile)

}  // namespace hone::search

namespace hone::tune {

nlohmann::json facts_json(const search::TaskFacts& facts) {
  return facts;
}

search::TaskFacts facts_from(const nlohmann::json& from) {
  return from.get<search::TaskFacts>();
}

}  // namespace hone::tune
