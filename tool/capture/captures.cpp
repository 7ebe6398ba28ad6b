#include "tool/capture/captures.h"

#include <zstd.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <set>
#include <system_error>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cache/digest.h"
#include "tool/bundle/strict_json.h"
#include "tool/diagnostics/coded_failure.h"
#include "tool/os/files/files.h"

namespace hone::capture {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr int compression = 3;
constexpr std::uint64_t largest_array = std::uint64_t{1} << 30;

fs::path file_of(const fs::path& folder, const std::string& kernel) {
  return folder / "kernels" / (cache::sha256(kernel) + ".json");
}

fs::path blob_of(const fs::path& folder, const std::string& digest) {
  return folder / "cas" / (digest + ".zst");
}

std::string hex(const std::string& bytes) {
  std::string text;
  for (const unsigned char byte : bytes) text += fmt::format("{:02x}", byte);
  return text;
}

std::string unhex(const std::string& text) {
  std::string bytes;
  bundle::require(text.size() % 2 == 0, "an odd number of digits");
  for (std::size_t i = 0; i < text.size(); i += 2) {
    const auto digit = [&](char c) {
      bundle::require((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'), "no digit");
      return c <= '9' ? c - '0' : c - 'a' + 10;
    };
    bytes += static_cast<char>(16 * digit(text[i]) + digit(text[i + 1]));
  }
  return bytes;
}

ScalarKind read_kind(const Json& json) {
  const auto kind = bundle::whole<unsigned>(json);
  bundle::require(kind <= static_cast<unsigned>(ScalarKind::floating), "an unknown kind");
  return static_cast<ScalarKind>(kind);
}

Json written(const CapturedKernel& kernel) {
  Json problems = Json::array();
  for (const CapturedProblem& problem : kernel.problems) {
    Json scalars = Json::array(), inputs = Json::array();
    for (const CapturedValue& scalar : problem.scalars)
      scalars.push_back({{"name", scalar.name},
                         {"kind", static_cast<unsigned>(scalar.kind)},
                         {"size", scalar.size},
                         {"bytes", hex(scalar.bytes)}});
    for (const auto& arrays : problem.inputs) {
      Json one = Json::object();
      for (const auto& [name, array] : arrays)
        one[name] = {{"kind", static_cast<unsigned>(array.kind)},
                     {"size", array.size},
                     {"count", array.count},
                     {"digest", array.digest}};
      inputs.push_back(std::move(one));
    }
    problems.push_back({{"calls", problem.calls},
                        {"nanoseconds", problem.nanoseconds},
                        {"scalars", std::move(scalars)},
                        {"inputs", std::move(inputs)}});
  }
  return {{"kernel", kernel.name}, {"other_calls", kernel.other_calls}, {"problems", std::move(problems)}};
}

CapturedProblem read_problem(const Json& json) {
  CapturedProblem problem;
  problem.calls = bundle::whole<std::uint64_t>(json.at("calls"));
  problem.nanoseconds = bundle::whole<std::uint64_t>(json.at("nanoseconds"));
  for (const Json& one : bundle::list(json.at("scalars"))) {
    CapturedValue scalar{.name = one.at("name").get<std::string>(),
                         .kind = read_kind(one.at("kind")),
                         .size = bundle::whole<unsigned>(one.at("size")),
                         .count = 1,
                         .bytes = unhex(one.at("bytes").get<std::string>())};
    bundle::require(scalar.bytes.size() == scalar.size, "a scalar of another size");
    problem.scalars.push_back(std::move(scalar));
  }
  for (const Json& arrays : bundle::list(json.at("inputs"))) {
    std::map<std::string, CapturedArray> inputs;
    for (const auto& [name, one] : arrays.items()) {
      CapturedArray array{.kind = read_kind(one.at("kind")),
                          .size = bundle::whole<unsigned>(one.at("size")),
                          .count = bundle::whole<std::uint64_t>(one.at("count")),
                          .digest = one.at("digest").get<std::string>()};
      bundle::require(cache::is_digest(array.digest), "no digest");
      bundle::require(array.size > 0 && array.count <= largest_array / array.size, "too large an array");
      inputs.emplace(name, std::move(array));
    }
    problem.inputs.push_back(std::move(inputs));
  }
  return problem;
}

Result<void> keep_array(const fs::path& folder, const std::string& digest, const std::string& bytes) {
  std::error_code error;
  if (fs::exists(blob_of(folder, digest), error)) return {};
  std::string packed(ZSTD_compressBound(bytes.size()), '\0');
  const std::size_t size = ZSTD_compress(packed.data(), packed.size(), bytes.data(), bytes.size(), compression);
  if (ZSTD_isError(size))
    return coded_failure(DiagnosticCode::capture_unusable,
                         "a captured array cannot be compressed: " + std::string(ZSTD_getErrorName(size)));
  packed.resize(size);
  return os::write_file_atomically(blob_of(folder, digest), packed);
}

CapturedProblem& problem_of(CapturedKernel& kernel, const std::vector<CapturedValue>& scalars) {
  const auto known = std::ranges::find(kernel.problems, scalars, &CapturedProblem::scalars);
  if (known != kernel.problems.end()) return *known;
  kernel.problems.push_back({.scalars = scalars});
  return kernel.problems.back();
}

std::map<std::string, std::uint64_t> blobs_of(const CapturedProblem& problem) {
  std::map<std::string, std::uint64_t> blobs;  // bytes by digest
  for (const auto& inputs : problem.inputs)
    for (const auto& [name, array] : inputs) blobs[array.digest] = array.size * array.count;
  return blobs;
}

std::uint64_t bytes_of(const CapturedKernel& kernel) {
  std::map<std::string, std::uint64_t> blobs;  // each once
  for (const CapturedProblem& problem : kernel.problems) blobs.merge(blobs_of(problem));
  std::uint64_t total = 0;
  for (const auto& [digest, bytes] : blobs) total += bytes;
  return total;
}

Result<void> add_inputs(const fs::path& folder, const CapturedCall& call, const CaptureLimits& limits,
                        CapturedKernel& kernel) {
  CapturedProblem& problem = problem_of(kernel, call.scalars);
  std::map<std::string, CapturedArray> inputs;
  std::uint64_t bytes = 0;
  for (const CapturedValue& array : call.arrays) {
    bytes += array.bytes.size();
    inputs[array.name] = {array.kind, array.size, array.count, cache::sha256(array.bytes)};
  }
  if (problem.inputs.size() >= limits.inputs || bytes_of(kernel) + bytes > limits.bytes ||
      std::ranges::count(problem.inputs, inputs))
    return {};
  for (const CapturedValue& array : call.arrays) HONE_CHECK(keep_array(folder, inputs[array.name].digest, array.bytes));
  problem.inputs.push_back(std::move(inputs));
  return {};
}

bool has_scalars(const CapturedKernel& kernel) {
  return std::ranges::any_of(kernel.problems, [](const CapturedProblem& one) { return !one.scalars.empty(); });
}

bool is_timed(const CapturedKernel& kernel) {
  return std::ranges::any_of(kernel.problems, [](const CapturedProblem& one) { return one.nanoseconds > 0; });
}

// Those that count most stay; what goes is counted with the others.
void cut(CapturedKernel& kernel, const CaptureLimits& limits) {
  const auto weight = is_timed(kernel) ? &CapturedProblem::nanoseconds : &CapturedProblem::calls;
  std::ranges::stable_sort(kernel.problems, std::ranges::greater(), weight);
  while (kernel.problems.size() > limits.problems) {
    kernel.other_calls += kernel.problems.back().calls;
    kernel.problems.pop_back();
  }
}

template <class T>
double as(const std::string& bytes) {
  T value{};
  std::memcpy(&value, bytes.data(), std::min(sizeof value, bytes.size()));
  return static_cast<double>(value);
}

std::string floating(double value) {
  std::string text = fmt::format("{:.17g}", value);
  return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

// So that nothing reads them as names of types, or as negations of what no type holds.
std::string integer(const CapturedValue& scalar) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, scalar.bytes.data(), std::min(sizeof bits, scalar.bytes.size()));
  if (scalar.kind != ScalarKind::signed_integer)
    return std::to_string(bits) + (bits > std::numeric_limits<std::int64_t>::max() ? "u" : "");
  const unsigned unused = 64 - 8 * scalar.size;
  const std::int64_t value = static_cast<std::int64_t>(bits << unused) >> unused;
  return value == std::numeric_limits<std::int64_t>::min() ? "(-9223372036854775807 - 1)" : std::to_string(value);
}

// Blobs that no kernel names any more.
void prune(const fs::path& folder) {
  std::set<std::string> named;
  std::error_code error;
  for (const fs::directory_entry& file : fs::directory_iterator(folder / "kernels", error)) {
    const auto text = os::read_file(file.path());
    if (!text) return;
    try {
      const Json json = bundle::parse_strictly(*text);
      for (const Json& problem : json.at("problems"))
        for (const auto& [digest, bytes] : blobs_of(read_problem(problem))) named.insert(digest);
    } catch (const std::exception&) {
      return;  // whatever it names stays
    }
  }
  for (const fs::directory_entry& blob : fs::directory_iterator(folder / "cas", error))
    if (!named.contains(blob.path().stem().string())) fs::remove(blob.path(), error);
}

Result<void> prepare(const fs::path& folder) {
  std::error_code error;
  const bool is_new = fs::create_directories(folder / "kernels", error);
  fs::create_directories(folder / "cas", error);
  if (!is_new) return {};
  return os::write_file_atomically(folder / ".gitignore",
                                   "# Captured inputs are your data. Remove this file to commit them.\n*\n");
}

}  // namespace

std::uint64_t CapturedKernel::calls() const {
  return std::accumulate(problems.begin(), problems.end(), other_calls,
                         [](std::uint64_t sum, const CapturedProblem& problem) { return sum + problem.calls; });
}

Result<std::vector<CapturedKernel>> add_captures(const fs::path& folder, const std::vector<CapturedCall>& calls,
                                                 const CaptureLimits& limits) {
  HONE_CHECK(prepare(folder));
  HONE_TRY(const os::FileLock alone, os::FileLock::acquire(folder / "lock"));
  std::set<std::string> names;
  for (const CapturedCall& call : calls) names.insert(call.kernel);
  std::vector<CapturedKernel> kernels;
  for (const std::string& name : names) {
    CapturedKernel kernel = read_captures(folder, name);
    kernel.name = name;
    for (const CapturedCall& call : calls) {
      if (call.kernel != name) continue;
      if (call.calls == 0) {
        HONE_CHECK(add_inputs(folder, call, limits, kernel));
      } else if (call.scalars.empty() && has_scalars(kernel)) {
        kernel.other_calls += call.calls;
      } else {
        CapturedProblem& problem = problem_of(kernel, call.scalars);
        problem.calls += call.calls;
        problem.nanoseconds += call.nanoseconds;
      }
    }
    cut(kernel, limits);
    HONE_CHECK(os::write_file_atomically(file_of(folder, name), written(kernel).dump(1) + "\n"));
    kernels.push_back(std::move(kernel));
  }
  prune(folder);
  return kernels;
}

void remove_captures(const fs::path& folder, const std::string& kernel) {
  std::error_code error;
  fs::remove(file_of(folder, kernel), error);
}

CapturedKernel read_captures(const fs::path& folder, const std::string& kernel) {
  CapturedKernel captured{.name = kernel};
  const auto text = os::read_file(file_of(folder, kernel));
  if (!text) return captured;
  try {
    const Json json = bundle::parse_strictly(*text);
    if (json.at("kernel").get<std::string>() != kernel) return captured;
    CapturedKernel whole{.name = kernel, .other_calls = bundle::whole<std::uint64_t>(json.at("other_calls"))};
    for (const Json& problem : bundle::list(json.at("problems"))) whole.problems.push_back(read_problem(problem));
    captured = std::move(whole);
  } catch (const std::exception&) {  // of another version, or damaged
  }
  return captured;
}

Result<std::string> read_array(const fs::path& folder, const CapturedArray& array) {
  const fs::path file = blob_of(folder, array.digest);
  HONE_TRY(const std::string packed, os::read_file(file));
  std::string bytes(array.size * array.count, '\0');
  const std::size_t size = ZSTD_decompress(bytes.data(), bytes.size(), packed.data(), packed.size());
  if (ZSTD_isError(size) || size != bytes.size() || cache::sha256(bytes) != array.digest)
    return coded_failure(DiagnosticCode::capture_unusable, "a captured array is damaged", file.string(),
                         "remove it and capture again");
  return bytes;
}

fs::path folder_beside(const fs::path& lock) {
  return lock.parent_path() / "hone" / "captures";
}

double share_of(const CapturedKernel& kernel, const CapturedProblem& problem) {
  if (!is_timed(kernel))
    return static_cast<double>(problem.calls) / static_cast<double>(std::max<std::uint64_t>(kernel.calls(), 1));
  double all = 0;
  for (const CapturedProblem& one : kernel.problems) all += static_cast<double>(one.nanoseconds);
  return static_cast<double>(problem.nanoseconds) / all;
}

std::optional<std::string> text_of(const CapturedValue& scalar) {
  if (scalar.size == 0 || scalar.size > sizeof(std::uint64_t) || scalar.bytes.size() != scalar.size)
    return std::nullopt;
  if (scalar.kind != ScalarKind::floating) return integer(scalar);
  if (scalar.size != sizeof(float) && scalar.size != sizeof(double)) return std::nullopt;
  const double value = scalar.size == sizeof(float) ? as<float>(scalar.bytes) : as<double>(scalar.bytes);
  return std::isfinite(value) ? std::optional(floating(value)) : std::nullopt;
}

std::string label_of(const CapturedProblem& problem) {
  std::string label;
  for (const CapturedValue& scalar : problem.scalars) {
    const bool single = scalar.kind == ScalarKind::floating && scalar.size == sizeof(float);
    const std::string value = single ? fmt::format("{:g}", as<float>(scalar.bytes)) : text_of(scalar).value_or("?");
    label += (label.empty() ? "" : " ") + scalar.name + '=' + value;
  }
  return label.empty() ? "one size" : label;
}

}  // namespace hone::capture
