#include "tool/tune/facts/facts.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>
#include <sstream>

#include <fmt/format.h>
#include <hwloc.h>

#include "tool/lock/judged_on.h"
#include "tool/tune/facts/annotation_words.h"

namespace hone::tune {
namespace {

// A line directive, or what was blanked out.
bool is_filler(const std::string& line) {
  return line.starts_with("#line ") || line.starts_with("# ") || line.find_first_not_of(" \t\r") == std::string::npos;
}

// The unit in front of the kernel, as a person wrote it: without the line directives that make diagnostics right, and
// without the gaps where declarations were blanked out.
std::string readable(const std::string& prologue) {
  std::string text;
  bool gap = false;
  std::istringstream lines(prologue);
  for (std::string line; std::getline(lines, line);) {
    const bool filler = is_filler(line);
    // A header of the user's is not named: what is reached of it follows, and the way to it is nobody's business.
    if (!filler && !(line.starts_with("#include") && line.find('"') != std::string::npos)) {
      if (gap && !text.empty()) text += '\n';
      text += line.substr(0, line.find_last_not_of(" \t\r") + 1) + '\n';
    }
    gap = filler;
  }
  return text;
}

std::string without_blanks(const std::string& text) {
  std::string kept;
  std::ranges::copy_if(text, std::back_inserter(kept), [](unsigned char c) { return !std::isspace(c); });
  return kept;
}

// "a . b ( c )" as people write it; the key holds tokens with a blank between any two.
std::string respaced(const std::string& tokens) {
  std::string text;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const char next = i + 1 < tokens.size() ? tokens[i + 1] : '\0', last = text.empty() ? '\0' : text.back();
    const bool tight_left = next != '\0' && std::string_view(",;)].[").find(next) != std::string_view::npos;
    const bool tight_right = last != '\0' && std::string_view("([.!~").find(last) != std::string_view::npos;
    const bool call = next == '(' && (std::isalnum(static_cast<unsigned char>(last)) || last == '_');
    if (tokens[i] == ' ' && (tight_left || tight_right || call)) continue;
    text += tokens[i];
  }
  return text;
}

// A definition as a declaration ends: the key's tokens stop in front of a type's semicolon.
std::string ended(const std::string& text) {
  const bool body = text.ends_with('}') && !text.starts_with("struct") && !text.starts_with("class") &&
                    !text.starts_with("union") && !text.starts_with("enum");
  return body || text.ends_with(';') ? text : text + ';';
}

// What the kernel reaches of the user's headers, which the unit includes as they are: the key has its tokens.
std::string from_headers(const KernelSpec& spec) {
  const std::string shown = without_blanks(spec.unit.prologue + spec.unit.opening);
  std::string text;
  std::istringstream lines(spec.key_dump);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t colon = line.find(": ");
    if (colon == std::string::npos) continue;
    const std::string what = line.substr(colon + 2);
    if (line.starts_with("reaches ") && shown.find(without_blanks(what)) == std::string::npos) {
      text += ended(respaced(what)) + '\n';
    } else if (line.starts_with("macro ")) {
      const std::string name = line.substr(6, colon - 6);
      if (shown.find("#define" + without_blanks(name)) == std::string::npos)
        text +=
            "#define " + name + ' ' + respaced(what.substr(std::min(what.size(), what.find_first_not_of(' ')))) + '\n';
    }
  }
  return text;
}

std::string closure_of(const KernelSpec& spec) {
  const std::string headers = from_headers(spec);
  std::string text = readable(spec.unit.prologue);
  if (!headers.empty()) text += (text.empty() ? "" : "\n") + ("// from the project's headers:\n" + headers);
  const std::string around = readable(spec.unit.opening);
  // A scope that holds nothing but the kernel is said elsewhere.
  if (around.find(';') == std::string::npos && around.find("#define") == std::string::npos) return text;
  return text + (text.empty() ? "" : "\n") + around + "// … the function stands here\n";
}

std::string unqualified(const std::string& name) {
  const std::size_t colons = name.rfind("::", name.find('<'));  // a template's arguments may have some too
  return colons == std::string::npos ? name : name.substr(colons + 2);
}

// "namespace app::detail"; a file's own namespaces have no names.
std::string scope_of(const KernelSpec& spec) {
  if (spec.unit.opening.empty()) return "";
  const std::string function = unqualified(spec.qualified_name);
  const std::size_t length = spec.qualified_name.size() - function.size();
  return length < 3 ? "an unnamed namespace" : "namespace " + spec.qualified_name.substr(0, length - 2);
}

bool has_feature(const std::string& target, const std::string& feature) {
  return (' ' + target + ' ').find(' ' + feature + ' ') != std::string::npos;
}

