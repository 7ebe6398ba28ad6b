// Which functions' loops the time of a run was spent in.
//
// A sample is told to the innermost function of the project's that was in a loop of its own: what such a loop calls, a
// helper or the library, is the loop's time. The functions around it have it in their whole time alone. So main(),
// whose loop calls everything, does not stand in front of the loops that do the work. Pure.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "tool/frontend/infer/survey.h"
#include "tool/suggest/profile.h"
#include "tool/suggest/symbols.h"

namespace hone::suggest {

struct Hot {
  std::size_t function = 0;  // of the surveyed ones
  double in_loops = 0;       // seconds that are told to its loops
  double whole = 0;          // seconds while it ran, with all that it called
};

// What is to be surveyed, hottest first.
struct HotFile {
  std::string file;
  double seconds = 0;               // while a function of the file was the innermost known one
  std::set<std::string> seen_with;  // files of the functions around it
};
std::vector<HotFile> hot_files(const Profile& profile, const Frames& frames,
                               const std::function<bool(const std::string&)>& is_project);

// Those with loops that had time, most of it first.
std::vector<Hot> rank(const Profile& profile, const Frames& frames,
                      const std::vector<frontend::SurveyedFunction>& functions);

}  // namespace hone::suggest
