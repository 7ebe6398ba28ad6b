// What is compiled for each annotated kernel of a unit: its locked variants, or the original and why.
//
// The lock file names variants by digest; the store has their text; the gate and the file itself may object. Whatever
// does not go together leaves the original and one note at the kernel. Reads stores, hone.json and hone.trust; writes
// what came from a shared store into the user's, and nothing else. One thread.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "cache/lock_file.h"
#include "cache/store.h"
#include "tool/apply/applier.h"
#include "tool/apply/apply_gate.h"
#include "tool/apply/apply_notes.h"
#include "tool/apply/linked_stamp.h"
#include "tool/command/compiler_line.h"
#include "tool/frontend/find/kernel_finder.h"
#include "tool/frontend/place/rewriter.h"
#include "tool/linked/linked_kernel.h"
#include "tool/lock/machine_rule.h"
#include "tool/lock/measured_entries.h"
#include "tool/project/project.h"

namespace hone::apply {

// A kernel and what the lock file names for it.
struct Choice {
  const frontend::FoundKernel* kernel;
  frontend::Replacement replacement;
  std::vector<std::string> displays;  // the variants' names
};

std::vector<frontend::Replacement> replacements_of(const std::vector<Choice>& choices);

// A note at the kernel's own place, which may be in a header.
void say_at(ApplyNotes& notes, const frontend::MainText& file, DiagnosticCode code, const KernelSpec& spec,
            const std::string& what, bool decided = false);

struct Chosen {
  std::vector<Choice> choices;
  std::vector<linked::LinkedKernel> linked;     // of every kernel, what the object will say
  std::vector<std::string> further;             // prerequisites: variants, and what decided which
  std::map<std::string, std::string> readable;  // variants by their names, to be kept
};

class VariantChooser {
 public:
  // Borrowed for as long as this lives.
  struct Unit {
    const ApplyRequest& request;
    const CompilerLine& line;
    const project::ProjectUnit unit;
    const frontend::MainText& file;
    const std::string& files;  // a digest of all that was read for the kernels
    const frontend::Options options;
    bool strict = false;
  };
  VariantChooser(Unit unit, ApplyNotes& notes, lock::MachineRule& rule);

  Chosen run(const std::vector<frontend::FoundKernel>& kernels, const cache::LockFile& lock, LinkedStamp& stamp);

 private:
  void say(DiagnosticCode code, const KernelSpec& spec, const std::string& what, bool decided = false);
  void fetch_missing(const std::vector<frontend::FoundKernel>& kernels, cache::Store& store);
  linked::Reason choose(const frontend::FoundKernel& kernel, const cache::Store& store, ApplyGate& gate);
  linked::Reason place(const frontend::FoundKernel& kernel, const std::vector<frontend::FamilyVariant>& variants,
                       ApplyGate& gate);
  std::string leave_out_slower(const KernelSpec& spec, std::vector<lock::MeasuredEntry>& measured);
  std::vector<frontend::FamilyVariant> for_debuggers(const frontend::FoundKernel& kernel,
                                                     std::vector<frontend::FamilyVariant> variants) const;
  void watch_for(const std::vector<lock::MeasuredEntry>& measured);
  void object(const KernelSpec& spec, const std::vector<lock::MeasuredEntry>& measured);
  void say_gated(const KernelSpec& spec, const frontend::FamilyVariant& variant, std::string why);
  bool say_distrusted(const KernelSpec& spec);
  linked::Reason say_unlocked(const KernelSpec& spec);

  const Unit unit_;
  const project::TargetSettings& settings_;
  ApplyNotes& notes_;
  lock::MachineRule& rule_;
  const cache::LockFile* lock_ = nullptr;
  Chosen chosen_;
};

}  // namespace hone::apply
