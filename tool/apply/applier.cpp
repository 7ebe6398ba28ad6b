#include "tool/apply/applier.h"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <iterator>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "cache/lock_file.h"
#include "cache/store.h"
#include "tool/apply/apply_notes.h"
#include "tool/apply/apply_process.h"
#include "tool/apply/apply_to_several.h"
#include "tool/apply/crash_exit.h"
#include "tool/apply/depfile_text.h"
#include "tool/apply/dropped_calls.h"
#include "tool/apply/linked_notes.h"
#include "tool/apply/linked_stamp.h"
#include "tool/apply/pragma_silence.h"
#include "tool/apply/shadow_unit.h"
#include "tool/apply/variant_chooser.h"
#include "tool/base/annotation_scan.h"
#include "tool/command/compiler_line.h"
#include "tool/frontend/find/files_read.h"
#include "tool/frontend/place/rewriter.h"
#include "tool/frontend/unit/variant_launch.h"
#include "tool/lock/judged_on.h"
#include "tool/lock/ledger.h"
#include "tool/lock/locked_variants.h"
#include "tool/lock/machine_rule.h"
#include "tool/lock/measured_entries.h"
#include "tool/lock/shadow_text.h"
#include "tool/os/files/files.h"
#include "tool/os/files/quick_replace.h"
#include "tool/project/project.h"
#include "tool/project/recorded_commands.h"
#include "tool/project/sources_with.h"
#include "tool/project/unit_stamp.h"

namespace hone::apply {
namespace {

namespace fs = std::filesystem;

using Code = DiagnosticCode;

constexpr const char* crashed =
    "Clang, with which Hone reads sources, ends abnormally here, so no kernel of this file is looked for; the original "
    "is compiled; split the file, or leave its annotations out";

class Applier {
 public:
  Applier(const ApplyRequest& request, CompilerLine line)
      : request_(request), line_(std::move(line)), notes_(line_.arguments[line_.source]) {}

  int run() {
    // For the commands that take a compile_commands.json. What is not annotated is in it for what kernels call there.
    if (!request_.database.empty()) {
      record();
      if (!project::concerns_hone(command())) return pass_on(compile_original());
    }
    // What hone_target() said of the target.
    if (!read_target()) return notes_.strict_failure() ? 1 : finish(compile_original());
    if (settings_.mode == "off") return pass_on(compile_original());
    // Only the lock file changed, and only for others?
    rule_.emplace(unit());
    linked_.emplace(line_, settings_.lock,
                    fmt::format("{} {} {}", request_.settings.string(), strict(), rule_->outside_of_files()));
    if (settings_.mode == "apply" && linked_->renew()) return 0;
    // The annotated kernels of the unit, and their request keys.
    find();
    if (notes_.strict_failure()) return 1;
    if (kernels_.empty()) return compile_undescribed();
    // In mode capture the originals, each with what records its calls in front of its body.
    if (captures()) {
      place_recorders();
      return notes_.strict_failure() ? 1 : finish(chosen_.choices.empty() ? compile_original() : compile_variants());
    }
    // The lock file says which variants there are; in mode tune the search comes first for what it does not know.
    read_lock();
    if (settings_.mode == "tune") tune_unknown();
    // The variants, checked against the digests that the lock file names.
    choose();
    if (notes_.strict_failure()) return 1;
    // The compiler, on the unit with the variants in their places; on the original where there is no more to do.
    return finish(chosen_.choices.empty() ? compile_as_written() : compile_variants());
  }

 private:
  const std::string& source() const { return line_.arguments[line_.source]; }

  CompileCommand command() const {
    return {fs::current_path().string(),
            fs::absolute(source()).lexically_normal().string(),
            line_.output,
            {line_.arguments.begin() + static_cast<std::ptrdiff_t>(line_.compiler), line_.arguments.end()}};
  }

  project::ProjectUnit unit() const { return {command(), settings_}; }

  // With the lock file that was named, which the other commands shall take too.
  void record() {
    CompileCommand noted = command();
    if (!request_.lock.empty()) {
      const std::vector<std::string> named{"hone", "cc", "--lock", fs::absolute(request_.lock).string(), "--"};
      noted.arguments.insert(noted.arguments.begin(), named.begin(), named.end());
    }
    if (Result<void> written = project::record_command(fs::absolute(request_.database), noted); !written)
      notes_.say(Code::none, written.error());
  }

