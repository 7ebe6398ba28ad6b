// gate → compile → verify → time for the candidates of one kernel.
//
// Opened once per kernel: the unit is frozen and the original compiled. gate(), compile() and run() may be called by
// several threads at once: whoever times takes turns with others on the same device. A candidate that fails is a
// Verdict; an Error is the environment's.
#pragma once

#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <variant>

#include "tool/base/either_stop.h"
#include "tool/base/result.h"
#include "tool/bundle/bundle.h"
#include "tool/bundle/executor.h"
#include "tool/compile/compiler.h"
#include "tool/compile/device/device_half.h"
#include "tool/frontend/gate/policy_gate.h"
#include "tool/tune/trial/prover.h"
#include "tool/tune/trial/trial_stages.h"

namespace hone::tune {

class Evaluator : public TrialStages {
 public:
  // Error: no problem is known, or the original cannot be frozen or compiled. `spec` and `executor` are borrowed.
  static Result<std::unique_ptr<Evaluator>> open(const KernelSpec& spec, const CompileCommand& command,
                                                 const frontend::Options& options, os::ProcessRunner& runner,
                                                 bundle::Executor& executor, std::stop_token stop = {});
  ~Evaluator() override;

  // Judges the original against itself.
  Result<Verdict> reference(std::stop_token stop);

  std::optional<Verdict> gate(const std::string& source) override;
  // From now on candidates are compiled for devices of that architecture ("sm_90") alone: of the project's
  // architectures for what such a device loads. Not where that is all of them, or "". The original stays whole.
  // Executors whose device loads something else fail. Before there are other threads.
  void compile_candidates_for(const std::string& architecture);
  const std::string& architecture() const { return architecture_; }
  // Whether candidates are compiled for fewer architectures than the project names: then a right candidate may not
  // compile for the rest.
  bool leaves_architectures_out() const { return device_compiler_ != nullptr; }
  // What the compiler says of the kernel's whole file with `source` in its place, for all of the project's
  // architectures: "", or the first error.
  Result<std::string> complaint(const std::string& file_text, const std::string& source, std::stop_token stop);

  // With all that the judge can use: for one that is reported, or measured afresh.
  Result<std::variant<compile::Objects, Verdict>> compile(const std::string& source, std::stop_token stop,
                                                          compile::Builds builds = compile::Builds::all);
  // Many candidates are going to be compiled: calls compile_candidates_for(), and looks for the quickest way, beside
  // whatever the caller does next. Before there are other threads.
  void prepare_for_trials(const std::string& architecture, std::stop_token stop);
  // There is going to be a winner: what its judgment alone needs is compiled beside whatever the caller does next.
  // Called on one thread, as often as it likes.
  void prepare_for_finals();
  // In the quickest way that prepare_for_trials() found.
  Result<std::variant<compile::Objects, Verdict>> compile_for_trial(const std::string& source,
                                                                    std::stop_token stop) override;
  Result<std::variant<compile::Objects, Verdict>> compile_plain(const std::string& source,
                                                                std::stop_token stop) override;
  Result<Verdict> verify(const compile::Objects& candidate, std::stop_token stop) override;
  Result<Verdict> run(const compile::Objects& candidate, const statistics::AcceptanceRule& rule,
                      std::stop_token stop) override;

  // How many times as fast the second is as the first, timed beside each other; both were found right. nullopt: it
  // could not be told.
  std::optional<Speedup> compare(const std::string& first, const std::string& second, std::stop_token stop);
  std::optional<Speedup> compare(const compile::Objects& first, const compile::Objects& second, std::stop_token stop);

  // The second timed beside the first, for as long as it takes to tell: `faster` says that it loses less than what
  // nobody would notice. Both were found right.
  Result<Verdict> as_fast(const compile::Objects& first, const compile::Objects& second, std::stop_token stop);

  // Gate, compiler and judge, timed for at least a second: for a figure that is reported. At Depth::held_out it is
  // also looked whether the code in the user's file is the code of the unit; where it is not, that code is judged.
  Result<Verdict> judge(const std::string& source, std::stop_token stop, bundle::Depth depth = bundle::Depth::thorough);

  // Compiler and judge, with all that they can use but a clock. `right` is the answer.
  Result<Verdict> verify_afresh(const std::string& source, std::stop_token stop);

  // The original timed against itself, briefly: for its seconds on each problem. On a device with its rates.
  Result<bundle::Answer> time_original(std::stop_token stop);

