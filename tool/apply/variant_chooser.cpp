#include "tool/apply/variant_chooser.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string_view>
#include <utility>

#include "tool/apply/linked_notes.h"
#include "tool/apply/read_back.h"
#include "tool/frontend/gate/policy_gate.h"
#include "tool/frontend/place/breakpoint_lines.h"
#include "tool/lock/ledger.h"
#include "tool/lock/locked_variants.h"
#include "tool/lock/other_entries.h"
#include "tool/lock/strict_objection.h"
#include "tool/shared/locked_blobs.h"
#include "tool/trust/trust_file.h"

namespace hone::apply {

namespace fs = std::filesystem;
using Code = DiagnosticCode;

namespace {

constexpr const char* again = "; the original is compiled; build hone-tune";

}  // namespace

std::vector<frontend::Replacement> replacements_of(const std::vector<Choice>& choices) {
  std::vector<frontend::Replacement> all;
  for (const Choice& choice : choices) all.push_back(choice.replacement);
  return all;
}

void say_at(ApplyNotes& notes, const frontend::MainText& file, Code code, const KernelSpec& spec,
            const std::string& what, bool decided) {
  const auto header = std::ranges::find_if(file.headers, [&](const std::string& name) {
    return fs::absolute(name).lexically_normal() == fs::path(spec.file);
  });
  notes.say(code, header == file.headers.end() ? notes.source() : *header, spec.line, what, decided);
}

VariantChooser::VariantChooser(Unit unit, ApplyNotes& notes, lock::MachineRule& rule)
    : unit_(std::move(unit)), settings_(unit_.unit.settings), notes_(notes), rule_(rule) {}

void VariantChooser::say(Code code, const KernelSpec& spec, const std::string& what, bool decided) {
  say_at(notes_, unit_.file, code, spec, what, decided);
}

Chosen VariantChooser::run(const std::vector<frontend::FoundKernel>& kernels, const cache::LockFile& lock,
                           LinkedStamp& stamp) {
  lock_ = &lock;
  cache::Store store =
      lock::reading_store(settings_.lock, [&](const std::string& warning) { notes_.remember(warning); });
  if (unit_.request.shared) fetch_missing(kernels, store);  // before the stamp hears of what is there
  std::vector<KernelIdentity> identities;
  for (const frontend::FoundKernel& kernel : kernels) identities.push_back(kernel.spec);
  stamp.hear(lock, identities);
  ApplyGate gate(unit_.file.command, unit_.file.text, unit_.files, unit_.options);
  for (const frontend::FoundKernel& kernel : kernels)
    if (const linked::Reason why = choose(kernel, store, gate); why != linked::Reason::none)
      chosen_.linked.push_back(linked_original(kernel.spec, settings_.lock, why));
  return std::move(chosen_);
}

void VariantChooser::fetch_missing(const std::vector<frontend::FoundKernel>& kernels, cache::Store& store) {
  store.set_behind(
      shared::locked_blobs(*lock_, *unit_.request.shared, [this, said = false](const std::string& why) mutable {
        if (!std::exchange(said, true)) notes_.remember(why);  // one word a compile is enough
      }));
  for (const frontend::FoundKernel& kernel : kernels)
    for (const lock::MeasuredEntry& one : lock::measured_entries(*lock_, kernel.spec))
      if (one.entry->variant) (void)store.blob(*one.entry->variant);
  unit_.request.shared->hang_up();
}

linked::Reason VariantChooser::choose(const frontend::FoundKernel& kernel, const cache::Store& store, ApplyGate& gate) {
  const KernelSpec& spec = kernel.spec;
  std::vector<lock::MeasuredEntry> measured = lock::measured_entries(*lock_, spec);
  if (measured.empty()) return say_unlocked(spec);
  const std::string slower = leave_out_slower(spec, measured);
  if (lock::is_for_several_families(spec)) say_distrusted(spec);
  if (unit_.strict) object(spec, measured);
  const Result<std::vector<frontend::FamilyVariant>> variants = lock::locked_variants(spec, measured, store);
  if (!variants) {
    watch_for(measured);
    say(Code::variant_missing, spec,
        variants.error().what + "; the original is compiled; restore it or build hone-tune");
    return linked::Reason::missing;
  }
  if (variants->empty()) return slower.empty() ? linked::Reason::kept : linked::Reason::slower;
  return place(kernel, *variants, gate);
}

linked::Reason VariantChooser::place(const frontend::FoundKernel& kernel,
                                     const std::vector<frontend::FamilyVariant>& variants, ApplyGate& gate) {
  const KernelSpec& spec = kernel.spec;
  Result<frontend::Replacement> replacement = lock::placed(kernel, for_debuggers(kernel, variants), unit_.line.nvcc);
  if (!replacement) {
    say(Code::variant_misfit, spec,
        "the locked variant of '" + spec.name + "' does not fit this file: " + replacement.error().what + again);
    return linked::Reason::unfit;
  }
  // Variants by family stand apart from each other (decision 10), and are looked at without the others.
  const auto others =
      lock::is_for_several_families(spec) ? std::vector<frontend::Replacement>() : replacements_of(chosen_.choices);
  for (const frontend::FamilyVariant& variant : variants)
    if (const std::string why = gate.object(kernel, variant.variant, others); !why.empty()) {
      say_gated(spec, variant, why);
      return linked::Reason::refused;
    }
  Choice choice{&kernel, std::move(*replacement), {}};
  for (const frontend::FamilyVariant& variant : variants) {
    choice.displays.push_back(variant.display);
    if (is_read_back(unit_.line.arguments)) chosen_.readable.emplace(variant.display, variant.variant);
    fs::path blob = settings_.lock.parent_path() / variant.display;
    if (std::error_code error; fs::exists(blob, error)) chosen_.further.push_back(blob.string());
  }
  for (linked::LinkedKernel& one : linked_variants(spec, settings_.lock, variants))
    chosen_.linked.push_back(std::move(one));
  chosen_.choices.push_back(std::move(choice));
  return linked::Reason::none;
}

// The original is right where a variant is slower: that is a decision, and no failure of a strict build.
std::string VariantChooser::leave_out_slower(const KernelSpec& spec, std::vector<lock::MeasuredEntry>& measured) {
  const std::string why = rule_.leave_out(measured);
  if (!why.empty())
    say(Code::variant_slower_here, spec, "'" + spec.name + "' " + why + "; the original is compiled", true);
  if (rule_.asked_project()) chosen_.further.push_back(rule_.prerequisite().string());
  if (const auto trouble = rule_.take_trouble()) notes_.say(Code::none, *trouble);
  return why;
}

// As they are but where somebody will look at them with a debugger.
std::vector<frontend::FamilyVariant> VariantChooser::for_debuggers(
    const frontend::FoundKernel& kernel, std::vector<frontend::FamilyVariant> variants) const {
  if (unit_.line.nvcc || !is_read_back(unit_.line.arguments)) return variants;
  const frontend::Placement& place = kernel.placement;
  if (place.begin == place.end || !kernel.guard.definition.empty()) return variants;  // the original stays, too
  const frontend::FilePlace last = unit_.file.origins.place(unit_.file.text, place.end - 1);
  for (frontend::FamilyVariant& one : variants)
    one.variant = frontend::with_breakpoint_lines(kernel.spec, one.variant, last, one.display);
  return variants;
}

// A blob that is not there is no prerequisite; that it comes back shows in its folder's time.
void VariantChooser::watch_for(const std::vector<lock::MeasuredEntry>& measured) {
  for (const lock::MeasuredEntry& one : measured) {
    if (!one.entry->variant) continue;
    const fs::path project = lock::project_store(settings_.lock);
    for (const fs::path& place :
         {project / "cas" / *one.entry->variant, project / "cas", project, project.parent_path()})
      if (std::error_code error; fs::exists(place, error)) {
        chosen_.further.push_back(place.string());
        break;
      }
  }
}

void VariantChooser::object(const KernelSpec& spec, const std::vector<lock::MeasuredEntry>& measured) {
  if (const auto why = lock::strict_objection(spec, measured, settings_.lock)) return say(why->code, spec, why->what);
  const auto on_word = [](const lock::MeasuredEntry& one) { return !one.entry->signed_by.empty(); };
  if (std::ranges::none_of(measured, on_word)) return;
  const fs::path trusted = trust::trust_file_beside(settings_.lock);
  std::error_code error;
  chosen_.further.push_back((fs::exists(trusted, error) ? trusted : trusted.parent_path()).string());
}

void VariantChooser::say_gated(const KernelSpec& spec, const frontend::FamilyVariant& variant, std::string why) {
  constexpr std::string_view name = "<candidate>";
  for (std::size_t at = 0; (at = why.find(name, at)) != std::string::npos; at += variant.display.size())
    why.replace(at, name.size(), variant.display);
  say(Code::variant_refused, spec, "the locked variant of '" + spec.name + "' is refused: " + why + again);
}

// Notes an entry that holds nowhere; entries of other families may hold.
bool VariantChooser::say_distrusted(const KernelSpec& spec) {
  const std::string why = lock::why_distrusted(*lock_, spec);
  if (!why.empty())
    say(Code::entry_distrusted, spec,
        "'" + spec.name + "' has no variant that holds: " + why +
            "; the original is compiled; build hone-tune, or restore the lock file");
  return !why.empty();
}

linked::Reason VariantChooser::say_unlocked(const KernelSpec& spec) {
  if (say_distrusted(spec)) return linked::Reason::distrusted;
  if (lock_->find(spec.key)) {
    say(Code::family_unknown, spec,
        "'" + spec.name +
            "' is compiled for several families of architectures, and the lock file does not say which it was "
            "measured on" +
            again);
    return linked::Reason::distrusted;
  }
  const lock::OtherEntries others = lock::other_entries(*lock_, spec, unit_.unit);
  say(Code::not_tuned, spec,
      "'" + spec.name + "' " + lock::standing(others, settings_.lock.parent_path().string()) + again);
  if (others.stale) return linked::Reason::stale;
  return others.unsaid || !others.elsewhere.empty() ? linked::Reason::elsewhere : linked::Reason::untuned;
}

}  // namespace hone::apply
