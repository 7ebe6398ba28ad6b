// What `--json` prints. The keys only grow; a figure that was not measured is null. Text ends in a newline.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tool/model/verdict.h"
#include "tool/report/progress.h"

namespace hone::report {

// kernel, right, faster, stage, reason, speedup {median, low, high}, tolerance_used, problems [{label, weight, right,
// faster, speedup, …}], tried {label: text} (what the verdict rests on, model/tried.h)
std::string eval_json(const std::string& kernel, const Verdict& verdict);

struct ListedChange {
  std::string what, text, file;
  unsigned line = 0;
};

// What the object that was built has; `linked`: "variant", "original", or "" where nobody knows, and `why` says so.
struct LinkedNow {
  std::string linked;
  std::vector<std::string> variants;  // digests
  std::string reason;                 // why the original, in a word (linked/linked_kernel.h)
  std::string why;                    // and in words
  std::string object;
  std::string target;  // of CMake, that the object is for
};

struct ListedKernel {
  std::string name, file;
  unsigned line = 0;
  std::string key;
  std::string state;    // tuned, untuned, stale
  bool linked = false;  // the next compile links a variant
  std::optional<Speedup> speedup;
  std::string target;                       // of CMake, "" for none
  std::string explanation;                  // the key's dump, where asked for
  std::vector<std::string> measured_on;     // architectures of CUDA devices, of each family's the one that counts
  std::string trouble = {};                 // why what the lock file names is not linked; "": it is, or names nothing
  bool unconfirmed = false;                 // its figure is the search's own: nobody measured the variant afresh
  bool unfinished = false;                  // the search ended early, and the next tuning goes on
  std::string compiled_with = {};           // "gcc -O3"
  std::string language = {};                // "c++17"
  std::string held_back = {};               // why a variant is left out, though it is whole: "is 0.80x on …"
  std::vector<std::string> elsewhere = {};  // the compilers and options that it is tuned for, where not for its own
  std::string fit = "none";  // how well what is locked fits this build (cache/target_fit.h), "none" also without
  std::string stale = {};    // what changed since it was tuned, in short; "": it is not stale, or nobody knows
  std::vector<ListedChange> changes = {};        // the same at length
  std::vector<std::string> other_evidence = {};  // what it was measured with that is not what is here
  std::vector<std::string> variants = {};        // digests of what the next compile links
  LinkedNow now = {};
  std::vector<LinkedNow> also = {};  // what other objects have of the same state of the kernel
  std::string next = {};  // what the next build links in place of what is linked now; "": the same, or nobody knows
};
std::string list_json(const std::vector<ListedKernel>& kernels);

struct VerifiedKernel {
  std::string name;
  std::string file;  // as the lock file names it, since this is carried between machines
  unsigned line = 0;
  std::string key;
  Verdict verdict;
  std::string variant = {};  // its digest
  bool renewed = false;      // its lock entry has this evidence now
};
// kernels [{name, right, faster, speedup, …, key, variant, machine}]: `hone lock evidence` joins them
std::string verify_json(const std::vector<VerifiedKernel>& kernels);

// kernels [{name, accepted, speedup, trials {total, compiled, right, faster}, spent {seconds, tokens, cost}, failures
// [{what, example, count}], …}]
std::string tune_json(const std::vector<KernelResult>& kernels);

}  // namespace hone::report
