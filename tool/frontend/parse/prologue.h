// Precompiles what a text begins with, so that the next parse pays only for what stands behind it.
//
// A prologue is the leading directives (the #includes) and what the command includes in front of them: for CUDA the
// toolkit's headers, a quarter of a second even where the text includes nothing. A prologue that was precompiled is
// used again as long as it stays the same to the byte and no file of it has changed, also by other parsers of this
// process with the same command: gate, workshop and checks of one kernel each have their own. It is kept while somebody
// uses it, the last one for good. Never decides whether a prologue should be precompiled. Thread-safe, but for each
// Prologue.
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

  // `command`: what else decides how a prologue is read, the working directory and the main file left out.
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
