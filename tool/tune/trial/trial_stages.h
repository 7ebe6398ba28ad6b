// What one trial passes through, as a port: the line that drives trials is tested on a fake, without a compiler.
//
// A candidate that fails a stage is a Verdict. An Error is the environment's: the search cannot go on. Several threads
// call at once.
#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <variant>

#include "tool/base/result.h"
#include "tool/compile/compiler.h"
#include "tool/model/verdict.h"
#include "tool/statistics/statistics.h"

namespace hone::tune {

class TrialStages {
 public:
  virtual ~TrialStages() = default;
  // Whether the text may be a candidate. nullopt: it passes.
  virtual std::optional<Verdict> gate(const std::string& source) = 0;
  virtual Result<std::variant<compile::Objects, Verdict>> compile_for_trial(const std::string& source,
                                                                            std::stop_token stop) = 0;
  // The plain object alone: for who compares speeds before anything else is asked.
  virtual Result<std::variant<compile::Objects, Verdict>> compile_plain(const std::string& source,
                                                                        std::stop_token stop) = 0;
  // Whether it is right, and no more.
  virtual Result<Verdict> verify(const compile::Objects& candidate, std::stop_token stop) = 0;
  // Verifies and times what was compiled.
  virtual Result<Verdict> run(const compile::Objects& candidate, const statistics::AcceptanceRule& rule,
                              std::stop_token stop) = 0;
  // Digest of the original as compile_for_trial() makes it: a candidate whose object is the same is the original.
  virtual std::string original_object() const = 0;
};

}  // namespace hone::tune
