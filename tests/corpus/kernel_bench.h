// A kernel of the corpus and the judge for it: the stages one by one, so that a test may leave the gate out.
//
// The real gate, compiler and worker; only the looks of the timing are short. The kernel's file is parsed once per
// process and standard. Objects are kept in a folder of the build between processes, by everything that went into them:
// most of the corpus' time is spent in compilers. One thread.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "tool/compile/compiler.h"
#include "tool/executor/make_executor.h"
#include "tool/frontend/gate/policy_gate.h"
#include "tool/model/verdict.h"

namespace hone::corpus {

// What HONE_CORPUS names in the environment, else the one in this folder: kernels/, hostile/ and good/.
std::filesystem::path corpus_folder();

class KernelBench {
 public:
  // Of kernels/<name>.cpp, compiled as that standard of C++; made on first use. Throws std::runtime_error when the
  // kernel cannot be judged at all.
  static KernelBench& of(const std::string& name, const std::string& standard);

  // The verdict on the original as a specification; asked of the worker once.
  const Verdict& original();

  // Gate, compile, verify, time; `beyond_the_gate` leaves the first out, and where asked for the look at what the
  // object brings, too. What a trial calls right is judged again as a search judges its winner, before it is locked.
  enum class Object { looked_at, not_looked_at };
  Verdict judge(const std::string& candidate);
  // Judged once, as a trial, a finalist or a winner. The latter two are tried on every kind of case that a trial is
  // tried on, and on more of each.
  Verdict judge_in_depth(const std::string& candidate, bundle::Depth depth);
  Verdict judge_beyond_the_gate(const std::string& candidate, Object object,
                                std::optional<compile::CompileLimits> limits = {});

 private:
  KernelBench(const std::string& name, const std::string& standard);

  std::string refusal(const std::string& candidate);  // the gate's; "" where it lets it pass
  // What is to be run, or where it ended before.
  std::variant<compile::Objects, Verdict> objects_of(const std::string& candidate, Object object,
                                                     std::optional<compile::CompileLimits> limits = {});
  std::variant<compile::Objects, Verdict> compile(const std::string& source,
                                                  std::optional<compile::CompileLimits> limits = {});
  Verdict run(bundle::Task task, const compile::Objects& candidate, bundle::Depth depth = bundle::Depth::trial);

  const std::optional<std::pair<KernelSpec, std::string>>& precise();

  os::PosixProcessRunner runner_;
  CompileCommand command_;
  KernelSpec spec_;
  std::string unit_text_;
  std::optional<frontend::Gate> gate_;
  std::optional<compile::FrozenUnit> unit_;  // frozen when something must be compiled
  std::unique_ptr<bundle::Executor> executor_;
  std::optional<compile::Objects> original_objects_;
  std::optional<Verdict> original_;
  std::optional<std::optional<std::pair<KernelSpec, std::string>>> precise_;  // once asked for
};

}  // namespace hone::corpus