// What the user chose and what changes the code: no names of files, no wording of messages.
std::string flags_of(const CompileCommand& command) {
  std::string text;
  for (const std::string& argument : command.arguments) {
    static constexpr std::string_view beginnings[] = {"-O", "-m", "-f", "-std=",
                                                      // nvcc's
                                                      "--generate-code", "-gencode", "-arch=", "--gpu-architecture",
                                                      "-rdc", "-use_fast_math", "--use_fast_math", "--fmad",
                                                      "--maxrregcount", "--expt-", "-expt-", "--extended-lambda",
                                                      "-extended-lambda", "-default-stream", "--default-stream"};
    const bool chosen =
        std::ranges::any_of(beginnings, [&](std::string_view beginning) { return argument.starts_with(beginning); });
    const bool words = argument.find('/') != std::string::npos || argument.starts_with("-forward-unknown") ||
                       argument.starts_with("-frandom-seed") || argument.starts_with("-fdiagnostics") ||
                       argument.starts_with("-fcolor") || argument.starts_with("-fmessage-length");
    if (chosen && !words) text += (text.empty() ? "" : " ") + argument;
  }
  return text;
}

// All features of the target but those that no kernel is written for: they manage the processor, its caches and its
// state, or belong to every processor of the architecture.
std::string instruction_sets(const std::string& target) {
  static constexpr std::array unused = {"64bit",
                                        "clflushopt",
                                        "clwb",
                                        "clzero",
                                        "cmov",
                                        "cx16",
                                        "cx8",
                                        "fsgsbase",
                                        "fxsr",
                                        "hreset",
                                        "invpcid",
                                        "kl",
                                        "lwp",
                                        "mmx",
                                        "mwaitx",
                                        "pconfig",
                                        "pku",
                                        "prefetchwt1",
                                        "prfchw",
                                        "ptwrite",
                                        "rdpid",
                                        "rdpru",
                                        "rdrnd",
                                        "rdseed",
                                        "rtm",
                                        "sahf",
                                        "serialize",
                                        "sgx",
                                        "shstk",
                                        "tsxldtrk",
                                        "uintr",
                                        "usermsr",
                                        "waitpkg",
                                        "wbnoinvd",
                                        "widekl",
                                        "x87",
                                        "xsave",
                                        "xsavec",
                                        "xsaveopt",
                                        "xsaves",
                                        "outline-atomics"};
  std::istringstream words(target);
  std::string text;
  words >> text;
  for (std::string word; words >> word;)
    if (std::ranges::find(unused, word) == unused.end()) text += ' ' + word;
  return text;
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
  hardware.cpu = lock::processor_name();
  hardware.cores = threads;
  const bool wide = has_feature(target, "avx512f"), middle = has_feature(target, "avx");
  hardware.vector_bits = wide ? 512 : middle ? 256 : 128;
  hardware.vector_registers = wide ? 32 : 16;
  hardware.caches = caches();
  return hardware;
}

Measurement untimed(const KernelSpec& spec) {
  Measurement measurement;
  for (std::string& label : problems_in_words(spec))
    measurement.problems.push_back({.label = std::move(label), .weight = 0});
  return measurement;
}

search::TaskFacts gather_facts(const KernelSpec& spec, const CompileCommand& command, const std::string& compiler,
                               const Measurement& original) {
  search::TaskFacts facts;
  facts.kernel = spec.name;
  facts.function = unqualified(spec.qualified_name);
  facts.signature = spec.signature;
  facts.definition = spec.unit.active();
  facts.closure = closure_of(spec);
  facts.scope = scope_of(spec);
  facts.annotation = annotation_in_words(spec);
  facts.launch = spec.own_launch.replaced;
  if (spec.own_launch.why_not.empty())
    facts.launcher = spec.own_launch.signature;
  else
    facts.no_launcher = spec.own_launch.why_not;
  facts.tolerance = tolerance_in_words(spec);
  // A function of the processor in a file of CUDA is C++ to whoever rewrites it.
  const std::string cuda = "cuda ";
  facts.language = !spec.cuda && spec.language.starts_with(cuda) ? spec.language.substr(cuda.size()) : spec.language;
  facts.compiler = compiler;
  facts.flags = flags_of(command);
  if (spec.cuda) {
    const std::string_view target = spec.target;
    facts.hardware.gpu = fmt::format("made by NVIDIA; the code is compiled for it as {}",
                                     target.substr(target.starts_with(cuda) ? cuda.size() : 0));
  } else {
    facts.target = instruction_sets(spec.target);
    facts.hardware = gather_hardware(spec.target, spec.threads);
  }
  facts.threads = spec.threads;
  for (const ProblemMeasurement& problem : original.problems)
    facts.problems.push_back({.label = problem.label, .weight = problem.weight, .seconds = problem.reference_seconds});
  return facts;
}

}  // namespace hone::tune
