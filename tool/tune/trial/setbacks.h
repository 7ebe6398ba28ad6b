// What became of proposals that came to nothing, by kind, with the commonest reason of each: for the end of a run.
//
// Reasons that differ in numbers and quoted names alone are one. Not thread-safe.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tool/model/verdict.h"
#include "tool/report/progress.h"

namespace hone::tune {

class Setbacks {
 public:
  enum class Kind { wrong, not_compiled, not_allowed, without_code, duplicate, cut, declined, failed_call };

  void add(Kind kind, const std::string& reason = {}, DiagnosticCode code = DiagnosticCode::none);
  // A trial's verdict; nothing where it was accepted. `has_code`: its reply held any.
  void add(const Verdict& verdict, bool has_code);

  unsigned count(Kind kind) const;
  // "5 wrong (most often: …), 2 the same as an earlier one": the commonest first; "" for none.
  std::string text() const;
  // Of candidates alone, without duplicates and calls: each reason with how often it was given, those that are right
  // but were not accepted among them. The commonest first.
  std::vector<report::Failure> of_candidates() const;

 private:
  struct Reason {
    unsigned count = 0;
    std::string example;
    DiagnosticCode code = DiagnosticCode::none;  // the example's
  };
  struct Group {
    unsigned count = 0;
    std::map<std::string, Reason> reasons;
    void add(const std::string& reason, DiagnosticCode code);
  };
  static std::string described(Kind kind, const Group& group);

  std::map<Kind, Group> groups_;
  Group not_accepted_;  // right; no part of text()
};

}  // namespace hone::tune
