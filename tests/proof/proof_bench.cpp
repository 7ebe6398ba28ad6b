#include "tests/proof/proof_bench.h"

#include <cstdlib>
#include <stdexcept>

#include "tool/executor/make_executor.h"
#include "tool/frontend/find/kernel_finder.h"

namespace hone::test {
namespace {

template <class T>
T must(Result<T> result) {
  if (!result) throw std::runtime_error(result.error().message());
  return std::move(*result);
}

}  // namespace

ProofBench::ProofBench(const std::string& text) : folder_(must(os::TemporaryFolder::create("hone-proof-test"))) {
  const std::string file = folder_.path() / "kernel.cpp";
  must(os::write_file_atomically(file, text).map([] { return 0; }));
  command_ = {.directory = folder_.path(),
              .file = file,
              .output = "kernel.o",
              .arguments = {"g++", "-std=c++20", "-O2", "-c", file, "-o", "kernel.o"}};
  auto found = must(frontend::find_kernels(command_, {}));
  if (found.kernels.size() != 1)
    throw std::runtime_error(found.diagnostics.empty() ? "no kernel" : found.diagnostics.front().rendered);
  spec_ = std::move(found.kernels.front().spec);
  setenv("HONE_WORKER", HONE_WORKER, 1);
  setenv("HONE_PROVE", HONE_PROVE, 0);
  prover_ = std::make_unique<tune::Prover>(runner_, spec_, command_);
}

bundle::Proof ProofBench::prove(const std::string& candidate, double seconds) {
  return prover_->prove(candidate, seconds);
}

Verdict ProofBench::judge(const std::string& candidate, const bundle::Proof& proof) {
  compile::Compiler compiler(runner_, command_);
  const compile::FrozenUnit unit = must(compiler.freeze(spec_));
  const auto objects = [&](const std::string& source) {
    return std::get<compile::Objects>(must(compiler.compile(unit, source)));
  };
  const compile::Objects original = objects(unit.definition), other = objects(candidate);
  bundle::Bundle bundle;
  bundle.kernel = spec_;
  bundle.data = spec_;
  bundle.plan.seed = 1;
  bundle.plan.sanitizer_preload = original.sanitizer_runtime;
  if (proof.example) bundle.plan.given.push_back(*proof.example);
  bundle.plan.rule.looks = {0.01};
  bundle.plan.rule.shares.clear();
  bundle.reference = original.plain;
  bundle.sanitized_reference = original.sanitized;
  bundle.candidate = other.plain;
  bundle.sanitized_candidate = other.sanitized;
  const auto executor = must(executor::make_executor("local", runner_));
  return must(executor->run(bundle));
}

}  // namespace hone::test
