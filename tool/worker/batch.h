// Judges a folder of bundles: NAME.bundle becomes NAME.verdict beside it, NAME.in becomes NAME.out (as a mailbox names
// them), one after the other on each device, all devices at once.
//
// A result appears whole or not at all, and what has one is left alone: a batch that was killed goes on where it was,
// and several may share a folder, also from different machines. What cannot be judged (a malformed bundle, a device
// that fails) gets no result, a line on stderr, and is tried again by the next batch. Devices stay open from bundle to
// bundle.
#pragma once

#include <filesystem>

#include "tool/base/result.h"
#include "tool/judge/judge.h"

namespace hone::worker {

struct BatchOptions {
  unsigned at_once = 0;  // judgments on each device; 0: as many as are quickest. Timings take turns whatever it says
};

// How many bundles are left without a result. Forks: the caller has no threads and has not opened a device.
Result<unsigned> judge_batch(const std::filesystem::path& folder, const judge::JudgeOptions& judge,
                             const BatchOptions& options);

}  // namespace hone::worker
