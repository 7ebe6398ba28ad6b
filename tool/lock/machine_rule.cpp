#include "tool/lock/machine_rule.h"

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <utility>

#include <fmt/format.h>

#include "tool/base/machine_kind.h"
#include "tool/command/native_target.h"
#include "tool/project/declared_machines.h"
#include "tool/report/text.h"

namespace hone::lock {
namespace {

using cache::MachineFigure;
using cache::Standing;

bool is_device(const std::string& machine) {
  return !architecture_of_kind(machine).empty();
}

// Those of the one sort, processors or devices.
std::vector<std::string> of_sort(std::vector<std::string> machines, bool devices) {
  std::erase_if(machines, [&](const std::string& machine) { return is_device(machine) != devices; });
  return machines;
}

std::vector<std::string> divided(const std::string& list) {
  std::vector<std::string> machines;
  std::istringstream text(list);
  for (std::string one; std::getline(text, one, ';');)
    if (std::string kind = tidy_kind(one); !kind.empty()) machines.push_back(std::move(kind));
  return machines;
}

std::string named_by(const project::TargetSettings& settings) {
  if (!settings.target.empty()) return settings.machine;
  const char* named = std::getenv("HONE_MACHINE");
  return named ? named : "";
}

bool speaks_against(const MachineFigure& figure) {
  const Standing standing = cache::standing_of(figure);
  return standing == Standing::slower || standing == Standing::wrong;
}

cache::HeldOn disputes(const cache::LockEntry& entry) {
  if (!entry.variant) return {};
  cache::HeldOn against = cache::figures_about(entry.held_on, *entry.variant);
  std::erase_if(against, [](const auto& one) { return !speaks_against(one.second); });
  return against;
}

std::string in_words(const std::string& machine, const MachineFigure& figure) {
  if (!figure.right) return fmt::format("was wrong on \"{}\" (hone.lock)", machine);
  return fmt::format("is {} on \"{}\" (hone.lock)", report::times(figure.median), machine);
}

}  // namespace

bool is_disputed(const cache::LockEntry& entry) {
  return !disputes(entry).empty();
}

MachineRule::MachineRule(const project::ProjectUnit& unit)
    : lock_(unit.settings.lock),
      named_(divided(named_by(unit.settings))),
      native_(is_for_this_machine(unit.command.arguments)) {}

bool MachineRule::is_for(const std::string& machine) {
  const bool device = is_device(machine);
  const auto has = [&](const std::vector<std::string>& machines) {
    return std::ranges::find(machines, machine) != machines.end();
  };
  if (const auto named = of_sort(named_, device); !named.empty()) return has(named);
  if (native_ && !device) return machine == processor_kind();
  if (!declared_) {
    auto declared = project::declared_machines(lock_);
    if (!declared) trouble_ = declared.error();
    declared_ = std::move(declared).value_or(std::vector<std::string>());
  }
  const auto declared = of_sort(*declared_, device);
  return declared.empty() || has(declared);
}

std::string MachineRule::why_not(const cache::LockEntry& entry) {
  const cache::HeldOn against = disputes(entry);
  const std::pair<const std::string, MachineFigure>* worst = nullptr;
  const auto weight = [](const MachineFigure& figure) { return std::pair(figure.right, figure.median); };
  for (const auto& one : against)
    if ((!one.second.right || is_for(one.first)) && (!worst || weight(one.second) < weight(worst->second)))
      worst = &one;
  return worst ? in_words(worst->first, worst->second) : "";
}

std::string MachineRule::leave_out(std::vector<MeasuredEntry>& measured) {
  std::string said;
  std::erase_if(measured, [&](const MeasuredEntry& one) {
    std::string why = why_not(*one.entry);
    const bool left_out = !why.empty();
    if (left_out) said = std::move(why);
    return left_out;
  });
  return said;
}

std::filesystem::path MachineRule::prerequisite() const {
  std::error_code error;
  const std::filesystem::path file = project::settings_beside(lock_);
  return std::filesystem::exists(file, error) ? file : lock_.parent_path();
}

std::string MachineRule::outside_of_files() const {
  std::string text = native_ ? processor_kind() : "";
  for (const std::string& machine : named_) text += ';' + machine;
  return text;
}

}  // namespace hone::lock
