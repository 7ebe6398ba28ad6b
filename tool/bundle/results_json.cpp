#include "tool/bundle/results_json.h"

#include <stdexcept>

#include "tool/bundle/strict_json.h"
#include "tool/model/launch_figures.h"

namespace hone::bundle {
namespace {

using Json = nlohmann::json;

Json write_counts(const ExecutionCounts& counts) {
  Json lines = Json::array();
  for (const LineCounts& line : counts.lines)
    lines.push_back(
        {{"line", line.line}, {"instructions", line.instructions}, {"first_level_misses", line.first_level_misses}});
  return {{"problem", counts.problem},
          {"instructions", counts.instructions},
          {"accesses", counts.accesses},
          {"first_level_misses", counts.first_level_misses},
          {"last_level_misses", counts.last_level_misses},
          {"branches", counts.branches},
          {"mispredictions", counts.mispredictions},
          {"lines", std::move(lines)}};
}

ExecutionCounts read_counts(const Json& json) {
  ExecutionCounts counts;
  counts.problem = line(json.at("problem"));
  counts.instructions = finite(json.at("instructions"));
  counts.accesses = finite(json.at("accesses"));
  counts.first_level_misses = finite(json.at("first_level_misses"));
  counts.last_level_misses = finite(json.at("last_level_misses"));
  counts.branches = finite(json.at("branches"));
  counts.mispredictions = finite(json.at("mispredictions"));
  for (const Json& item : list(json.at("lines")))
    counts.lines.push_back({.line = item.at("line").get<unsigned>(),
                            .instructions = finite(item.at("instructions")),
                            .first_level_misses = finite(item.at("first_level_misses"))});
  require(counts.lines.size() <= 100, "it counts too many lines");
  return counts;
}

Json write_profile(const DeviceProfile& profile) {
  Json kernels = Json::array();
  for (const LaunchCounters& one : profile.kernels) {
    Json kernel{{"kernel", one.kernel}, {"grid", one.grid},       {"block", one.block},
                {"times", one.times},   {"seconds", one.seconds}, {"total_seconds", one.total_seconds}};
    for (const LaunchFigure& figure : launch_figures())
      if (const auto& value = one.*figure.value) kernel[figure.name] = *value;
    kernels.push_back(std::move(kernel));
  }
  return {{"problem", profile.problem},
          {"launches", profile.launches},
          {"seconds", profile.seconds},
          {"kernels", std::move(kernels)}};
}

Json write_limits(const DeviceLimits& limits) {
  Json json = Json::object();
  for (const auto& [name, limit] : device_limits) json[name] = limits.*limit;
  return json;
}

DeviceLimits read_limits(const Json& json) {
  DeviceLimits limits;
  for (const auto& [name, limit] : device_limits)
    if (json.contains(name)) limits.*limit = whole<std::uint64_t>(json[name]);
  return limits;
}

Json write_rates(const DeviceRates& rates) {
  return {{"device", rates.device},
          {"copied", rates.copied},
          {"on_float", rates.on_float},
          {"on_double", rates.on_double},
          {"on_half", rates.on_half},
          {"on_tensor_cores", rates.on_tensor_cores},
          {"limits", write_limits(rates.limits)}};
}

DeviceRates read_rates(const Json& json) {
  return {.device = line(json.at("device")),
          .copied = finite(json.at("copied")),
          .on_float = finite(json.at("on_float")),
          .on_double = finite(json.at("on_double")),
          .on_half = finite(json.at("on_half")),
          .on_tensor_cores = finite(json.at("on_tensor_cores")),
          .limits = json.contains("limits") ? read_limits(json["limits"]) : DeviceLimits{}};
}

DeviceProfile read_profile(const Json& json) {
  DeviceProfile profile;
  profile.problem = line(json.at("problem"));
  profile.launches = json.at("launches").get<unsigned>();
  profile.seconds = finite(json.at("seconds"));
  for (const Json& item : list(json.at("kernels"))) {
    LaunchCounters one;
    one.kernel = line(item.at("kernel"));
    one.grid = line(item.at("grid"));
    one.block = line(item.at("block"));
    one.times = item.at("times").get<unsigned>();
    one.seconds = finite(item.at("seconds"));
    one.total_seconds = finite(item.at("total_seconds"));
    for (const LaunchFigure& figure : launch_figures())
      if (item.contains(figure.name)) one.*figure.value = finite(item.at(figure.name));
    profile.kernels.push_back(std::move(one));
  }
  require(!profile.kernels.empty() && profile.kernels.size() <= 100, "it profiles no kernels, or too many");
  return profile;
}

}  // namespace

void write_results(Json& json, const Answer& answer) {
  if (answer.rates) json["rates"] = write_rates(*answer.rates);
  if (answer.counts) json["counts"] = write_counts(*answer.counts);
  if (answer.profile) json["profile"] = write_profile(*answer.profile);
}

void read_results(const Json& json, Answer& answer) {
  if (json.contains("rates")) answer.rates = read_rates(json["rates"]);
  if (json.contains("counts")) answer.counts = read_counts(json["counts"]);
  if (json.contains("profile")) answer.profile = read_profile(json["profile"]);
}

}  // namespace hone::bundle
