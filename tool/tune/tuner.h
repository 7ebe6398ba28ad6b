// The tuning pass: from an annotated kernel to a verified, faster variant in the store and the lock file.
//
// A Tuner tunes one kernel after the other, or several side by side. Whatever stops it (budget, stop token, SIGKILL)
// the lock file and the store are whole, and the journal under <build>/hone/runs holds every verdict reached, so that a
// resumed run judges nothing again. It writes the journal, the user's store, the project's store (`hone/` beside the
// lock file) and the lock file; never a source file. Thread-safe; starts threads of its own, all joined before a call
// returns. Workers that stay are shared by all searches of one Tuner, and go with it.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>

#include "tool/base/result.h"
#include "tool/executor/make_executor.h"
#include "tool/model/kernel_spec.h"
#include "tool/os/process/process_runner.h"
#include "tool/project/project.h"
#include "tool/project/tune_options.h"
#include "tool/report/progress.h"
#include "tool/shared/record_offers.h"
#include "tool/tune/trial/slice.h"

namespace hone::tune {

class Tuner {
 public:
  // `note` gets what concerns all kernels (a queue that gives nothing), from any thread. `shared`: the team's store,
  // which is asked for each kernel that nothing here knows; null: there is none.
  Tuner(project::TuneOptions options, os::ProcessRunner& runner, std::function<void(const std::string&)> note,
        shared::SharedStore* shared = nullptr);

  // Before the first kernel, for who wants to say once what each kernel would say. Error: there is no such executor.
  Result<void> open_executor();

  // `slice`: of a time that several kernels share; null: the kernel has its budget for itself.
  // Error: nothing about the kernel could be decided because the environment failed. A kernel that is refused, or that
  // stays as it was, is a KernelResult.
  Result<report::KernelResult> tune(const project::ProjectUnit& unit, const KernelSpec& spec,
                                    report::Progress& progress, std::stop_token stop = {}, Slice* slice = nullptr);

 private:
  Result<std::unique_ptr<bundle::Executor>> make_executor();

  project::TuneOptions options_;
  os::ProcessRunner& runner_;
  std::function<void(const std::string&)> note_;
  std::optional<shared::RecordOffers> offers_;
  std::mutex opening_;
  std::optional<executor::Source> executors_;  // from the first kernel on that is searched
};

// Does the lock file say what a Tuner would, without a search? Then that needs of the spec only who it is.
bool is_known(const project::ProjectUnit& unit, const KernelSpec& spec);

// HONE_MODE=tune: tunes every kernel of a unit whose key neither the lock file nor the store knows, before the unit is
// compiled. Resumes an interrupted run. Error: the environment failed; the original can still be compiled.
Result<void> tune_unit(const project::ProjectUnit& unit, const project::TuneOptions& options,
                       report::Progress& progress, shared::SharedStore* shared = nullptr, std::stop_token stop = {});

// Tunes the unit with the default options, resumes, and prints plain lines on stderr.
Result<void> tune_unit(const project::ProjectUnit& unit, const std::filesystem::path& build,
                       shared::SharedStore* shared = nullptr);

}  // namespace hone::tune