  bool read_target() {
    if (request_.locked) notes_.be_strict();
    if (request_.settings.empty()) notes_.be_without_targets();
    if (!request_.settings.empty()) {
      Result<project::TargetSettings> settings = project::read_settings(request_.settings);
      if (!settings) return notes_.say(Code::none, settings.error()), false;
      settings_ = std::move(*settings);
    }
    if (settings_.strict) notes_.be_strict();
    if (!request_.mode.empty()) settings_.mode = request_.mode;
    if (!request_.lock.empty()) settings_.lock = fs::absolute(request_.lock);
    if (settings_.lock.empty()) settings_.lock = project::nearest_lock(fs::absolute(source()).parent_path());
    return true;
  }

  void find() {
    frontend::Options options = frontend_options();
    options.units = false;  // the keys and the places are enough
    options.recording = captures();
    const CrashExit crash(request_.command, notes_.text(Code::crashed, 1, crashed), strict());
    Result<frontend::KernelsAndFiles> looked = frontend::find_kernels_and_files(command(), options);
    if (!looked) {
      if (strict()) notes_.say(Code::source_not_parsed, looked.error());
      unparsed_ = std::move(looked).error();
      return;
    }
    for (const frontend::Diagnostic& diagnostic : looked->found.diagnostics) notes_.say(diagnostic);
    project::add_database(build_folder(), *looked);
    project::write_stamp(command(), *looked, options.units);
    kernels_ = std::move(looked->found.kernels);
    file_ = std::move(looked->found.file);
    files_ = std::move(looked->files);
    elsewhere_ = std::move(looked->elsewhere);
  }

  // Where the compile_commands.json is: hone_target() writes <build>/hone/<target>.json.
  fs::path build_folder() const {
    if (!request_.settings.empty()) return fs::absolute(request_.settings).parent_path().parent_path();
    return request_.database.empty() ? fs::current_path() : fs::absolute(request_.database).parent_path();
  }

  frontend::Options frontend_options() const {
    frontend::Options options = request_.frontend;
    options.sources_with = project::sources_with(build_folder());
    return options;
  }

  // A note at the kernel's own place, which may be in a header.
  void say(Code code, const KernelSpec& spec, const std::string& what) { say_at(notes_, file_, code, spec, what); }

  // Compiles the original where Clang cannot parse it. If the compiler cannot either, its own error is enough; a false
  // alarm depends on nothing of ours.
  int compile_undescribed() {
    CompilerExit exit = compile_original();
    if (exit.ok() && unparsed_) notes_.say(Code::source_not_parsed, *unparsed_);
    return notes_.said() ? finish(exit) : pass_on(exit);
  }

  bool captures() const { return settings_.mode == "capture"; }

  void place_recorders() {
    linked_.reset();  // nothing of the lock file is in the object
    for (const frontend::FoundKernel& kernel : kernels_) {
      chosen_.linked.push_back(linked_original(kernel.spec, settings_.lock, linked::Reason::captured));
      const frontend::Recording& recording = kernel.recording;
      if (!recording.why_not.empty()) {
        say(Code::not_captured, kernel.spec, "'" + kernel.spec.name + "' is not captured: " + recording.why_not);
        continue;
      }
      chosen_.choices.push_back({&kernel, frontend::recorded(kernel, lock::silence(kernel.spec, line_.nvcc)), {}});
    }
  }

  void read_lock() {
    Result<cache::LockFile> lock = cache::LockFile::read(settings_.lock);
    lock_whole_ = lock.has_value();
    if (!lock) return notes_.say(Code::none, lock.error());
    lock_ = std::move(*lock);
  }

  void tune_unknown() {
    cache::Store store = lock::reading_store(settings_.lock, [](const std::string&) {});
    auto known = [&](const frontend::FoundKernel& kernel) {
      const std::string here =
          lock::is_for_several_families(kernel.spec) ? lock::device_architecture(kernel.spec, true) : "";
      const cache::LockEntry* entry = lock::entry_for(lock_, kernel.spec, here);
      if (!entry || !entry->variant) return entry != nullptr;
      const auto variant = lock::variant_text(kernel.spec, *entry->variant, store);
      if (!variant)
        return !store.blob(*entry->variant);  // gone is said when it is applied; another kernel's is unknown
      return frontend::why_not_here(kernel.spec, *variant).empty();
    };
    if (!lock_whole_ || std::all_of(kernels_.begin(), kernels_.end(), known)) return;
    if (Result<void> tuned = request_.tune_first(unit(), build_folder()); !tuned) notes_.say(Code::none, tuned.error());
    read_lock();
  }

