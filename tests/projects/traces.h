// What tells where, when and by whom a text was made.
#pragma once

#include <ctime>
#include <string>
#include <vector>

namespace hone::tests {

class Traces {
 public:
  // `names`: of users, machines and folders, anywhere in the text, upper or lower case.
  Traces(std::vector<std::string> names, std::time_t today);

  // What stands around each: the names, absolute paths of this machine's files, dates of yesterday to tomorrow
  // in several spellings, seconds since 1970 of these days, and addresses of the internet.
  std::vector<std::string> in(const std::string& text) const;

 private:
  std::vector<std::string> names_, dates_;  // in lower case
  std::vector<std::string> times_;          // the first five digits of seconds since 1970
};

}  // namespace hone::tests
