// A page of the manual as steps that can be walked: the commands of its ```console blocks, the edits of its ```diff
// blocks. What the page quotes below a command is that command's output, in its order; a line `…` stands for any lines.
//
// Other blocks are for reading. Digits are not compared, since times differ; nor is anything below `$ command  #
// varies`.
#pragma once

#include <string>
#include <vector>

namespace hone::tests {

struct PageStep {
  std::string command;
  std::string section;              // the heading above
  std::vector<std::string> quoted;  // without `…`
};

std::vector<PageStep> steps_of_page(const std::string& page);

// The first quoted line that does not follow in `output`; "" if all do.
std::string missing_line(const PageStep& step, const std::string& output);

// Runs all in one shell and stops at the first that fails. `offline_from`: the section from which on there is no
// network, where the system can take it away.
std::string script_of(const std::vector<PageStep>& steps, const std::string& offline_from);

// What a step of the script printed, and whether it came to its end with code 0.
struct StepOutput {
  bool done = false;
  std::string text;
};
std::vector<StepOutput> outputs_of(const std::string& printed, std::size_t steps);

}  // namespace hone::tests
