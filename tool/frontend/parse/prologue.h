// Precompiles what a text begins with, so that the next parse pays only for what stands behind it.
//
// A prologue is the leading directives (the #includes) and what the command includes in front of them: for CUDA the
// toolkit's headers. A precompiled prologue is used again as long as it stays the same to the byte and no file of it
// has changed. Other parsers of this process with the same command use it, too: the gate, the workshop and the checks
// of one kernel each have their own parser. It is kept while somebody uses it, and the latest few until others come.
// Never decides whether a prologue should be precompiled. One Prologue belongs to one thread; several may work at once.
#pragma once

#include <memory>
#include <string>

namespace clang {
class CompilerInvocation;
class DiagnosticsEngine;
class PCHContainerOperations;
class PrecompiledPreamble;
}  // namespace clang
namespace llvm {
class MemoryBuffer;
namespace vfs {
class FileSystem;
}
template <class T>
class IntrusiveRefCntPtr;
}  // namespace llvm

namespace hone::frontend {

class Prologue {
 public:
  using Precompiled = std::shared_ptr<const clang::PrecompiledPreamble>;
  using Files = llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>;

  // `command`: all that decides how a prologue is read, but the working directory.
  void set_command(std::string command) { command_ = std::move(command); }

  // Of `text`. Null: it has none, or Clang cannot precompile it. Outlives the parses that use it.
  Precompiled of(const llvm::MemoryBuffer& text, const clang::CompilerInvocation& invocation, const Files& files,
                 const std::shared_ptr<clang::PCHContainerOperations>& containers,
                 clang::DiagnosticsEngine& diagnostics);

 private:
  std::string command_;
  Precompiled last_;
  std::string failed_;  // the key of one that could not be precompiled: it is not tried again
};

}  // namespace hone::frontend
