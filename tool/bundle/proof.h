// What hone-prove found out of one candidate: whether it can differ from the original on any input of small sizes.
#pragma once

#include <optional>
#include <string>

#include "tool/base/result.h"
#include "tool/bundle/given.h"

namespace hone::bundle {

struct Proof {
  std::string proved;            // "n <= 16"; "": nothing was
  std::string why;               // what it does not know, or where it ended: "floating-point arithmetic"
  bool wraps = false;            // as long as signed numbers wrap: the candidate's overflow where the original's do not
  std::optional<Given> example;  // data for which they would differ. The judge has to confirm it
  std::string difference;        // what would
  double seconds = 0;

  std::string in_words() const;  // "equal for n <= 16"; "": nothing was proved
  std::string why_not() const;   // then why; "": nobody asked
};

// hone-prove's answer. It lives with generated code: nothing in it is taken on trust but that it may be so.
Result<Proof> parse_proof(const std::string& answer);

}  // namespace hone::bundle
