// Gates what a lock file names before a build compiles it: with the rules that candidates are gated by, in their unit
// and in the file that it goes into.
//
// A lock file and its variants come with the project, from whoever wrote them. So nothing of them is believed: a
// variant that no judge would have looked at is not compiled either. That takes Clang a second or so, once: the answer
// is kept in the user's cache under a digest of the command, every file that was read, the variants and this program.
// What is damaged there is asked anew; the project's own folders are never read for it.
//
// Borrows its arguments. One thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cache/store.h"
#include "tool/frontend/gate/policy_gate.h"
#include "tool/frontend/place/rewriter.h"

namespace hone::apply {

class ApplyGate {
 public:
  // `text` is the main file's; `files`: of find_kernels_and_files().
  ApplyGate(CompileCommand command, const std::string& text, std::string files, frontend::Options options);

  // "" or why the variant must not stand for the kernel, beside what stands for others (`others`).
  std::string object(const frontend::FoundKernel& kernel, const std::string& variant,
                     const std::vector<frontend::Replacement>& others);

 private:
  std::string key(const frontend::FoundKernel& kernel, const std::string& variant,
                  const std::vector<frontend::Replacement>& others) const;
  std::optional<std::string> known(const std::string& key) const;
  void keep(const std::string& key, const std::string& answer);
  std::string look(const frontend::FoundKernel& kernel, const std::string& variant,
                   const std::vector<frontend::Replacement>& others);
  const frontend::FoundKernel* with_unit(const std::string& key);

  const CompileCommand command_;
  const std::string& text_;
  const std::string files_;
  const frontend::Options options_;
  std::optional<cache::Store> store_;                      // none: a user without a home
  std::optional<Result<frontend::FoundKernels>> kernels_;  // with their units; found when first needed
};

}  // namespace hone::apply
