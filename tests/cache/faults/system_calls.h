// The calls by which this test program's code touches files: written down, and failing where a test says so. They take
// the place of the C library's, for the store and for libstdc++ alike. What a network file system does seldom is so
// done at will, at the very moment that matters.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace hone::tests {

class SystemCalls {
 public:
  // Of files in this folder, by names that begin there. A staged file is called "staged".
  explicit SystemCalls(std::string folder);
  ~SystemCalls();

  // Each as "rename staged cas/ab…": the call and what it is about.
  std::vector<std::string> made;

  // Called before a call; an errno makes it fail without being made.
  std::function<int(const std::string& call)> before = [](const std::string&) { return 0; };
  // Called after one that succeeded; an errno makes it fail though it was made.
  std::function<int(const std::string& call)> after = before;

  int about_to(const std::string& call);
  std::string name_of(const std::string& path) const;  // "": not in the folder

 private:
  std::string folder_;
};

}  // namespace hone::tests
