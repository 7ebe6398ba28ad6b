#include "tool/suggest/ranking.h"

#include <algorithm>
#include <map>
#include <optional>

namespace hone::suggest {
namespace {

using frontend::SurveyedFunction;

// A sample's frames, those that were inlined too, innermost first.
std::vector<Frame> flattened(const Sample& sample, const Frames& frames) {
  std::vector<Frame> all;
  for (const Address& address : sample.stack)
    if (const auto found = frames.find(address); found != frames.end())
      all.insert(all.end(), found->second.begin(), found->second.end());
  return all;
}

class Functions {
 public:
  explicit Functions(const std::vector<SurveyedFunction>& functions) : functions_(functions) {
    for (std::size_t i = 0; i < functions.size(); ++i) {
      by_file_[functions[i].file].push_back(i);
      if (!functions[i].mangled.empty()) by_name_.emplace(functions[i].mangled, i);
    }
  }

  std::optional<std::size_t> at(const Frame& frame) const {
    if (const auto file = by_file_.find(frame.file); file != by_file_.end()) {
      std::optional<std::size_t> innermost;  // a lambda's, a local class's
      for (const std::size_t i : file->second)
        if (functions_[i].first_line <= frame.line && frame.line <= functions_[i].last_line &&
            (!innermost || lines(i) < lines(*innermost)))
          innermost = i;
      if (innermost) return innermost;
    }
    // GCC's copies of a function have its name and more: blur.constprop.0
    const auto named = by_name_.find(frame.function.substr(0, frame.function.find('.')));
    return named == by_name_.end() || !frame.file.empty() ? std::nullopt : std::optional(named->second);
  }

  bool in_loop(std::size_t i, const Frame& frame) const {
    const auto& loops = functions_[i].loops;
    if (frame.line == 0) return !loops.empty();
    return std::ranges::any_of(loops,
                               [&](const auto& loop) { return loop.first <= frame.line && frame.line <= loop.second; });
  }

 private:
  unsigned lines(std::size_t i) const { return functions_[i].last_line - functions_[i].first_line; }

  const std::vector<SurveyedFunction>& functions_;
  std::map<std::string, std::vector<std::size_t>> by_file_;
  std::map<std::string, std::size_t> by_name_;
};

}  // namespace

std::vector<HotFile> hot_files(const Profile& profile, const Frames& frames,
                               const std::function<bool(const std::string&)>& is_project) {
  std::map<std::string, HotFile> files;
  for (const Sample& sample : profile.samples) {
    std::set<std::string> around;
    const std::vector<Frame> stack = flattened(sample, frames);
    for (auto frame = stack.rbegin(); frame != stack.rend(); ++frame) {
      if (frame->file.empty() || !is_project(frame->file)) continue;
      HotFile& file = files[frame->file];
      file.file = frame->file;
      if (around.insert(frame->file).second) file.seconds += sample.seconds;
      file.seen_with.insert(around.begin(), around.end());
    }
  }
  std::vector<HotFile> ranked;
  for (auto& [name, file] : files) ranked.push_back(std::move(file));
  std::ranges::stable_sort(ranked, std::greater(), &HotFile::seconds);
  return ranked;
}

std::vector<Hot> rank(const Profile& profile, const Frames& frames, const std::vector<SurveyedFunction>& functions) {
  const Functions known(functions);
  std::map<std::size_t, Hot> hot;
  for (const Sample& sample : profile.samples) {
    std::set<std::size_t> seen;
    bool told = false;
    for (const Frame& frame : flattened(sample, frames)) {
      const auto function = known.at(frame);
      if (!function) continue;
      Hot& one = hot[*function];
      one.function = *function;
      if (seen.insert(*function).second) one.whole += sample.seconds;
      if (!told && known.in_loop(*function, frame)) {
        one.in_loops += sample.seconds;
        told = true;
      }
    }
  }
  std::vector<Hot> ranked;
  for (const auto& [function, one] : hot)
    if (one.in_loops > 0) ranked.push_back(one);
  std::ranges::stable_sort(ranked, std::greater(), &Hot::in_loops);
  return ranked;
}

}  // namespace hone::suggest
