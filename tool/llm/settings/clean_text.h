// Text from outside made fit for messages and records: valid, without control characters, short, without the key.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hone::llm {

// Bytes that are not UTF-8 become U+FFFD.
std::string valid_utf8(std::string_view text);

// `text` as a line of a message: printable (base/printable.h), every run of blanks one space, cut to `limit` bytes with
// "…".
std::string one_line(std::string_view text, std::size_t limit = 300);

// Takes secrets out of text that came from outside. A word of fewer than 12 bytes is not taken for a secret: local
// servers want keys like "none", and a reply may well hold that word.
class Scrubber {
 public:
  explicit Scrubber(std::vector<std::string> secrets);
  Scrubber(const Scrubber&) = default;
  Scrubber& operator=(const Scrubber&) = default;
  ~Scrubber();
  std::string operator()(std::string text) const;

 private:
  std::vector<std::string> secrets_;
};

}  // namespace hone::llm
