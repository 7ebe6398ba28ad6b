// The preambles of frozen units, compiled once for each set of flags: a search compiles dozens of variants behind one.
//
// find() counts compiles. The first go without, so that who compiles two texts pays for nothing. Then one thread
// precompiles, while others still go without. What was precompiled is used only after a compile behind it gave, to the
// byte, the object that an earlier one had given without. Never fails: whatever goes wrong, there is none.
// Thread-safe. Everything is in folders of its own under TMPDIR, which go with this object and its last user.
#pragma once

#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <vector>

#include "tool/compile/toolchain/compile_process.h"
#include "tool/compile/unit/frozen_unit.h"
#include "tool/os/files/files.h"
#include "tool/os/process/process_runner.h"

namespace hone::compile {

struct PrecompiledPreamble {
  os::TemporaryFolder folder;
  std::string path;  // as the compiler is told it (words_behind_preamble)
};

// One compile of a unit's text into an object that is not linked.
struct CompileSample {
  std::vector<std::string> words;  // behind the project's flags
  std::string source;              // the variant
  std::string object;              // the file's name, from the compile's folder
  std::string bytes;               // what that was without a precompiled preamble; "": it is another with each compile
};

class PrecompiledPreambles {
 public:
  explicit PrecompiledPreambles(os::ProcessRunner& runner);
  ~PrecompiledPreambles();

  // For a compile of the unit with `flags` behind the project's, those that decide what a text means and becomes.
  // nullptr: there is none, or not yet.
  std::shared_ptr<const PrecompiledPreamble> find(const CompileSetup& setup, const FrozenUnit& unit,
                                                  const std::vector<std::string>& flags, std::stop_token stop);

  // What a compile gave that went without: one behind the preamble has to give the same.
  void learn(const FrozenUnit& unit, const std::vector<std::string>& flags, CompileSample sample);

  // It refused what compiles without it.
  void drop(const std::shared_ptr<const PrecompiledPreamble>& preamble);

 private:
  struct Entry;
  Entry& entry_of(const FrozenUnit& unit, const std::vector<std::string>& flags);
  std::shared_ptr<const PrecompiledPreamble> precompile(const CompileSetup& setup, const FrozenUnit& unit,
                                                        const Entry& entry, std::stop_token stop) const;
  bool gives_sample(const CompileSetup& setup, const FrozenUnit& unit, const CompileSample& sample,
                    const PrecompiledPreamble& preamble, std::stop_token stop) const;

  os::ProcessRunner& runner_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Entry>> entries_;
};

}  // namespace hone::compile
