// A kernel as a user writes it, and hone-prove beside the real judge.
#pragma once

#include <memory>
#include <string>

#include "tool/compile/compiler.h"
#include "tool/model/verdict.h"
#include "tool/os/files/files.h"
#include "tool/tune/trial/prover.h"

namespace hone::test {

class ProofBench {
 public:
  // `text`: a file with one annotated kernel. Throws std::runtime_error where it has none.
  explicit ProofBench(const std::string& text);

  const std::string& original() const { return spec_.unit.definition; }
  bundle::Proof prove(const std::string& candidate, double seconds = 10);
  // The judge's verdict where the only case beyond the usual ones is the proof's counterexample.
  Verdict judge(const std::string& candidate, const bundle::Proof& proof);

 private:
  os::TemporaryFolder folder_;
  os::PosixProcessRunner runner_;
  CompileCommand command_;
  KernelSpec spec_;
  std::unique_ptr<tune::Prover> prover_;
};

}  // namespace hone::test
