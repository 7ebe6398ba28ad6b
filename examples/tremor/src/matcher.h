// Finds where a recording looks like a known tremor.
#pragma once

#include "catalog.h"
#include "recording.h"

namespace tremor {

class Matcher {
 public:
  Matcher(Recording known, float threshold) : known_(std::move(known)), threshold_(threshold) {}

  // Throws std::invalid_argument where the rates differ or the recording is shorter than the tremor.
  Catalog find(const Recording& recording) const;

 private:
  Recording known_;
  float threshold_;
};

}  // namespace tremor
