#include "tool/tune/facts.h"

#include <algorithm>
#include <sstream>

#include <fmt/format.h>
#include <hwloc.h>

#include "tool/tune/device.h"

namespace hone::tune {
namespace {

// A line of the key's dump: "annotation: …".
std::string dumped(const KernelSpec& spec, const std::string& field) {
  std::istringstream lines(spec.key_dump);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with(field + ": ")) return line.substr(field.size() + 2);
  return "";
}

// The unit in front of the kernel, as a person wrote it: without the line directives that make diagnostics right, and
// without the gaps where declarations were blanked out.
std::string readable(const std::string& prologue) {
  std::string text;
  bool gap = false;
  std::istringstream lines(prologue);
  for (std::string line; std::getline(lines, line);) {
    const bool blank = line.find_first_not_of(" \t\r") == std::string::npos;
    if (line.starts_with("#line ") || line.starts_with("# ")) continue;
    if (!blank) {
      if (gap && !text.empty()) text += '\n';
      text += line + '\n';
    }
    gap = blank;
  }
  return text;
}

std::string tolerance_text(const Parameter& parameter) {
  const Tolerance& tolerance = parameter.tolerance;
  if (tolerance.exact) return parameter.name + " exactly";
  std::string text;
  const auto add = [&](const char* name, const std::optional<double>& value) {
    if (value) text += fmt::format("{}{}={:g}", text.empty() ? "" : " ", name, *value);
  };
  add("rtol", tolerance.rtol);
  add("atol", tolerance.atol);
  add("ulp", tolerance.ulp);
  if (text.empty()) return "";
  return fmt::format("{} within {}", parameter.name, text);
}

std::string tolerances(const KernelSpec& spec) {
  std::string text;
  for (const Parameter& parameter : spec.parameters) {
    if (!parameter.pointer || parameter.role == Role::in) continue;
    const std::string one = tolerance_text(parameter);
    if (!one.empty()) text += (text.empty() ? "" : "; ") + one;
  }
  return text.empty() ? "the default of the element type: integers exactly, floats within a few units of rounding "
                        "scaled to the data"
                      : text;
}

std::string annotation_in_words(const KernelSpec& spec) {
  std::string text = dumped(spec, "annotation") + '\n';
  for (const Parameter& parameter : spec.parameters) {
    if (!parameter.pointer) continue;
    const char* role = parameter.role == Role::in    ? "only read"
                       : parameter.role == Role::out ? "only written, every element of it"
                                                     : "read and written";
    text += fmt::format("- {} is {}", parameter.name, role);
    if (parameter.alias_group < 0) text += ", and overlaps with no other";
    text += '\n';
  }
  return text;
}

std::string scope_of(const std::string& opening) {
  std::istringstream lines(opening);
  std::string scope;
  for (std::string line; std::getline(lines, line);)
    if (!line.starts_with("#") && line.find_first_not_of(" \t") != std::string::npos)
      scope += (scope.empty() ? "" : " ") + line;
  return scope;
}

// What the user chose, without the file's and the output's names.
std::string flags_of(const CompileCommand& command) {
  std::string text;
  for (const std::string& argument : command.arguments)
    if (argument.starts_with("-O") || argument.starts_with("-m") || argument.starts_with("-f") ||
        argument.starts_with("-std="))
      text += (text.empty() ? "" : " ") + argument;
  return text;
}

std::string unqualified(const std::string& name) {
  const std::size_t colons = name.rfind("::");
  return colons == std::string::npos ? name : name.substr(colons + 2);
}

bool has_feature(const std::string& target, const std::string& feature) {
  return (' ' + target + ' ').find(' ' + feature + ' ') != std::string::npos;
}

std::vector<search::CacheLevel> caches() {
  std::vector<search::CacheLevel> levels;
  hwloc_topology_t topology;
  if (hwloc_topology_init(&topology) != 0) return levels;
  if (hwloc_topology_load(topology) == 0) {
    // Up from the first processor: its caches and no other's.
    for (hwloc_obj_t at = hwloc_get_obj_by_type(topology, HWLOC_OBJ_PU, 0); at; at = at->parent)
      if (hwloc_obj_type_is_dcache(at->type))
        levels.push_back({at->attr->cache.depth, at->attr->cache.size, at->attr->cache.linesize,
                          static_cast<unsigned>(std::max(hwloc_bitmap_weight(at->cpuset), 1))});
  }
  hwloc_topology_destroy(topology);
  return levels;
}

}  // namespace

search::Hardware gather_hardware(const std::string& target, unsigned threads) {
  search::Hardware hardware;
  hardware.cpu = processor_name();
  hardware.cores = threads;
  const bool wide = has_feature(target, "avx512f"), middle = has_feature(target, "avx");
  hardware.vector_bits = wide ? 512 : middle ? 256 : 128;
  hardware.vector_registers = wide ? 32 : 16;
  hardware.caches = caches();
  return hardware;
}

search::TaskFacts gather_facts(const KernelSpec& spec, const CompileCommand& command, const std::string& compiler,
                               const Measurement& original) {
  search::TaskFacts facts;
  facts.kernel = spec.name;
  facts.function = unqualified(spec.qualified_name);
  facts.signature = spec.signature;
  facts.definition = spec.unit.definition;
  facts.closure = readable(spec.unit.prologue);
  facts.scope = scope_of(spec.unit.opening);
  facts.annotation = annotation_in_words(spec);
  facts.tolerance = tolerances(spec);
  facts.language = spec.language;
  facts.compiler = compiler;
  facts.flags = flags_of(command);
  facts.target = spec.target;
  facts.hardware = gather_hardware(spec.target, spec.threads);
  facts.threads = spec.threads;
  for (const ProblemMeasurement& problem : original.problems)
    facts.problems.push_back({problem.label, problem.weight, problem.reference_seconds, 0, 0, 0});
  return facts;
}

}  // namespace hone::tune
