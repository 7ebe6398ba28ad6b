// One judgment, from cases to verdict, on ports: what a process, a ground, the tools on it and a clock say is theirs,
// and what follows from it is decided here. So tests can put subjects in the place of processes that lie, crash, are
// slow, or drift.
//
// An Error is the machine's fault, or the installation's. One thread.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tool/base/result.h"
#include "tool/bundle/bundle.h"
#include "tool/judge/ground/ground.h"
#include "tool/judge/inspection.h"
#include "tool/judge/machine/processors.h"
#include "tool/judge/process/subject_start.h"
#include "tool/judge/time/timer.h"
#include "tool/judge/verify/verifier.h"
#include "tool/model/verdict.h"
#include "tool/os/files/clock.h"

namespace hone::judge {

// What a judgment needs of the machine. All of it is borrowed.
struct JudgmentPorts {
  const os::Clock& clock;  // the one that every part of the judgment reads
  Ground& ground;
  Inspection& inspection;
  const Processors& processors;
  const StartSubject& start;
};

class Judgment {
 public:
  // Both are borrowed.
  Judgment(const bundle::Bundle& bundle, const JudgmentPorts& ports);
  ~Judgment();
  Judgment(const Judgment&) = delete;

  // Once.
  Result<bundle::Answer> run();

 private:
  using Ended = Result<bool>;  // true: the verdict is final

  Ended end(Stage stage, bool right, DiagnosticCode code, std::string reason, std::string detail = "");
  Ended end(const std::optional<Finding>& finding);

  // The stages, in their order.
  Ended check_limits();
  Ended start_original();
  Ended make_cases();
  Ended start_second();
  Ended verify();
  Ended look_for_errors();
  Ended weigh_errors();
  Ended finish();

  Ended finish_original();
  Ended count();
  Ended time();
  Ended conclude(const Timing& timing);
  Result<std::unique_ptr<Subject>> start(const std::string& object, const SubjectNeeds& needs);
  RunnerAnswer<void> ready(Subject& subject);  // that was started last
  Ended load(Subject& subject, bool original);
  Result<void> replace_by_original();
  Result<Timing> measure(const bundle::Plan& plan, const std::vector<Bench::Scales>& scales, bool compare,
                         Waiting waiting = Waiting::spins);
  Result<Timing> measure_asleep(Timing first, const std::vector<Bench::Scales>& scales);
  Result<void> verify_timed(Timing& timing);
  Result<void> inspect_the_faster();
  void end_processes();
  void take(Inspected& inspected);
  bool inspects_last() const;
  bool is_of_original() const { return plan_.task == bundle::Task::reference; }
  bool verifies_candidate() const {
    return plan_.task == bundle::Task::candidate || plan_.task == bundle::Task::verify;
  }
  InspectedKernel inspected_kernel() { return {*verifier_, *second_, arguments_}; }
  std::string untimed_detail() const { return unwatched_.empty() ? unusable_ : unwatched_; }

  const bundle::Bundle& bundle_;
  const KernelData& spec_;
  bundle::Plan plan_;
  const JudgmentPorts ports_;
  Ground& ground_;
  std::unique_ptr<Subject> reference_, second_;  // second: the candidate, or the original once more
  std::optional<DoubleReference> double_reference_;
  std::optional<Verifier> verifier_;
  std::vector<Case> declared_;
  std::vector<Case> timed_;           // the same problems, on captured data where there are such
  double idle_free_ = 0;              // seconds until the ground is free where nobody uses it
  std::size_t arguments_ = 0;         // bytes that a process may have mapped at once
  std::string error_words_;           // where a right candidate takes much of its tolerance
  std::string unwatched_, unusable_;  // as the inspections have them
  bundle::Answer answer_;
};

}  // namespace hone::judge
