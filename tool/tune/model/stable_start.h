// How much of a message's start is the same from prompt to prompt: what a provider may keep of it (llm::Message).
//
// Prompts of one run begin with the task, the machine and the function, and differ behind that. One that begins
// otherwise (advice, mostly) is let pass. Not thread-safe.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace hone::tune {

class StableStart {
 public:
  // In bytes, whole lines; 0 for the first message, and for one that has little in common with the others.
  std::size_t of(std::string_view text) {
    if (common_.empty()) {
      common_ = text;
      return 0;
    }
    const auto differs = std::ranges::mismatch(common_, text).in1;
    const std::size_t lines = std::string_view(common_.begin(), differs).rfind('\n') + 1;  // npos + 1 is 0
    if (lines < least) return 0;
    common_.resize(lines);
    return lines;
  }

 private:
  static constexpr std::size_t least = 1024;  // bytes: less is not worth a mark
  std::string common_;
};

}  // namespace hone::tune
