// A harness's text, in which a clause's expression stands at its own line and column of the user's file. Pure.
#pragma once

#include <string>

#include "annotations/directive.h"

namespace hone::frontend {

struct ClauseLines {
  // `file` as #line should say it.
  explicit ClauseLines(const std::string& user_file) : file(user_file) {}

  // The line directive behind which lines are the harness's.
  static std::string own_lines();

  // The expression stands where it stands in the pragma; what follows it counts lines of the harness again.
  void add(const annotations::Expression& expression);
  void add(const annotations::Expression& expression, const std::string& written);  // with other words in its place

  std::string text;
  const std::string& file;
};

}  // namespace hone::frontend
