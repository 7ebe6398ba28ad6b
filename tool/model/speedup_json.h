// A speedup as every JSON of Hone has it: verdicts, the lock's records, exports and reports.
#pragma once

#include "tool/model/verdict.h"

namespace hone {

// `Json`: nlohmann::json or nlohmann::ordered_json, which print figures that are not finite as null.
template <class Json>
Json speedup_json(const Speedup& speedup) {
  return {{"median", speedup.median}, {"low", speedup.low}, {"high", speedup.high}};
}

}  // namespace hone
