// The judge: a bundle in, a Verdict out. What hone-worker runs.
//
// Starts the runners, makes the declared problems, verifies, times, verifies again. Whatever the candidate does is in
// the Verdict; so is an annotation that makes no sense and an original that cannot serve as a specification (right is
// then false and the reason names "the original" or the clause). An Error is the machine's or the installation's fault.
#pragma once

#include <string>

#include "tool/base/result.h"
#include "tool/bundle/bundle.h"
#include "tool/model/verdict.h"

namespace hone::judge {

struct JudgeOptions {
  std::string runner;  // hone-runner's absolute path
  std::string order;   // openmp_order's
  int device = 0;      // the CUDA device for kernels that run on one
};

Result<bundle::Answer> judge(const bundle::Bundle& bundle, const JudgeOptions& options);

}  // namespace hone::judge
