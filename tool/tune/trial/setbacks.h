// What became of proposals that came to nothing, by kind, with the commonest reason of each: for the end of a run.
//
// Reasons that differ in numbers and quoted names alone are one. Not thread-safe.
#pragma once

#include <map>
#include <string>

#include "tool/model/verdict.h"

namespace hone::tune {

class Setbacks {
 public:
  enum class Kind { wrong, not_compiled, not_allowed, without_code, duplicate, cut, declined, failed_call };

  void add(Kind kind, const std::string& reason = {});
  // A trial's verdict; nothing where it is right. `has_code`: its reply held any.
  void add(const Verdict& verdict, bool has_code);

  unsigned count(Kind kind) const;
  // "5 wrong (most often: …), 2 the same as an earlier one": the commonest first; "" for none.
  std::string text() const;

 private:
  struct Reason {
    unsigned count = 0;
    std::string example;
  };
  struct Group {
    unsigned count = 0;
    std::map<std::string, Reason> reasons;
  };
  static std::string described(Kind kind, const Group& group);

  std::map<Kind, Group> groups_;
};

}  // namespace hone::tune
