#include "tool/compile/compiler.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string_view>
#include <thread>

#include <fmt/format.h>

#include "tool/base/either_stop.h"
#include "tool/base/text_constants.h"
#include "tool/command/compile_flags.h"
#include "tool/command/nvcc_code.h"
#include "tool/compile/device/device_half.h"
#include "tool/compile/device/host_half.h"
#include "tool/compile/device/race_pauses.h"
#include "tool/compile/object/loosened_object.h"
#include "tool/compile/toolchain/diagnostics.h"
#include "tool/compile/toolchain/toolchain.h"
#include "tool/compile/unit/compile_folder.h"
#include "tool/compile/unit/compile_words.h"
#include "tool/compile/unit/device_allocations.h"
#include "tool/compile/unit/frozen_text.h"
#include "tool/compile/unit/preamble.h"
#include "tool/os/files/files.h"
#include "tool/os/files/scratch_file.h"
#include "tool/os/sandbox/sandbox.h"

namespace hone::compile {
namespace fs = std::filesystem;
namespace {

const std::vector<std::string> sanitizer_flags = {"-O1",
                                                  "-g1",
                                                  "-fno-omit-frame-pointer",
                                                  "-U_FORTIFY_SOURCE",
                                                  "-fsanitize=address,undefined",
                                                  "-fno-sanitize=float-divide-by-zero,vptr,vla-bound",
                                                  "-fno-sanitize-recover=undefined"};

// `byte << 24` is everywhere in C, and no compiler makes of it what the standard would let it.
std::vector<std::string> sanitizer_flags_of(const FrozenUnit& unit) {
  std::vector<std::string> flags = sanitizer_flags;
  if (unit.language == "c") flags.emplace_back("-fno-sanitize=shift-base");
  return flags;
}

const std::vector<std::string> race_flags = {"-O1", "-g1", "-fno-omit-frame-pointer", "-U_FORTIFY_SOURCE",
                                             "-fsanitize=thread"};

FrozenUnit with_pause(FrozenUnit unit) {
  unit.prologue += pause_definition;
  return unit;
}

// With lines of the source, objects name the folder of their compile.
bool names_folder(const std::vector<std::string>& flags) {
  return std::ranges::find(flags, "-g1") != flags.end();
}

Verdict not_compiled(DiagnosticCode code, std::string reason, std::string detail, double seconds) {
  Verdict verdict;
  verdict.stage = Stage::compile;
  verdict.code = code;
  verdict.reason = std::move(reason);
  verdict.detail = std::move(detail);
  verdict.seconds = seconds;
  return verdict;
}

}  // namespace

// A text to compile, and where.
struct Compiler::Text {
  const FrozenUnit& unit;
  const std::string& source;
  const os::TemporaryFolder& folder;
};

// How one of the objects is made of a text.
struct Compiler::Build {
  Text text;
  const char* object;
  const char* with;                // how a complaint begins
  std::vector<std::string> flags;  // behind the project's: what the text means and becomes
  std::vector<std::string> words;  // these flags, and all else behind the project's
  std::string Objects::*place = &Objects::plain;
  std::string relocatable = {};        // where it is linked in a step of its own: the name of what is linked
  std::vector<std::string> link = {};  // the words of that step
  bool loosened = false;               // linked as loosened() leaves it

