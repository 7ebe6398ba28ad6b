#include "tool/cli/report_comment.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

#include "cache/bound_source.h"
#include "cache/lock_changes.h"
#include "tool/lock/ledger.h"
#include "tool/lock/locked_variants.h"
#include "tool/lock/machine_rule.h"
#include "tool/os/process/process_runner.h"
#include "tool/project/file_then.h"
#include "tool/report/diff.h"
#include "tool/report/markdown_text.h"

namespace hone::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostNames = 20;  // that a command to copy has

// A lock file, and what became of its entries.
struct Changed {
  fs::path lock;
  report::CommentLock comment;
  cache::LockChanges changes;
};

std::string shell_word(const std::string& name) {
  const std::string line = printable_line(name);
  const bool plain = !line.empty() && line[0] != '-' && std::ranges::all_of(line, [](unsigned char c) {
    return std::isalnum(c) || std::string_view("_:./+=-").find(static_cast<char>(c)) != std::string_view::npos;
  });
  if (plain) return line;
  std::string quoted = "'";
  for (const char c : line) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

class Gathering {
 public:
  explicit Gathering(const CommentRequest& request) : request_(request) {}

  std::optional<report::MergeComment> run(int& code) {
    if (!open(code)) return std::nullopt;
    for (const fs::path& lock : locks_)
      if (!compare(lock, code)) return std::nullopt;
    if (project_) find_kernels();
    report::MergeComment comment;
    comment.since = request_.since;
    for (Changed& changed : changed_) {
      for (const cache::LockChange& change : changed.changes.changes)
        changed.comment.kernels.push_back(describe(changed, change));
      comment.locks.push_back(std::move(changed.comment));
    }
    if (!report::holds_nothing(comment)) comment.reproduce = commands(comment);
    return comment;
  }

 private:
  // A build folder that nobody named need not be there.
  bool open(int& code) {
    const fs::path folder = request_.project.folder();
    std::error_code error;
    if (request_.project.build.empty() && !fs::exists(folder / "compile_commands.json", error)) {
      locks_.insert(project::nearest_lock(fs::current_path(error)));
      return true;
    }
    auto opened = project::open_project(folder);
    if (!opened) return code = complain(opened.error(), environment), false;
    project_ = std::move(*opened);
    for (const project::ProjectUnit& unit : project_->units) locks_.insert(unit.settings.lock);
    if (locks_.empty()) locks_.insert(project::nearest_lock(fs::current_path(error)));
    return true;
  }

  bool compare(const fs::path& path, int& code) {
    const auto now = cache::LockFile::read(path);
    if (!now) return code = complain(now.error(), environment), false;
    Changed changed{path, {}, {}};
    cache::LockFile then;
    if (request_.since.empty()) {
      changed.comment.path = project::path_in_repository(runner_, path).value_or(path.filename().string());
    } else if (!read_then(path, changed.comment, then, code)) {
      return false;
    }
    changed.changes = cache::changes_between(then, *now);
    changed.comment.unchanged = changed.changes.unchanged;
    for (const cache::LockChange& change : changed.changes.changes)
      if (change.after) keys_.insert(change.after->key);
    changed_.push_back(std::move(changed));
    return true;
  }

  bool read_then(const fs::path& path, report::CommentLock& comment, cache::LockFile& then, int& code) {
    const auto old = project::file_then(runner_, path, request_.since);
    if (!old) return code = complain(old.error(), environment), false;
    comment.path = old->path;
    if (!old->text) {
      comment.note = "it is not in that revision, so all that is locked is new";
      return true;
    }
    auto parsed = cache::LockFile::parse(*old->text, old->path + " at " + request_.since);
    if (!parsed) return code = complain(parsed.error(), environment), false;
    then = std::move(*parsed);
    return true;
  }

  // Whole only where their entries changed.
  void find_kernels() {
    const auto enough = [&](const project::ProjectUnit&, const KernelSpec& spec) { return !keys_.contains(spec.key); };
    project::ProjectKernels found = project::find_kernels(*project_, {}, enough);
    for (const frontend::Diagnostic& diagnostic : found.diagnostics) fmt::print(stderr, "{}\n", diagnostic.rendered);
    for (const Error& error : found.errors) complain(error, environment);
    kernels_ = std::move(found.kernels);
    std::vector<project::ProjectKernel*> partial;
    for (project::ProjectKernel& kernel : kernels_)
      if (!kernel.whole && !enough(kernel.unit, kernel.spec)) partial.push_back(&kernel);
    if (const auto made = project::make_whole(std::move(partial), {}); !made) complain(made.error(), environment);
  }

  // The kernel in the state that was judged, else in any.
  const project::ProjectKernel* kernel_of(const fs::path& lock, const cache::LockEntry& entry, bool as_judged) const {
    const auto found = std::ranges::find_if(kernels_, [&](const project::ProjectKernel& kernel) {
      if (kernel.unit.settings.lock != lock) return false;
      return as_judged ? kernel.spec.key == entry.key
                       : kernel.spec.name == entry.name && project::file_in_lock(kernel.spec.file, lock) == entry.file;
    });
    return found == kernels_.end() ? nullptr : &*found;
  }

  report::CommentKernel describe(const Changed& changed, const cache::LockChange& change) const {
    const cache::LockEntry& entry = change.after ? *change.after : *change.before;
    report::CommentKernel kernel;
    kernel.name = entry.name;
    kernel.file = entry.file;
    if (const auto* here = kernel_of(changed.lock, entry, false)) kernel.line = here->spec.line;
    kernel.outcome = request_.since.empty() ? "locked" : cache::to_string(change.outcome);
    kernel.before = side(change.before);
    kernel.after = side(change.after);
    kernel.built_as = entry.target + (entry.compiled_with.empty() ? "" : ", " + entry.compiled_with) +
                      (entry.build_target.empty() ? "" : ", for " + entry.build_target);
    if (!change.after) return kernel;
    kernel.evidence = entry.evidence;
    for (const auto& [label, text] : entry.tried) kernel.tried.push_back({label, text});
    kernel.machine = entry.measured_on;
    if (!entry.variant) return kernel;
    const cache::Store store = lock::reading_store(changed.lock, [](const std::string&) {});
    add_figures(entry, store, kernel);
    add_code(changed.lock, entry, store, kernel);
    return kernel;
  }

  static std::optional<report::CommentEntry> side(const std::optional<cache::LockEntry>& entry) {
    if (!entry) return std::nullopt;
    report::CommentEntry side{
        entry->variant.value_or(""), {entry->speedup, entry->speedup_low, entry->speedup_high}, {}};
    if (entry->unconfirmed) side.notes.push_back("unconfirmed");
    if (entry->unfinished) side.notes.push_back("unfinished");
    if (lock::is_disputed(*entry)) side.notes.push_back("not everywhere");
    return side;
  }

  // The record may be of another search of this key, on another machine.
  static void add_figures(const cache::LockEntry& entry, const cache::Store& store, report::CommentKernel& kernel) {
    const cache::HeldOn held = cache::figures_about(entry.held_on, *entry.variant);
    for (const auto& [name, figure] : held) {
      if (figure.tuned) kernel.machine = name;
      report::CommentMachine machine{name, cache::to_string(cache::standing_of(figure)), {}};
      if (figure.right) machine.speedup = Speedup{figure.median, figure.low, figure.high};
      kernel.machines.push_back(std::move(machine));
    }
    if (held.size() == 1 && held.begin()->second.tuned) kernel.machines.clear();  // the table has it
    const auto text = store.record(entry.key);
    const auto record = text ? lock::parse_record(*text) : Result<lock::Record>(failure("none"));
    if (!record || record->key != entry.key || record->variant != entry.variant) return;
    if (kernel.machine.empty()) kernel.machine = record->device;
    const Verdict* verdict = record->counting_verdict();
    for (std::size_t at = 0; verdict && at < verdict->measurement.problems.size(); ++at) {
      const ProblemMeasurement& problem = verdict->measurement.problems[at];
      kernel.problems.push_back({problem.label, problem.speedup, problem.reference_seconds, problem.candidate_seconds,
                                 problem.reference_samples.size()});
    }
  }

  void add_code(const fs::path& lock, const cache::LockEntry& entry, const cache::Store& store,
                report::CommentKernel& kernel) const {
    const project::ProjectKernel* judged = kernel_of(lock, entry, true);
    if (judged && judged->whole) {
      if (const auto variant = lock::variant_text(judged->spec, *entry.variant, store))
        kernel.code = report::unified_diff(judged->spec.unit.definition, *variant, "original", "variant");
      else
        kernel.about_code = "There is no code to show: " + report::code_span(variant.error().message()) + ".";
      return;
    }
    const auto blob = store.blob(*entry.variant);
    if (!blob) {
      kernel.about_code = "There is no code to show: the variant is in no store here.";
      return;
    }
    kernel.code = cache::read_bound(*blob).source;
    kernel.is_diff = false;
    kernel.about_code = project_ ? "The variant alone, since this build has no kernel in the state that was tuned:"
                                 : "The variant alone, since no build folder says where the original is (`-p`):";
  }

  // What a reviewer may copy. Paths of this machine are left out.
  std::vector<std::string> commands(const report::MergeComment& comment) const {
    std::set<std::string> names;
    for (const report::CommentLock& lock : comment.locks)
      for (const report::CommentKernel& kernel : lock.kernels)
        if (kernel.after && !kernel.after->variant.empty()) names.insert(kernel.name);
    const fs::path named = request_.project.build;
    const std::string build = named.empty() || named.is_absolute() ? "build" : shell_word(named.string());
    std::string words;
    if (names.size() <= kMostNames)
      for (const std::string& name : names) words += " " + shell_word(name);
    std::vector<std::string> lines;
    const bool is_cmake = !project_ || std::ranges::any_of(project_->units, [](const project::ProjectUnit& unit) {
      return !unit.settings.target.empty();
    });
    if (is_cmake) lines.push_back(fmt::format("cmake -B {} -DHONE_STRICT=ON && cmake --build {}", build, build));
    lines.push_back(fmt::format("hone lock check -p {}", build));
    if (!names.empty()) {
      lines.push_back(fmt::format("hone verify -p {}{}", build, words));
      lines.push_back(fmt::format("hone show -p {} {}", build, shell_word(*names.begin())));
    }
    return lines;
  }

  const CommentRequest& request_;
  os::PosixProcessRunner runner_;
  std::optional<project::Project> project_;
  std::set<fs::path> locks_;
  std::vector<Changed> changed_;
  std::set<cache::Digest> keys_;  // of entries that changed
  std::vector<project::ProjectKernel> kernels_;
};

}  // namespace

std::optional<report::MergeComment> gather_comment(const CommentRequest& request, int& code) {
  return Gathering(request).run(code);
}

}  // namespace hone::cli
