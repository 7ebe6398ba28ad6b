// Ground motion as a station recorded it.
#pragma once

#include <string>
#include <vector>

namespace tremor {

class Recording {
 public:
  Recording() = default;
  Recording(double rate, std::vector<float> samples) : rate_(rate), samples_(std::move(samples)) {}

  // Both throw std::runtime_error.
  static Recording load(const std::string& path);
  void save(const std::string& path) const;

  double rate() const { return rate_; }  // samples per second
  std::vector<float>& samples() { return samples_; }
  const std::vector<float>& samples() const { return samples_; }
  double seconds() const { return rate_ > 0 ? static_cast<double>(samples_.size()) / rate_ : 0; }

 private:
  double rate_ = 0;
  std::vector<float> samples_;
};

}  // namespace tremor
