#include "tool/capture/captured_inputs.h"

#include <algorithm>
#include <optional>

#include "tool/capture/captures.h"
#include "tool/model/workload_kernel.h"

namespace hone::capture {
namespace {

constexpr std::size_t scalar_bytes = 16;  // what the judge keeps for one (runner/protocol.h)

using Inputs = std::map<std::string, CapturedArray>;

bool is_plain(const Parameter& parameter) {
  return !parameter.element.fields.empty() && !parameter.stream;
}

std::optional<std::string> scalar_of(const std::filesystem::path& folder, const Parameter& parameter,
                                     const CapturedProblem& problem, const Inputs& inputs) {
  std::string bytes;
  const auto size = std::ranges::find(problem.scalars, parameter.name, &CapturedValue::name);
  if (size != problem.scalars.end()) {
    bytes = size->bytes;
  } else if (const auto input = inputs.find(parameter.name); input != inputs.end() && input->second.count == 1) {
    const auto read = read_array(folder, input->second);
    if (!read) return std::nullopt;
    bytes = *read;
  }
  if (bytes.size() != parameter.element.size || bytes.size() > scalar_bytes) return std::nullopt;
  bytes.resize(scalar_bytes, '\0');
  return bytes;
}

std::optional<std::string> array_of(const std::filesystem::path& folder, const Parameter& parameter,
                                    const Inputs& inputs) {
  if (parameter.role == Role::out) return "";
  const auto input = inputs.find(parameter.name);
  if (input == inputs.end() || input->second.size != parameter.element.size ||
      input->second.kind != parameter.element.fields.front().type.kind)
    return std::nullopt;
  auto read = read_array(folder, input->second);
  return read ? std::optional(std::move(*read)) : std::nullopt;
}

std::optional<bundle::Given> given_of(const std::filesystem::path& folder, const KernelData& data,
                                      const CapturedProblem& problem, const Inputs& inputs) {
  bundle::Given given{.origin = "captured", .captured = true};
  for (const Parameter& parameter : data.parameters) {
    std::optional<std::string> scalar = "", array = "";
    if (parameter.stream || parameter.composed)
      scalar = std::string(scalar_bytes, '\0');
    else if (!is_plain(parameter))
      return std::nullopt;
    else if (parameter.pointer)
      array = array_of(folder, parameter, inputs);
    else
      scalar = scalar_of(folder, parameter, problem, inputs);
    if (!scalar || !array) return std::nullopt;
    given.scalars.push_back(std::move(*scalar));
    given.arrays.push_back(std::move(*array));
  }
  return given;
}

std::size_t bytes_of(const Inputs& inputs) {
  std::size_t bytes = 0;
  for (const auto& [name, array] : inputs) bytes += array.size * array.count;
  return bytes;
}

}  // namespace

std::vector<bundle::Given> captured_inputs(const std::filesystem::path& folder, const std::string& name,
                                           const KernelData& data) {
  std::vector<bundle::Given> all;
  if (has_workload(data)) return all;
  const CapturedKernel kernel = read_captures(folder, name);
  std::size_t bytes = 0, longest = 0;
  for (const CapturedProblem& problem : kernel.problems) longest = std::max(longest, problem.inputs.size());
  for (std::size_t turn = 0; turn < longest; ++turn)
    for (const CapturedProblem& problem : kernel.problems) {
      if (all.size() == most_inputs_judged) return all;
      if (turn >= problem.inputs.size()) continue;
      const Inputs& inputs = problem.inputs[turn];
      if (bytes + bytes_of(inputs) > most_bytes_judged) continue;
      auto given = given_of(folder, data, problem, inputs);
      if (!given) continue;
      bytes += bytes_of(inputs);
      all.push_back(std::move(*given));
    }
  return all;
}

}  // namespace hone::capture
