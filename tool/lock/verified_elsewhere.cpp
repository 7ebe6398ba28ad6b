#include "tool/lock/verified_elsewhere.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cache/json_place.h"
#include "tool/base/machine_kind.h"
#include "tool/base/printable.h"
#include "tool/command/cuda_architecture.h"

namespace hone::lock {
namespace {

using json = nlohmann::ordered_json;

constexpr unsigned deepest = 32;
constexpr const char* advice = "give it what `hone verify --json` of this version of Hone printed";

void require(bool condition, const char* what) {
  if (!condition) throw std::range_error(what);
}

std::string text_of(const json& kernel, const char* member) {
  const auto found = kernel.find(member);
  return found != kernel.end() && found->is_string() ? printable_line(found->get<std::string>()) : "";
}

cache::Digest digest_of(const json& kernel, const char* member, const char* wrong) {
  const std::string text = text_of(kernel, member);
  require(cache::is_digest(text), wrong);
  return text;
}

double number_of(const json& speedup, const char* member) {
  const auto found = speedup.find(member);
  require(found != speedup.end() && found->is_number(), "\"speedup\" has no median, low and high");
  return found->get<double>();
}

void read_figure(const json& kernel, VerifiedElsewhere& verified) {
  const auto right = kernel.find("right"), speedup = kernel.find("speedup");
  require(right != kernel.end() && right->is_boolean(), "\"right\" is not true or false");
  const std::string stage = text_of(kernel, "stage");
  if (!right->get<bool>()) {
    // What does not even compile there, or an original that fails, says something of the machine and not of the
    // variant.
    const bool ran = (stage == "verify" || stage == "time") && !text_of(kernel, "reason").starts_with("the original");
    if (ran) verified.figure = cache::wrong_figure_of(verified.variant);
    if (!ran) verified.why_none = "it was not judged there: " + text_of(kernel, "reason");
    return;
  }
  require(speedup != kernel.end(), "\"speedup\" is missing");
  if (speedup->is_null()) {
    verified.why_none = "it was not timed there: " + text_of(kernel, "reason");
    return;
  }
  require(speedup->is_object(), "\"speedup\" is not an object");
  verified.figure = cache::figure_of(verified.variant, number_of(*speedup, "median"), number_of(*speedup, "low"),
                                     number_of(*speedup, "high"));
  require(cache::why_no_figure(*verified.figure).empty(), "\"speedup\" is no interval of positive numbers");
}

VerifiedElsewhere verified_of(const json& kernel) {
  require(kernel.is_object(), "a kernel is not an object");
  VerifiedElsewhere verified;
  verified.name = text_of(kernel, "name");
  require(!verified.name.empty(), "\"name\" is missing");
  verified.key = digest_of(kernel, "key", "\"key\" is no digest");
  require(kernel.contains("variant") && kernel.contains("machine"),
          "it does not say which variant it is about, or on which kind of machine");
  if (kernel["variant"].is_null() || kernel["machine"].is_null()) {
    verified.why_none = "it was not judged there: " + text_of(kernel, "reason");
    return verified;
  }
  verified.variant = digest_of(kernel, "variant", "\"variant\" is no digest");
  verified.machine = text_of(kernel, "machine");
  require(is_machine_kind(verified.machine), "\"machine\" is no kind of machine");
  read_figure(kernel, verified);
  return verified;
}

Result<json> parse_json(const std::string& text, const std::string& shown) {
  const auto at = [&](std::size_t offset) { return shown + ":" + cache::line_and_column(text, offset); };
  if (const std::size_t deep = cache::too_deep(text, deepest); deep != text.npos)
    return failure("this is nested too deep", at(deep), advice);
  try {
    json document = json::parse(text);
    if (document.is_object() && document.contains("kernels") && document["kernels"].is_array()) return document;
    return failure("this is not what `hone verify --json` prints: it has no list \"kernels\"", at(0), advice);
  } catch (const json::parse_error& error) {
    return failure("this is not whole JSON", at(error.byte > 0 ? error.byte - 1 : 0), advice);
  } catch (const json::exception&) {
    return failure("this is no usable JSON", shown, advice);
  }
}

// Of several families of GPUs, an entry is about the one whose code it was measured on.
bool ran_there(const cache::LockEntry& entry, const std::string& machine) {
  const std::string architecture = architecture_of_kind(machine);
  if (code_architectures(entry.target).empty()) return architecture.empty();
  if (architecture.empty()) return false;
  return code_families(entry.target).size() < 2 || entry.measured_on.empty() ||
         code_family(entry.target, architecture) == code_family(entry.target, entry.measured_on);
}

std::string why_unused(const cache::LockFile& lock, const VerifiedElsewhere& verified) {
  const auto has = [&](auto&& fits) { return std::ranges::any_of(lock.entries, fits); };
  if (!has([&](const cache::LockEntry& entry) { return entry.name == verified.name; }))
    return "the lock file has no such kernel";
  if (!has([&](const cache::LockEntry& entry) { return entry.key == verified.key; }))
    return "the lock file has it in another state, or for other builds; verify what is committed";
  if (!has([&](const cache::LockEntry& entry) { return entry.variant == verified.variant; }))
    return "the lock file has another variant of it now; verify again";
  if (has([&](const cache::LockEntry& entry) { return entry.variant == verified.variant && entry.sum.broken; }))
    return "its entry does not fit its sum; restore the lock file from version control";
  return "its entry is of another family of devices";
}

}  // namespace

Result<std::vector<VerifiedElsewhere>> read_verified(const std::string& text, const std::string& shown) {
  HONE_TRY(const json document, parse_json(text, shown));
  std::vector<VerifiedElsewhere> all;
  const json& kernels = document["kernels"];
  for (std::size_t index = 0; index < kernels.size(); ++index) try {
      all.push_back(verified_of(kernels[index]));
    } catch (const std::exception& wrong) {
      const std::string place = cache::line_and_column(text, cache::element_offset(text, "kernels", index));
      return failure(fmt::format("this figure is not usable: {}", printable_line(wrong.what())), shown + ":" + place,
                     advice);
    }
  return all;
}

std::vector<std::string> join_verified(cache::LockFile& lock, const std::vector<VerifiedElsewhere>& figures) {
  std::vector<std::string> unused;
  for (const VerifiedElsewhere& verified : figures) {
    const auto say = [&](const std::string& why) { unused.push_back(fmt::format("'{}': {}", verified.name, why)); };
    if (!verified.figure) {
      say(verified.why_none);
      continue;
    }
    bool used = false;
    for (cache::LockEntry& entry : lock.entries) {
      if (entry.key != verified.key || entry.variant != verified.variant) continue;
      if (entry.sum.broken || !ran_there(entry, verified.machine)) continue;
      cache::keep_figures(entry.held_on, {}, verified.variant);
      cache::put_figure(entry.held_on, verified.machine, *verified.figure);
      used = true;
    }
    if (!used) say(why_unused(lock, verified));
  }
  return unused;
}

}  // namespace hone::lock