  std::string translated() const { return link.empty() ? object : relocatable; }
};

// One object's compile: the object, or why there is none.
struct Compiler::Attempt {
  std::string object;
  std::string relocatable;
  std::optional<Verdict> refused;
  bool out_of_time = false;  // `refused` for that
  bool canceled = false;
};

Compiler::Compiler(os::ProcessRunner& runner, CompileCommand command, CompileLimits limits)
    : runner_(runner), command_(std::move(command)), limits_(limits), preambles_(runner) {}
Compiler::~Compiler() = default;

std::unique_ptr<Compiler> Compiler::for_device(const std::string& architecture) const {
  const Result<CompileSetup>& found = setup();
  if (!found || !found->flags.nvcc) return nullptr;
  CompileSetup narrower = *found;
  narrower.flags.unit = flags_for_device(found->flags.unit, architecture);
  narrower.flags.freeze = flags_for_device(found->flags.freeze, architecture);
  if (narrower.flags.unit == found->flags.unit) return nullptr;
  auto compiler = std::make_unique<Compiler>(runner_, command_, limits_);
  std::call_once(compiler->asked_,
                 [&] { compiler->setup_ = std::make_unique<Result<CompileSetup>>(std::move(narrower)); });
  return compiler;
}

const Result<CompileSetup>& Compiler::setup() const {
  const auto find = [this]() -> Result<CompileSetup> {
    auto flags = split_flags(command_);
    if (!flags) {
      return failure("this compile command does not compile one source", command_.file,
                     "check its entry in compile_commands.json");
    }
    HONE_TRY(Toolchain toolchain, flags->nvcc
                                      ? ask_nvcc(runner_, flags->compiler, flags->host_compiler, command_.directory)
                                      : ask_toolchain(runner_, flags->compiler, flags->unit, command_.directory,
                                                      language_word(flags->language), command_.libraries));
    HONE_TRY(const os::SandboxLevel level, os::probe_sandbox());
    return CompileSetup{std::move(*flags), std::move(toolchain), level.name, limits_};
  };
  std::call_once(asked_, [&] { setup_ = std::make_unique<Result<CompileSetup>>(find()); });
  return *setup_;
}

std::string Compiler::identity() const {
  return setup() ? setup()->toolchain.identity : std::string();
}
std::vector<std::string> Compiler::library_folders() const {
  return setup() ? setup()->toolchain.library_folders : std::vector<std::string>();
}
std::string Compiler::sanitizer_runtime() const {
  return setup() ? setup()->toolchain.sanitizer_runtime : std::string();
}

// Directives alone are resolved: macros stay as they are written, for the compiler to expand once. Where a condition
// counts with __COUNTER__ that is refused, and the macros are expanded here.
Result<FrozenUnit> Compiler::freeze(const KernelSpec& spec, std::stop_token stop) {
  const Result<CompileSetup>& found = setup();
  if (!found) return tl::unexpected(found.error());
  if (spec.cuda && !found->toolchain.nvcc)
    return failure(fmt::format("{} does not compile CUDA for Hone", found->toolchain.identity), command_.file,
                   "configure the project with NVIDIA's nvcc as CMAKE_CUDA_COMPILER");
  Result<FrozenUnit> unit =
      found->toolchain.nvcc ? freeze_headers(*found, spec) : preprocess(*found, spec, "-fdirectives-only");
  if (!unit && !found->toolchain.nvcc) {
    if (Result<FrozenUnit> expanded = preprocess(*found, spec, "-dD")) unit = std::move(expanded);
  }
  if (!unit) return unit;
  unit->definition = spec.unit.definition;
  unit->definition_line = spec.unit.definition_line;
  unit->file = spec.file;
  unit->threaded = spec.threads > 1;
  CalledFlags flags{{}, {}, found->toolchain.clang};
  if (!found->toolchain.sanitizer_runtime.empty()) flags.sanitized = sanitizer_flags_of(*unit);
  if (unit->threaded && !found->toolchain.race_runtime.empty()) flags.race_checked = race_flags;
  HONE_TRY(unit->called, compile_called(runner_, spec.called, flags, stop));
  if (spec.global) {
    unit->device_closing = spec.unit.closing;
    unit->closing_and_harness += room_for_device_code();
  }
  return unit;
}

Result<FrozenUnit> Compiler::preprocess(const CompileSetup& setup, const KernelSpec& spec, const char* mode) {
  HONE_TRY(const os::TemporaryFolder folder, os::TemporaryFolder::create("hone-freeze"));
  const std::string language = language_word(setup.flags.language);
  const std::string file = folder.path() / "unit";
  HONE_CHECK(os::write_scratch_file(file, text_to_preprocess(spec.unit)));

  os::Process process;
  process.directory = command_.directory;
  process.output_bytes = 256u << 20;
  process.arguments = {setup.toolchain.program};
  append(process.arguments, setup.flags.freeze);
  // The unit stands elsewhere than its source: what that found beside itself is looked for there.
  append(process.arguments, {"-iquote", fs::path(spec.file).parent_path().string()});
  append(process.arguments, {"-w", "-E", mode, "-x", language, file});
  HONE_TRY(os::Exit exit, runner_.run(process));
  const std::string where = fmt::format("{}:{}", spec.file, spec.line);
  if (!exit.ok() || exit.truncated) {
    return failure("the kernel's unit cannot be preprocessed: " + read_diagnostics(exit.err).reason, where);
  }
  auto unit = cut_preprocessed(exit.out);
  if (!unit) {
    return failure("the kernel stands under a preprocessor condition that its unit does not repeat", where);
  }
  unit->language = language;
  return std::move(*unit);
}

Result<FrozenUnit> Compiler::freeze_headers(const CompileSetup& setup, const KernelSpec& spec) {
  FrozenUnit unit = with_directives(spec.unit);
  HONE_TRY(unit.headers, collect_headers(runner_, command_, setup.flags, setup.toolchain));
  unit.may_allocate = may_allocate_on_device(spec.unit, unit.headers, command_.arguments);
  return unit;
}

os::Process Compiler::confined(const CompileSetup& setup, const std::string& folder, std::stop_token stop) const {
  os::Process process = compile_process(setup, setup.toolchain.program, folder, stop);
  append(process.arguments, setup.flags.unit);
  return process;
}

Result<Compiler::Attempt> Compiler::attempt(const CompileSetup& setup, const Build& build, std::stop_token stop) {
  HONE_TRY(Attempt compiled, translate(setup, build, stop));
  if (build.link.empty() || compiled.refused || compiled.canceled) return compiled;
  if (build.loosened) {
    HONE_CHECK(os::write_scratch_file(build.text.folder.path() / build.relocatable, loosened(compiled.object)));
  }
  HONE_TRY(Attempt linked, step(setup, build, build.link, build.object, nullptr, stop));
  linked.relocatable = std::move(compiled.object);
  return linked;
}

// What a compile behind a precompiled preamble complains of is looked at again without, and told in those words.
Result<Compiler::Attempt> Compiler::translate(const CompileSetup& setup, const Build& build, std::stop_token stop) {
  const auto& [unit, source, folder] = build.text;
  const auto preamble = tells_depth(source) ? nullptr : preambles_.find(setup, unit, build.flags, stop);
  if (preamble) {
    HONE_CHECK(write_text_behind_preamble(folder, unit, source));
    const auto words = words_behind_preamble(setup.toolchain, unit, build.words, preamble->path);
    HONE_TRY(Attempt attempt, step(setup, build, words, build.translated(), preamble.get(), stop));
    if (!attempt.refused || attempt.out_of_time) return attempt;
  }
  HONE_CHECK(write_text(folder, unit, source));
  HONE_TRY(Attempt attempt, step(setup, build, build.words, build.translated(), nullptr, stop));
  if (attempt.refused || attempt.canceled) return attempt;
  if (preamble) {
    preambles_.drop(preamble);
  } else {
    preambles_.learn(unit, build.flags,
                     {build.words, source, build.translated(), names_folder(build.flags) ? "" : attempt.object});
  }
  return attempt;
}

Result<Compiler::Attempt> Compiler::step(const CompileSetup& setup, const Build& build,
                                         const std::vector<std::string>& words, const std::string& object,
                                         const PrecompiledPreamble* preamble, std::stop_token stop) {
  // Names relative to the folder: the way to it may be closed to the sandbox's identity.
  os::Process process = confined(setup, build.text.folder.path(), stop);
  append(process.arguments, words);
  if (preamble != nullptr) process.sandbox->readable.push_back(preamble->folder.path());

  HONE_TRY(const os::Exit exit, runner_.run(process));
  Attempt attempt;
  attempt.canceled = exit.canceled;
  if (exit.canceled) return attempt;
  if (ran_out_of_time(exit, limits_)) {
    attempt.out_of_time = true;
    attempt.refused =
        not_compiled(DiagnosticCode::compile_limit,
                     fmt::format("{}it did not compile within {} s of a processor", build.with, limits_.time.count()),
                     "", exit.seconds);
  } else if (exit.over_disk) {
    attempt.refused = not_compiled(DiagnosticCode::compile_limit,
                                   fmt::format("{}it filled the disk while it compiled", build.with), "", exit.seconds);
  } else if (!exit.ok()) {
    CompilerComplaint complaint = read_diagnostics(exit.err);
    if (complaint.reason.empty()) complaint.reason = fmt::format("the compiler ended with code {}", exit.code);
    attempt.refused = not_compiled(DiagnosticCode::compile_failed, build.with + complaint.reason,
                                   std::move(complaint.detail), exit.seconds);
  } else {
    HONE_TRY(attempt.object, read_object(build.text.folder.path() / object));
  }
  if (attempt.refused) attempt.refused->sandbox = setup.sandbox;
  return attempt;
}

Result<std::variant<Objects, Verdict>> Compiler::compile_all(const CompileSetup& setup, const FrozenUnit& unit,
                                                             const std::string& source, std::stop_token stop,
                                                             Builds wanted) {
  HONE_TRY(const os::TemporaryFolder folder, lay_out(unit, source));
  std::optional<FrozenUnit> unit_with_pause;
  std::string source_with_pauses;
  std::optional<os::TemporaryFolder> pausing;
  // The plain one first: what it refuses is told in its words, and ends the others.
  std::vector<Build> builds;
  const auto add = [&](const char* object, const char* with, const std::vector<std::string>& flags,
                       std::string Objects::*place, const Text& text, std::vector<std::string> CalledObjects::*called) {
    const bool apart = !setup.toolchain.nvcc && (unit.whole_file || place == &Objects::plain);
    std::vector<std::string> linked = flags;
    append(linked, called_words(unit, called));
    Build& build = builds.emplace_back(Build{text, object, with, for_shared(flags), {}, place});
    if (!apart) {
      build.words = words_for_object(setup.toolchain, text.unit, linked, object);
      return;
    }
    build.relocatable = std::string(object) + ".o";
    build.words = words_for_relocatable(setup.toolchain, unit, flags, build.relocatable);
    build.link = words_for_link(setup.toolchain, linked, build.relocatable, object);
    build.loosened = unit.whole_file;
  };
  const Text text{unit, source, folder};
  add("plain.so", "", {}, &Objects::plain, text, &CalledObjects::plain);
  if (!setup.toolchain.sanitizer_runtime.empty() && wanted != Builds::plain)
    add("sanitized.so", "with the sanitizers: ", sanitizer_flags_of(unit), &Objects::sanitized, text,
        &CalledObjects::sanitized);
  if (unit.threaded && !setup.toolchain.race_runtime.empty() && wanted != Builds::plain)
    add("race_checked.so", "with ThreadSanitizer: ", race_flags, &Objects::race_checked, text,
        &CalledObjects::race_checked);
  if (setup.toolchain.nvcc && wanted == Builds::all && source != unit.definition) {
    unit_with_pause = with_pause(unit);
    source_with_pauses = with_pauses(source);
    HONE_TRY(pausing, lay_out(*unit_with_pause, source_with_pauses));
    add("pausing.so", "with pauses at its barriers: ", {}, &Objects::race_checked,
        {*unit_with_pause, source_with_pauses, *pausing}, &CalledObjects::plain);
  }
  EitherStop others_stop(stop);
  std::vector<std::optional<Result<Attempt>>> attempts(builds.size());
  std::vector<std::jthread> beside;
  for (std::size_t i = 1; i < builds.size(); ++i)
    beside.emplace_back([&, i] { attempts[i] = attempt(setup, builds[i], others_stop.token()); });
  attempts[0] = attempt(setup, builds[0], stop);
  if (const auto& plain = *attempts[0]; !plain || plain->refused || plain->canceled) others_stop.stop();
  beside.clear();

  Objects objects{.sanitizer_runtime = setup.toolchain.sanitizer_runtime, .race_runtime = setup.toolchain.race_runtime};
  for (std::size_t i = 0; i < builds.size(); ++i) {
    Result<Attempt>& one = *attempts[i];
    if (!one) return tl::unexpected(one.error());
    if (one->refused) return std::move(*one->refused);
    if (one->canceled) return failure("the compile was stopped");
    objects.*builds[i].place = std::move(one->object);
    if (i == 0) objects.relocatable = std::move(one->relocatable);
  }
  objects.constants = text_constants(source);
  objects.may_allocate = may_allocate_on_device(unit, source);
  return objects;
}

Result<std::variant<std::string, Verdict>> Compiler::compile_code(const FrozenUnit& unit, const std::string& source,
                                                                  std::stop_token stop) {
  const Result<CompileSetup>& found = setup();
  if (!found) return tl::unexpected(found.error());
  HONE_TRY(const os::TemporaryFolder folder, lay_out(unit, source));
  constexpr const char* object = "code.o";
  const std::vector<std::string> apart = {"-ffunction-sections", "-fdata-sections"};
  const Build build{{unit, source, folder},
                    object,
                    "",
                    for_shared(apart),
                    words_for_relocatable(found->toolchain, unit, apart, object)};
  HONE_TRY(Attempt attempt, this->attempt(*found, build, stop));
  if (attempt.canceled) return failure("the compile was stopped");
  if (attempt.refused) return std::move(*attempt.refused);
  return std::move(attempt.object);
}

Result<std::variant<Objects, Verdict>> Compiler::compile(const FrozenUnit& unit, const std::string& source,
                                                         std::stop_token stop, Builds builds) {
  const Result<CompileSetup>& found = setup();
  if (!found) return tl::unexpected(found.error());
  return compile_all(*found, unit, source, stop, builds);
}

std::unique_ptr<DeviceHalf> Compiler::device_half(const FrozenUnit& unit, const Objects& original,
                                                  const std::string& architecture, std::stop_token stop) {
  const Result<CompileSetup>& found = setup();
  return found ? DeviceHalf::open(runner_, *found, unit, original.plain, architecture, stop) : nullptr;
}

// What to compile for a look at its lines: another text than the original's own is a candidate, counted from 1.
std::string Compiler::source_with_lines(const FrozenUnit& unit, const std::string& source) {
  return source == unit.definition ? source + '\n' : source;
}

Result<std::optional<std::string>> Compiler::compile_for_counts(const FrozenUnit& unit, const std::string& source,
                                                                std::stop_token stop) {
  const Result<CompileSetup>& found = setup();
  if (!found) return tl::unexpected(found.error());
  const std::string with_lines = source_with_lines(unit, source);
  HONE_TRY(const os::TemporaryFolder folder, lay_out(unit, with_lines));
  std::vector<std::string> flags{"-g1"};
  if (found->toolchain.x86) flags.push_back("-mno-avx512f");
  std::vector<std::string> linked = flags;
  append(linked, called_words(unit, &CalledObjects::plain));
  constexpr const char* object = "counted.so";
  const Build build{{unit, with_lines, folder},
                    object,
                    "",
                    for_shared(flags),
                    words_for_object(found->toolchain, unit, linked, object)};
  HONE_TRY(Attempt attempt, this->attempt(*found, build, stop));
  return attempt.object.empty() ? std::nullopt : std::optional(std::move(attempt.object));
}

Result<std::optional<std::string>> Compiler::compile_to_bitcode(const FrozenUnit& unit, const std::string& source,
                                                                std::stop_token stop) {
  const Result<CompileSetup>& found = setup();
  if (!found) return tl::unexpected(found.error());
  if (!found->toolchain.clang) return std::optional<std::string>();
  HONE_TRY(const os::TemporaryFolder folder, lay_out(unit, source));
  constexpr const char* object = "unit.bc";
  const Build build{{unit, source, folder}, object, "", flags_for_bitcode(), words_for_bitcode(unit, object)};
  HONE_TRY(Attempt attempt, this->attempt(*found, build, stop));
  return attempt.object.empty() ? std::nullopt : std::optional(std::move(attempt.object));
}

Result<os::Process> Compiler::process_beside(const std::string& program, const std::string& folder,
                                             std::stop_token stop) const {
  const Result<CompileSetup>& found = setup();
  if (!found) return tl::unexpected(found.error());
  return compile_process(*found, program, folder, stop);
}

Result<std::string> Compiler::complaint(const FrozenUnit& unit, const std::string& file_text, const std::string& source,
                                        std::stop_token stop) {
  const Result<CompileSetup>& found = setup();
  if (!found) return tl::unexpected(found.error());
  HONE_TRY(const os::TemporaryFolder folder, lay_out_text(unit, file_text, source));
  constexpr const char* object = "file.o";
  const Build build{{unit, source, folder}, object, "", {}, words_for_file(found->toolchain, unit, object)};
  HONE_TRY(const Attempt attempt, this->attempt(*found, build, stop));
  if (attempt.canceled) return failure("the compile was stopped");
  return attempt.refused ? attempt.refused->reason : std::string();
}

Result<std::optional<Explanation>> Compiler::explain(const FrozenUnit& unit, const std::string& source,
                                                     std::stop_token stop) {
  const Result<CompileSetup>& found = setup();
  if (!found) return tl::unexpected(found.error());
  const std::string with_lines = source_with_lines(unit, source);
  HONE_TRY(const os::TemporaryFolder folder, lay_out(unit, with_lines));
  HONE_CHECK(write_text(folder, unit, with_lines));
  os::Process process = confined(*found, folder.path(), stop);
  process.output_bytes = 16 << 20;
  append(process.arguments, words_for_explanation(found->toolchain, unit));
  HONE_TRY(os::Exit exit, runner_.run(process));
  if (!exit.ok()) return std::optional<Explanation>();
  if (found->toolchain.nvcc) {
    return explain_device_code(runner_, *found, folder.path(), std::move(exit.err), stop);
  }
  HONE_TRY(std::string assembly, read_object(folder.path() / "unit.s"));
  return Explanation{std::move(exit.err), std::move(assembly), {}};
}

}  // namespace hone::compile