  // Waits until the original is compiled as trials are.
  std::string original_object() const override;
  // From now on candidates are compiled by another compiler, or with more flags; the original stays as it was built.
  Result<void> compile_candidates_with(const CompileCommand& command);

  // What the compiler says of its work on a candidate, or on the original; nullopt: it does not compile.
  Result<std::optional<compile::Explanation>> explain(const std::string& source, std::stop_token stop);

  // What one call executes, where the judge runs; nullopt: it cannot be counted there, or does not compile for it.
  Result<std::optional<ExecutionCounts>> count(const std::string& source, std::stop_token stop);

  // What one call does on the device where the judge runs: in the verdict's profile, else its reason says why not.
  // nullopt: it does not compile.
  Result<std::optional<bundle::Answer>> profile(const std::string& source, std::stop_token stop);

  std::string compiler() const { return compiler_.identity(); }

 private:
  Evaluator(const KernelSpec& spec, const CompileCommand& command, const frontend::Options& options,
            os::ProcessRunner& runner, bundle::Executor& executor, const std::stop_token& stop);
  // The original in double, where it computes in float and that can be written.
  struct Precise {
    KernelData data;
    std::string object;
  };
  std::optional<Precise> compile_precise(std::stop_token stop);
  Result<Verdict> run(const compile::Objects& candidate, const statistics::AcceptanceRule& rule, bundle::Depth depth,
                      std::vector<bundle::Given> given, std::stop_token stop);
  std::future<bundle::Proof> begin_proof(const std::string& source, bundle::Depth depth, std::stop_token stop);
  Result<std::optional<compile::Objects>> compile_device_half(const std::string& source, std::stop_token stop);
  bundle::Bundle bundle(bundle::Task task) const;
  // To verify and time it.
  bundle::Bundle judged(const compile::Objects& candidate, bundle::Depth depth) const;
  // Whether the original in double is asked for such a judgment.
  bool wants_precise(bundle::Depth depth) const;
  // Times `second` beside `first`; both were found right.
  bundle::Bundle timed(const compile::Objects& first, const compile::Objects& second,
                       const statistics::AcceptanceRule& rule) const;
  bundle::Bundle counted(std::string object) const;
  compile::Compiler& for_candidates() { return device_compiler_ ? *device_compiler_ : compiler_; }
  std::string foreign(const Verdict& verdict) const;
  // Where the candidate's object would bring more into a program than code (object_gain.h).
  std::optional<Verdict> gain(const compile::Objects& candidate) const;

  // A candidate in the user's whole file.
  struct InFile {
    std::optional<Verdict> refused;
    std::optional<compile::Objects> other;  // what it is compiled to there, where that is other code
    std::string said;                       // a sentence on what was found
  };
  Result<InFile> in_its_file(const std::string& source, std::stop_token stop);
  Result<void> freeze_file(std::stop_token stop);
  Result<bundle::Answer> execute(const bundle::Bundle& bundle, std::stop_token stop);

  const KernelSpec& spec_;
  CompileCommand command_;
  frontend::Options options_;
  bundle::Executor& executor_;
  std::mutex gate_in_use_;
  std::optional<frontend::Gate> gate_;  // opened for the first candidate
  compile::Compiler compiler_;
  compile::FrozenUnit unit_;
  compile::Objects original_;
  std::string architecture_;                            // that candidates are compiled for; "": all of the project's
  std::unique_ptr<compile::Compiler> device_compiler_;  // of compile_candidates_for(), where there is a difference
  std::unique_ptr<compile::Compiler> other_compiler_;   // of compile_candidates_with(), else null
  compile::FrozenUnit other_unit_;
  os::ProcessRunner& runner_;
  EitherStop ending_;  // of what is compiled beside
  // Of the user's whole file, from the first look at it on; `why_no_file_` where it cannot be compiled in the sandbox.
  std::optional<compile::FrozenUnit> file_unit_;
  std::string original_in_file_, why_no_file_;
  Prover prover_;
  std::vector<bundle::Given> captured_;  // real inputs
  std::string original_object_;
  // None where no output is of float. Compiled beside what comes first; for a device when somebody waits for it.
  std::shared_future<std::optional<Precise>> precise_;
  std::shared_future<std::unique_ptr<compile::DeviceHalf>> device_half_;  // of prepare_for_trials(), or none
  std::shared_future<std::string> original_for_trial_;  // of prepare_for_trials(), if not original_object_
  std::future<void> preparing_for_finals_;
};

}  // namespace hone::tune