  void choose() {
    if (!lock_whole_) {
      for (const frontend::FoundKernel& kernel : kernels_)
        chosen_.linked.push_back(linked_original(kernel.spec, settings_.lock, linked::Reason::unreadable));
      return;
    }
    VariantChooser chooser({request_, line_, unit(), file_, files_, frontend_options(), strict()}, notes_, *rule_);
    chosen_ = chooser.run(kernels_, lock_, *linked_);
  }

  CompilerExit compile_original() { return ran(run_compiler(request_.command, Diagnostics::through, line_.output)); }

  // With what the object is to say of its kernels; without the annotations, where the compiler would warn of them.
  CompilerExit compile_as_written() {
    const bool warns = warns_of_pragmas(line_);
    if (!warns && chosen_.linked.empty()) return compile_original();
    Result<frontend::MainText> file = frontend::read_main_text(command(), request_.frontend);
    if (!file) return compile_original();
    if (warns) file->text = without_annotations(std::move(file->text));
    const Result<ShadowUnit> shadow =
        ShadowUnit::create(line_, with_notes(frontend::rewrite(*file, {}), chosen_.linked));
    if (!shadow) return compile_original();
    CompilerExit exit = compile(*shadow, shadow->command(line_, file->folders));
    return exit.ok() || exit.signal || exit.interrupted ? exit : compile_original();
  }

  CompilerExit compile(const ShadowUnit& shadow, std::vector<std::string> command) {
    CompilerExit exit = ran(run_compiler(with_colors(std::move(command), line_), Diagnostics::held, line_.output));
    if (!exit.ok()) return exit;
    shadow_ = shadow.path();
    std::fwrite(exit.diagnostics.data(), 1, exit.diagnostics.size(), stderr);
    return exit;
  }

  Result<ShadowUnit> shadow_with(const std::vector<frontend::Replacement>& variants) {
    if (warns_of_pragmas(line_)) file_.text = without_annotations(std::move(file_.text));
    return ShadowUnit::create(line_, with_notes(frontend::rewrite(file_, variants), chosen_.linked));
  }

  CompilerExit compile_variants() {
    const std::vector<frontend::Replacement> variants = replacements_of(chosen_.choices);
    const Result<ShadowUnit> shadow = shadow_with(variants);
    if (!shadow) return refused(shadow.error(), {});
    std::vector<std::string> command = shadow->command(line_, file_.folders);
    if (drops_calls(file_.text, variants)) command = without_unused_functions(std::move(command), line_);
    CompilerExit exit = compile(*shadow, std::move(command));
    if (exit.ok()) keep_readable();
    return exit.ok() || exit.signal || exit.interrupted ? exit : refused(first_error(exit), exit.diagnostics);
  }

  // The note comes after the original has compiled: where it fails too, the fault is the user's and all is said.
  CompilerExit refused(const Error& why, const std::string& diagnostics) {
    linked_.reset();  // it may be the machine's fault, and gone the next time
    if (strict()) {
      std::fwrite(diagnostics.data(), 1, diagnostics.size(), stderr);
      say_refused(why);
      return {.code = 1};
    }
    chosen_.linked = without_variants(std::move(chosen_.linked), linked::Reason::uncompilable);
    if (captures() && chosen_.choices.size() > 1 && !parted_) return compile_recorders_apart();
    CompilerExit exit = captures() ? compile_original() : compile_as_written();
    if (exit.ok()) say_refused(why);
    return exit;
  }

  // A kernel that cannot be recorded keeps no other from it.
  CompilerExit compile_recorders_apart() {
    parted_ = true;
    const CompilerExit original = ran(run_compiler(request_.command, Diagnostics::held, line_.output));
    if (!original.ok()) return compile_original();  // the fault is the user's
    std::vector<Choice> good;
    part(std::exchange(chosen_.choices, {}), good);
    chosen_.choices = std::move(good);
    return chosen_.choices.empty() ? compile_original() : compile_variants();
  }

