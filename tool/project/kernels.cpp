#include "tool/project/kernels.h"

#include <algorithm>
#include <atomic>
#include <functional>
#include <map>
#include <numeric>
#include <set>
#include <thread>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tool/capture/captures.h"
#include "tool/capture/clauses_of_capture.h"
#include "tool/frontend/find/files_read.h"
#include "tool/project/parse_watch.h"
#include "tool/project/sources_with.h"
#include "tool/project/unit_stamp.h"

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

// "Ring::push" for "Ring<float>::push": the name as it stands in the source, where an instance of a template is meant.
std::string without_template_arguments(std::string_view name) {
  std::string text;
  unsigned depth = 0;
  for (std::size_t at = 0; at < name.size(); ++at) {
    const bool names_operator = text.ends_with("operator");  // what follows is no bracket: operator<, operator->
    if (!names_operator && name[at] == '<') ++depth;
    if (depth == 0) text += name[at];
    if (!names_operator && name[at] == '>' && depth > 0) --depth;
  }
  return text;
}

// The one full name that `wanted` stands for: its end suffices, and of a template's instance the arguments may be left
// out.
Result<std::string> resolve(const std::string& wanted, const std::set<std::string>& names) {
  if (names.count(wanted)) return wanted;
  using Tail = std::pair<std::string, bool>;  // true: of the name without template arguments
  for (const auto& [tail, plain] : {Tail{"::" + wanted, false}, {wanted, false}, {"::" + wanted, true}}) {
    std::vector<std::string> matches;
    for (const std::string& name : names)
      if (!wanted.empty() && (plain ? "::" + without_template_arguments(name) : name).ends_with(tail))
        matches.push_back(name);
    if (matches.size() == 1) return matches[0];
    if (matches.size() > 1)
      return failure(fmt::format("'{}' means several kernels", wanted), "",
                     fmt::format("say which: {}", fmt::join(matches, ", ")));
  }
  return failure(fmt::format("there is no kernel '{}'", wanted), "", suggestion(wanted, names));
}

// What is known of a unit now.
struct Look {
  CompileCommand command;  // of a whole look, that which finds what kernels in headers include
  std::vector<KernelSpec> kernels;
  std::vector<frontend::Diagnostic> diagnostics;
  bool whole = false;
};

Result<Look> look(const ProjectUnit& unit, const frontend::Options& options, const Enough& enough, FileDigests& now) {
  auto known = read_stamp(unit.command, now);
  if (known &&
      (known->checked || std::ranges::all_of(known->kernels, [&](const auto& one) { return enough(unit, one); })))
    return Look{unit.command, std::move(known->kernels), std::move(known->diagnostics), false};
  HONE_TRY(frontend::KernelsAndFiles looked, watched(unit.command.file, [&] {
             return frontend::find_kernels_and_files(unit.command, options_for(unit, options));
           }));
  add_database(unit.build, looked);
  write_stamp(unit.command, looked, options.units);
  Look fresh{std::move(looked.found.file.command), {}, std::move(looked.found.diagnostics), options.units};
  for (frontend::FoundKernel& kernel : looked.found.kernels) fresh.kernels.push_back(std::move(kernel.spec));
  return fresh;
}

// The kernels are all of one unit.
Result<void> make_unit_whole(const std::vector<ProjectKernel*>& kernels, const frontend::Options& options) {
  const ProjectUnit& unit = kernels.front()->unit;
  frontend::Options with_units = options_for(unit, options);
  with_units.goes_on = true;
  for (const ProjectKernel* kernel : kernels) with_units.units_of.insert(kernel->spec.key);
  HONE_TRY(frontend::FoundKernels found,
           watched(unit.command.file, [&] { return frontend::find_kernels(unit.command, with_units); }));
  for (ProjectKernel* kernel : kernels) {
    const auto same =
        std::ranges::find_if(found.kernels, [&](const auto& one) { return one.spec.key == kernel->spec.key; });
    if (same == found.kernels.end())
      return failure("'" + kernel->spec.name + "' has changed while Hone looked at it", kernel->spec.file,
                     "call the command again");
    // The others' clauses were not checked here: a namesake that the first look refused may be among them, and both
    // have longer names then.
    const std::string name = std::move(kernel->spec.name);
    kernel->spec = same->spec;
    kernel->spec.name = name;
    kernel->unit.command = found.file.command;
    kernel->whole = true;
  }
  return {};
}

}  // namespace

frontend::Options options_for(const ProjectUnit& unit, frontend::Options options) {
  const std::filesystem::path folder = capture::folder_beside(unit.settings.lock);
  options.captures = folder.string();
  options.captured = [folder](const std::string& kernel) { return capture::clauses_of_capture(folder, kernel); };
  options.sources_with = sources_with(unit.build);
  return options;
}

void on_all_processors(std::size_t count, const std::function<void(std::size_t)>& task) {
  const std::size_t most = std::min<std::size_t>(count, std::max(1u, std::thread::hardware_concurrency()));
  std::atomic<std::size_t> next = 0;
  auto work = [&] {
    for (std::size_t i; (i = next++) < count;) task(i);
  };
  std::vector<std::jthread> others;
  for (std::size_t i = 1; i < most; ++i) others.emplace_back(work);
  work();
}

ProjectKernels find_kernels(const Project& project, const frontend::Options& options, const Enough& enough) {
  std::vector<Result<Look>> looks(project.units.size());
  FileDigests now;
  frontend::Options each = options;
  each.goes_on = project.units.size() == 1;  // of many, most are not asked about again
  on_all_processors(looks.size(), [&](std::size_t i) { looks[i] = look(project.units[i], each, enough, now); });

  ProjectKernels all;
  std::set<std::pair<std::string, std::string>> seen;
  std::set<std::string> said;
  for (std::size_t i = 0; i < looks.size(); ++i) {
    if (!looks[i]) {
      all.errors.push_back(looks[i].error());
      continue;
    }
    const ProjectUnit& unit = project.units[i];
    for (KernelSpec& spec : looks[i]->kernels)
      if (seen.emplace(spec.key, unit.settings.lock.string()).second)
        all.kernels.push_back({{looks[i]->command, unit.settings, unit.build}, std::move(spec), looks[i]->whole});
    for (frontend::Diagnostic& diagnostic : looks[i]->diagnostics)
      if (said.insert(diagnostic.rendered).second) {
        diagnostic.file = (unit.command.directory / std::filesystem::path(diagnostic.file)).lexically_normal().string();
        all.diagnostics.push_back(std::move(diagnostic));
      }
  }
  std::stable_sort(all.kernels.begin(), all.kernels.end(), [](const ProjectKernel& a, const ProjectKernel& b) {
    return std::tie(a.spec.file, a.spec.line) < std::tie(b.spec.file, b.spec.line);
  });
  return all;
}

Result<void> make_whole(std::vector<ProjectKernel*> kernels, const frontend::Options& options) {
  std::erase_if(kernels, [](const ProjectKernel* kernel) { return kernel->whole; });
  std::map<const std::string, std::vector<ProjectKernel*>> units;  // by their stamp: one for each command
  for (ProjectKernel* kernel : kernels) units[stamp_file(kernel->unit.command).string()].push_back(kernel);
  std::vector<std::vector<ProjectKernel*>> work;
  for (auto& [stamp, members] : units) work.push_back(std::move(members));
  std::vector<Result<void>> results(work.size());
  on_all_processors(work.size(), [&](std::size_t i) { results[i] = make_unit_whole(work[i], options); });
  for (Result<void>& result : results) HONE_CHECK(std::move(result));
  return {};
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
