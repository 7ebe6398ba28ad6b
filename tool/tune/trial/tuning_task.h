// One kernel that is tuned: where it stands, and what the user asked for. All borrowed.
#pragma once

#include "tool/model/kernel_spec.h"
#include "tool/project/project.h"
#include "tool/project/settings.h"
#include "tool/project/tune_options.h"
#include "tool/tune/trial/slice.h"

namespace hone::tune {

struct TuningTask {
  const KernelSpec& spec;
  const project::ProjectUnit& unit;  // the spec's
  const project::TuneOptions& options;
  const project::Settings& settings;  // which the options come to for this unit
  Slice* slice = nullptr;             // null: it has its budget for itself
};

// The device, if the kernel is for one, is this machine's.
inline bool is_judged_here(const TuningTask& task) {
  return task.options.executor == "local";
}

}  // namespace hone::tune
