#include "tool/frontend/parse/prologue.h"

#include <clang/AST/Decl.h>
#include <clang/Frontend/CompilerInvocation.h>
#include <clang/Frontend/PrecompiledPreamble.h>
#include <clang/Lex/Lexer.h>
#include <clang/Lex/PreprocessorOptions.h>
#include <clang/Serialization/PCHContainerOperations.h>
#include <llvm/Support/VirtualFileSystem.h>

#include <algorithm>
#include <deque>
#include <map>
#include <mutex>

#include "tool/frontend/parse/system_header.h"

namespace hone::frontend {

using namespace clang;

namespace {

class SkipsSystemBodies final : public PreambleCallbacks {
 public:
  bool shouldSkipFunctionBody(Decl* declaration) override { return in_system_header(declaration); }
};

// What the parsers of this process have precompiled.
class Shelf {
 public:
  // Kernels of one file include differently: what each needs of the file's headers. CUDA's take some 40 MB.
  static constexpr std::size_t most_kept = 4;

  // One parser at a time precompiles what has this key. The others wait for it.
  using Turn = std::shared_ptr<std::mutex>;
  Turn turn(const std::string& key) {
    const std::lock_guard lock(mutex_);
    std::erase_if(turns_, [](const auto& entry) { return entry.second.expired(); });
    std::weak_ptr<std::mutex>& known = turns_[key];
    Turn turn = known.lock();
    if (!turn) known = turn = std::make_shared<std::mutex>();
    return turn;
  }
  Prologue::Precompiled find(const std::string& key) {
    const std::lock_guard lock(mutex_);
    const auto found = all_.find(key);
    return found == all_.end() ? nullptr : found->second.lock();
  }
  void put(const std::string& key, const Prologue::Precompiled& precompiled) {
    const std::lock_guard lock(mutex_);
    std::erase_if(all_, [](const auto& entry) { return entry.second.expired(); });
    all_[key] = precompiled;
    latest_.push_back(precompiled);
    if (latest_.size() > most_kept) latest_.pop_front();
  }

 private:
  std::mutex mutex_;
  std::map<std::string, std::weak_ptr<const PrecompiledPreamble>> all_;
  std::map<std::string, std::weak_ptr<std::mutex>> turns_;
  std::deque<Prologue::Precompiled> latest_;
};

Shelf& shelf() {
  static Shelf shelf;
  return shelf;
}

// Blank lines at a prologue's end, what only says where the next line is from, and what a candidate includes once more
// differ between the units of one file's kernels, and between candidates. Without them all have the same. Its first line
// stays: Clang takes a prologue of no text for none, though the command may include all of CUDA in front of it.
PreambleBounds without_tail(PreambleBounds bounds, llvm::StringRef text) {
  llvm::StringRef prologue = text.substr(0, bounds.Size);
  const auto says_nothing = [](llvm::StringRef line, llvm::StringRef before) {
    const llvm::StringRef words = line.trim();
    return words.empty() || words.starts_with("#line ") || (words.starts_with("#include") && before.contains(line));
  };
  while (!prologue.empty()) {
    const std::size_t begin = prologue.drop_back(prologue.ends_with("\n")).rfind('\n') + 1;  // npos + 1 is 0
    if (begin == 0 || !says_nothing(prologue.substr(begin), prologue.substr(0, begin))) break;
    prologue = prologue.substr(0, begin);
  }
  if (prologue.size() == bounds.Size) return bounds;
  return {static_cast<unsigned>(prologue.size()), /*PreambleEndsAtStartOfLine=*/true};
}

// Comments and macros alone are read faster than they are precompiled.
bool includes_anything(llvm::StringRef prologue, const CompilerInvocation& invocation) {
  const PreprocessorOptions& command = invocation.getPreprocessorOpts();
  return prologue.contains("include") || !command.Includes.empty() || !command.MacroIncludes.empty();
}

std::string key_of(const std::string& command, const CompilerInvocation& invocation, llvm::StringRef text) {
  return command + '\0' + invocation.getFileSystemOpts().WorkingDir + '\0' + text.str();
}

}  // namespace

Prologue::Precompiled Prologue::of(const llvm::MemoryBuffer& text, const CompilerInvocation& invocation,
                                   const Files& files, const std::shared_ptr<PCHContainerOperations>& containers,
                                   DiagnosticsEngine& diagnostics) {
  const PreambleBounds bounds = without_tail(
      ComputePreambleBounds(invocation.getLangOpts(), text.getMemBufferRef(), /*MaxLines=*/0), text.getBuffer());
  if (bounds.Size == 0 || !includes_anything(text.getBuffer().substr(0, bounds.Size), invocation)) return nullptr;
  const auto fits = [&](const Precompiled& precompiled) {
    return precompiled && precompiled->CanReuse(invocation, text.getMemBufferRef(), bounds, *files);
  };
  if (fits(last_)) return last_;
  last_.reset();
  const std::string key = key_of(command_, invocation, text.getBuffer().substr(0, bounds.Size));
  if (key == failed_) return nullptr;
  const Shelf::Turn turn = shelf().turn(key);
  const std::lock_guard building(*turn);
  if (auto shared = shelf().find(key); fits(shared)) return last_ = shared;
  SkipsSystemBodies callbacks;
  auto built = PrecompiledPreamble::Build(invocation, &text, bounds, diagnostics, files, containers,
                                          /*StoreInMemory=*/true, /*StoragePath=*/"", callbacks);
  if (!built) {
    failed_ = key;
    return nullptr;
  }
  last_ = std::make_shared<const PrecompiledPreamble>(std::move(*built));
  shelf().put(key, last_);
  return last_;
}

}  // namespace hone::frontend
