#include "tool/project/kernels.h"
#include "tool/frontend/find/kernel_finder.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <set>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace hone::project {
namespace {

std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1])});
      diagonal = above;
    }
  }
  return row[b.size()];
}

std::string suggestion(const std::string& wanted, const std::set<std::string>& names) {
  const std::string* closest = nullptr;
  std::size_t least = wanted.size() / 2 + 1;
  for (const std::string& name : names) {
    const std::string tail = name.substr(name.rfind(':') == std::string::npos ? 0 : name.rfind(':') + 1);
    const std::size_t distance = std::min(edit_distance(wanted, name), edit_distance(wanted, tail));
    if (distance < least) {
      least = distance;
      closest = &name;
    }
  }
  return closest ? fmt::format("did you mean '{}'?", *closest) : fmt::format("there are {}", fmt::join(names, ", "));
}

// The one full name that `wanted` stands for.
Result<std::string> resolve(const std::string& wanted, const std::set<std::string>& names) {
  if (names.count(wanted)) return wanted;
  for (const std::string& tail : {"::" + wanted, wanted}) {
    std::vector<std::string> matches;
    for (const std::string& name : names)
      if (!wanted.empty() && name.ends_with(tail)) matches.push_back(name);
    if (matches.size() == 1) return matches[0];
    if (matches.size() > 1)
      return failure(fmt::format("'{}' means several kernels", wanted), "",
                     fmt::format("say which: {}", fmt::join(matches, ", ")));
  }
  return failure(fmt::format("there is no kernel '{}'", wanted), "", suggestion(wanted, names));
}

}  // namespace

ProjectKernels find_kernels(const Project& project, const frontend::Options& options) {
  ProjectKernels all;
  std::set<std::pair<std::string, std::string>> seen;
  std::set<std::string> said;
  for (const ProjectUnit& unit : project.units) {
    auto found = frontend::find_kernels(unit.command, options);
    if (!found) {
      all.errors.push_back(found.error());
      continue;
    }
    for (frontend::FoundKernel& kernel : found->kernels)
      if (seen.emplace(kernel.spec.key, unit.settings.lock.string()).second)
        all.kernels.push_back({unit, std::move(kernel.spec)});
    for (frontend::Diagnostic& diagnostic : found->diagnostics)
      if (said.insert(diagnostic.rendered).second) all.diagnostics.push_back(std::move(diagnostic));
  }
  std::stable_sort(all.kernels.begin(), all.kernels.end(), [](const ProjectKernel& a, const ProjectKernel& b) {
    return std::tie(a.spec.file, a.spec.line) < std::tie(b.spec.file, b.spec.line);
  });
  return all;
}

Result<std::set<std::string>> select_names(const std::set<std::string>& known, const std::vector<std::string>& names) {
  if (names.empty()) return known;
  std::set<std::string> wanted;
  for (const std::string& name : names) {
    HONE_TRY(std::string full, resolve(name, known));
    wanted.insert(std::move(full));
  }
  return wanted;
}

Result<std::vector<ProjectKernel>> select_kernels(const std::vector<ProjectKernel>& kernels,
                                                  const std::vector<std::string>& names) {
  std::set<std::string> known;
  for (const ProjectKernel& kernel : kernels) known.insert(kernel.spec.name);
  HONE_TRY(const std::set<std::string> wanted, select_names(known, names));
  std::vector<ProjectKernel> selected;
  std::copy_if(kernels.begin(), kernels.end(), std::back_inserter(selected),
               [&](const ProjectKernel& kernel) { return wanted.count(kernel.spec.name) > 0; });
  return selected;
}

}  // namespace hone::project