  // Halves, beside what is good already, until those that fail stand alone. What a failed compile leaves of the object is
  // compiled anew behind it.
  void part(std::vector<Choice> some, std::vector<Choice>& good) {
    const auto others = static_cast<std::ptrdiff_t>(good.size());
    std::ranges::move(some, std::back_inserter(good));
    const Result<ShadowUnit> shadow = shadow_with(replacements_of(good));
    const CompilerExit exit =
        shadow ? ran(run_compiler(shadow->command(line_, file_.folders), Diagnostics::held, line_.output))
               : CompilerExit{.code = 1};
    if (exit.ok()) return;
    some.assign(std::make_move_iterator(good.begin() + others), std::make_move_iterator(good.end()));
    good.erase(good.begin() + others, good.end());
    if (some.size() == 1) {
      chosen_.choices = std::move(some);
      say_refused(shadow ? first_error(exit) : shadow.error());
    } else {
      const auto middle = some.begin() + static_cast<std::ptrdiff_t>(some.size() / 2);
      std::vector<Choice> rest(std::make_move_iterator(middle), std::make_move_iterator(some.end()));
      some.erase(middle, some.end());
      part(std::move(some), good);
      part(std::move(rest), good);
    }
  }

  // Where debug information and coverage say that the variants' lines are. Best effort: nothing but reading needs it.
  void keep_readable() const {
    for (const auto& [display, text] : chosen_.readable) {
      std::error_code error;
      if (fs::exists(display, error)) continue;
      fs::create_directories(fs::path(display).parent_path(), error);
      if (!error) (void)os::replace_quickly(display, text);
    }
  }

  void say_refused(const Error& why) {
    std::string names;
    for (const Choice& choice : chosen_.choices)
      names += (names.empty() ? "'" : ", '") + choice.kernel->spec.name + "'";
    const KernelSpec& first = chosen_.choices.front().kernel->spec;
    const std::string here = " (" + why.message() + ")" + (strict() ? "" : "; the original is compiled");
    if (captures())
      return say(Code::not_captured, first, names + " cannot be compiled with what records its calls" + here);
    say(Code::variant_not_compiled, first, "the locked variant of " + names + " does not compile here" + here);
  }

  bool strict() const { return request_.locked || settings_.strict; }

  CompilerExit ran(Result<CompilerExit> exit) {
    if (exit) return std::move(*exit);
    std::fprintf(stderr, "hone: %s\n", exit.error().message().c_str());
    return {.code = 126};
  }

  // Lets the build system know what the object depends on, and ends as the compiler ended.
  int finish(const CompilerExit& exit) {
    if (exit.ok()) extend_depfile();
    if (exit.ok() && linked_) linked_->write();
    return pass_on(exit);
  }

  void extend_depfile() {
    if (line_.depfile.empty()) return;
    DepfileChange change{shadow_, source(), {}, line_.phony_prerequisites, {}};
    if (line_.nvcc)
      for (const Choice& choice : chosen_.choices)
        change.absent.insert(change.absent.end(), choice.displays.begin(), choice.displays.end());
    for (const fs::path& file :
         {settings_.lock, request_.settings.empty() ? fs::path() : fs::absolute(request_.settings)})
      if (std::error_code error; !file.empty() && fs::exists(file, error)) change.further.push_back(file.string());
    change.further.insert(change.further.end(), chosen_.further.begin(), chosen_.further.end());
    change.further.insert(change.further.end(), elsewhere_.begin(), elsewhere_.end());
    if (!shadow_.empty())  // the compiler did not read them
      change.further.insert(change.further.end(), file_.headers.begin(), file_.headers.end());
    Result<std::string> text = os::read_file(line_.depfile);
    if (!text) return;  // the compiler wrote none
    (void)os::replace_quickly(line_.depfile, changed_depfile(*text, change));
  }

  bool parted_ = false;  // recorders were tried apart
  const ApplyRequest& request_;
  CompilerLine line_;
  ApplyNotes notes_;
  project::TargetSettings settings_;
  frontend::MainText file_;
  std::vector<frontend::FoundKernel> kernels_;
  std::string files_;                   // a digest of all that was read for them
  std::vector<std::string> elsewhere_;  // of these, what the compiler does not read
  std::optional<Error> unparsed_;
  std::optional<LinkedStamp> linked_;
  cache::LockFile lock_;
  bool lock_whole_ = false;
  Chosen chosen_;
  std::optional<lock::MachineRule> rule_;
  std::string shadow_;  // compiled into the object; "": the original was
};

}  // namespace

int apply(const ApplyRequest& request) {
  if (!request.database.empty())
    if (const auto noted = project::record_link(fs::absolute(request.database), fs::current_path(), request.command);
        !noted)
      std::fprintf(stderr, "hone: %s\n", noted.error().message().c_str());  // the build goes on
  if (std::optional<CompilerLine> line = read_compiler_line(request.command))
    return Applier(request, std::move(*line)).run();
  if (const std::optional<SourcesLine> line = read_sources_line(request.command))
    return apply_to_several(request, *line);
  return run_original(request);
}

}  // namespace hone::apply
