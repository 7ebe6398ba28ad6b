#include "tests/projects/walked_page.h"

#include <cctype>
#include <sstream>

namespace hone::tests {
namespace {

constexpr const char* kBegin = "@@step ";
constexpr const char* kEnd = "@@done ";

bool starts_with(const std::string& text, const std::string& part) {
  return text.rfind(part, 0) == 0;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

// Numbers are all alike, and so is the space that aligns them.
std::string loosened(const std::string& line) {
  std::string out;
  for (char c : line) {
    if (std::isdigit(static_cast<unsigned char>(c))) c = '0';
    if (c == '0' && !out.empty() && out.back() == '0') continue;
    if (c == ' ' && (out.empty() || out.back() == ' ')) continue;
    out += c;
  }
  while (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

// `quoted` may end or begin with `…`.
bool fits(const std::string& quoted, const std::string& line) {
  const std::string dots = "…", wanted = loosened(quoted), found = loosened(line);
  const std::size_t at = wanted.find(dots);
  if (at == std::string::npos) return wanted == found;
  const std::string front = wanted.substr(0, at), back = wanted.substr(at + dots.size());
  return found.size() >= front.size() + back.size() && starts_with(found, front) &&
         found.compare(found.size() - back.size(), back.size(), back) == 0;
}

std::string without_varies(std::string command, bool& varies) {
  const std::size_t at = command.find("  # varies");
  varies = at != std::string::npos;
  return varies ? command.substr(0, at) : command;
}

}  // namespace

std::vector<PageStep> steps_of_page(const std::string& page) {
  std::vector<PageStep> steps;
  std::string block, section, diff;
  bool varies = false;
  for (const std::string& line : lines_of(page)) {
    if (starts_with(line, "```")) {
      if (block == "diff") steps.push_back({"git apply - <<'HONE_DIFF'\n" + diff + "HONE_DIFF", section, {}});
      block = block.empty() ? line.substr(3) : "";
      diff.clear();
    } else if (block.empty() && starts_with(line, "## ")) {
      section = line.substr(3);
    } else if (block == "diff") {
      diff += line + "\n";
    } else if (block == "console" && starts_with(line, "$ ")) {
      steps.push_back({without_varies(line.substr(2), varies), section, {}});
    } else if (block == "console" && !varies && !steps.empty() && line != "…" && !line.empty()) {
      steps.back().quoted.push_back(line);
    }
  }
  return steps;
}

std::string missing_line(const PageStep& step, const std::string& output) {
  const std::vector<std::string> lines = lines_of(output);
  std::size_t at = 0;
  for (const std::string& quoted : step.quoted) {
    while (at < lines.size() && !fits(quoted, lines[at])) ++at;
    if (at++ == lines.size()) return quoted;
  }
  return "";
}

std::string script_of(const std::vector<PageStep>& steps, const std::string& offline_from) {
  std::string script = "exec 2>&1\noffline=; unshare -rn true && offline='unshare -rn'\n";
  bool offline = false;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    offline = offline || steps[i].section == offline_from;
    const bool build = offline && starts_with(steps[i].command, "cmake");
    script += std::string("echo '") + kBegin + std::to_string(i) + "'\n" + (build ? "$offline " : "") +
              steps[i].command + "\ncode=$?\necho; echo '" + kEnd + std::to_string(i) +
              "' $code\n[ $code = 0 ] || exit 1\n";
  }
  return script;
}

std::vector<StepOutput> outputs_of(const std::string& printed, std::size_t steps) {
  std::vector<StepOutput> outputs(steps);
  for (std::size_t i = 0; i < steps; ++i) {
    const std::string begin = kBegin + std::to_string(i) + "\n", end = "\n" + (kEnd + std::to_string(i)) + " ";
    const std::size_t from = printed.find(begin);
    if (from == std::string::npos) break;
    const std::size_t to = printed.find(end, from);
    outputs[i].text = printed.substr(from + begin.size(), to == std::string::npos ? to : to - from - begin.size());
    outputs[i].done = to != std::string::npos && printed.compare(to + end.size(), 2, "0\n") == 0;
  }
  return outputs;
}

}  // namespace hone::tests
