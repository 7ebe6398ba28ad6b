// A text with one place of it changed, for tests that look at what a change does.
#pragma once

#include <gtest/gtest.h>

#include <string>

namespace hone::test {

// Fails the test where `from` is not in the text.
inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

}  // namespace hone::test
