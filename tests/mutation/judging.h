// Judges the mutants of a deck as `hone eval` judges a candidate, but for the clock: compile, verify, sanitizers.
//
// The project's compiler and the real worker. A mutant's plain object is judged first, by itself, since most fall
// there; what is right so far is judged once more with all of its objects. Thread-safe after open().
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <variant>

#include "tests/mutation/deck.h"
#include "tool/compile/compiler.h"
#include "tool/executor/make_executor.h"

namespace hone::mutation {

// How a mutant ended.
struct Ending {
  // refused, accepted; same: its object is that of the original; twin: that of another mutant; invalid: the gate or the
  // compiler does not take it; error: the machine's fault.
  std::string outcome;
  Verdict verdict;
  double seconds = 0;
};

class Judging {
 public:
  // Error: the original is not fit to be judged against, with the reason. `deck` and `executor` are borrowed.
  static Result<std::unique_ptr<Judging>> open(const Deck& deck, const std::filesystem::path& root, bundle::Depth depth,
                                               os::ProcessRunner& runner, bundle::Executor& executor);
  // What was mutated has to be right.
  Ending judge(const Base& base);
  Ending judge(const Card& card);

 private:
  Judging(const Deck& deck, CompileCommand command, bundle::Depth depth, os::ProcessRunner& runner,
          bundle::Executor& executor);
  Result<void> prepare();
  using Compiled = Result<std::variant<compile::Objects, Verdict>>;
  Compiled compile(const std::string& text, compile::Builds builds);
  bundle::Bundle bundle(bundle::Task task) const;
  Result<Verdict> run(const compile::Objects& candidate);
  Ending judge(const std::string& text, const std::string& id);
  // "same", "twin", or "" where its like has not been seen.
  std::string known(const std::string& object, const std::string& id);

  const Deck& deck_;
  const bundle::Depth depth_;
  bundle::Executor& executor_;
  compile::Compiler compiler_;
  compile::FrozenUnit unit_;
  compile::Objects original_;
  bundle::Bundle precise_;  // its precise_ members alone
  std::mutex mutex_;
  std::map<std::string, std::string> objects_;  // whose: "" of the originals'
};

}  // namespace hone::mutation
