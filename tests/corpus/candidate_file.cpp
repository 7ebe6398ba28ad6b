#include "tests/corpus/candidate_file.h"

#include <algorithm>
#include <ostream>
#include <regex>
#include <sstream>
#include <stdexcept>

#include <fmt/format.h>

#include "tool/os/files/files.h"

namespace hone::corpus {
namespace {

// gate "a" or "b" or time "c": a stage counts until another is named.
std::vector<Ending> parse_endings(const std::string& text) {
  static const std::regex one(R"re((\w+)?\s*(?:"([^"]*)")?)re");
  std::vector<Ending> endings;
  std::string stage;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = text.find(" or ", at);
    if (end == std::string::npos) end = text.size();
    const std::string part = text.substr(at, end - at);
    std::smatch match;
    if (!std::regex_match(part, match, one)) throw std::runtime_error("cannot read the verdict '" + part + "'");
    if (match[1].matched) stage = match[1];
    endings.push_back({stage, match[2]});
    at = end + 4;
  }
  return endings;
}

CandidateFile parse(const std::filesystem::path& path, std::string text) {
  CandidateFile file{.name = path.stem()};
  static const std::regex comment(R"(^// (kernel|verdict|wall|needs|standard|limit|tries): (.*)$)");
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line) && line.starts_with("//");) {
    std::smatch match;
    if (!std::regex_match(line, match, comment)) continue;
    if (match[1] == "kernel") file.kernel = match[2];
    if (match[1] == "verdict") file.verdict = parse_endings(match[2]);
    if (match[1] == "wall") file.wall = parse_endings(match[2]);
    if (match[1] == "needs") file.needs = match[2];
    if (match[1] == "standard") file.standard = match[2];
    if (match[1] == "limit") file.limit = std::stoi(match[2]);
    if (match[1] == "tries") file.tries = match[2];
  }
  file.text = std::move(text);
  if (file.kernel.empty() || file.verdict.empty() || file.tries.empty())
    throw std::runtime_error(path.string() + " must name its kernel, its verdict and what it tries");
  const bool gate_alone = std::ranges::all_of(file.verdict, [](const Ending& e) { return e.stage == "gate"; });
  if (gate_alone && file.wall.empty()) throw std::runtime_error(path.string() + " must say what the wall makes of it");
  return file;
}

bool fits(const Ending& ending, const Verdict& verdict) {
  if (ending.stage == "right") return verdict.right;
  if (ending.stage == "harmless") return verdict.right && !verdict.faster;
  return !verdict.right && to_string(verdict.stage) == ending.stage &&
         (verdict.reason.find(ending.part) != std::string::npos ||
          verdict.detail.find(ending.part) != std::string::npos);
}

}  // namespace

void PrintTo(const CandidateFile& file, std::ostream* out) {
  *out << file.name << ", which tries " << file.tries;
}

std::vector<CandidateFile> read_candidates(const std::filesystem::path& folder) {
  std::vector<CandidateFile> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".cpp" && entry.path().extension() != ".cu") continue;
    auto text = os::read_file(entry.path());
    if (!text) throw std::runtime_error(text.error().message());
    files.push_back(parse(entry.path(), *std::move(text)));
  }
  std::ranges::sort(files, {}, &CandidateFile::name);
  return files;
}

std::string differs(const std::vector<Ending>& expected, const Verdict& verdict) {
  if (std::ranges::any_of(expected, [&](const Ending& ending) { return fits(ending, verdict); })) return "";
  std::string wanted;
  for (const Ending& ending : expected)
    wanted += fmt::format("{}{} \"{}\"", wanted.empty() ? "" : " or ", ending.stage, ending.part);
  return fmt::format("expected {}\nbut it ended at {}{}{}: {}\n{}", wanted, to_string(verdict.stage),
                     verdict.right ? ", right" : "", verdict.faster ? ", faster" : "", verdict.reason, verdict.detail);
}

}  // namespace hone::corpus
