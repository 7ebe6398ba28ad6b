#include "model_bench.h"

#include <algorithm>
#include <fstream>
#include <sstream>

#include "cache/lock_file.h"

namespace hone {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

}  // namespace

ModelBench::ModelBench(const std::string& compiler) : project_(twice_in_steps, "-O2", compiler) {}

std::vector<std::string> ModelBench::tune(const std::string& model, const std::vector<std::string>& more,
                                          bool really) const {
  std::vector<std::string> words{"tune",
                                 "-p",
                                 (folder() / "build").string(),
                                 "--proposer",
                                 "command:" PRETEND_MODEL " " + log().string() + " " + model,
                                 "--json",
                                 "-"};
  if (std::ranges::find(more, "--budget") == more.end()) words.insert(words.end(), {"--budget", "10m"});
  if (!really) words.insert(words.end(), {"--executor", "command:" PRETEND_WORKER});
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

bool ModelBench::record(const std::vector<std::string>& more) const {
  std::vector<std::string> words{"--strategy", "free", "--trials", "3"};
  words.insert(words.end(), more.begin(), more.end());
  return run(folder(), tune("5 good", words)).code <= 1 && !recording_file().empty();
}

fs::path ModelBench::recording_file() const {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder() / "build" / "hone" / "runs", error))
    if (entry.path().string().ends_with(".calls.jsonl")) return entry.path();
  return {};
}

std::vector<json> ModelBench::recording() const {
  std::vector<json> lines;
  std::ifstream file(recording_file());
  for (std::string line; std::getline(file, line);)
    if (json read = json::parse(line, nullptr, false); read.is_object() && !read.contains("recording"))
      lines.push_back(std::move(read));
  return lines;
}

std::vector<json> ModelBench::course() const {
  std::vector<json> course;
  for (json& line : recording()) {
    if (!line.contains("ask") && !line.contains("told")) continue;
    if (line.contains("verdict")) {
      line["verdict"].erase("seconds");
      line["verdict"]["measurement"].erase("seconds");
    }
    course.push_back(std::move(line));
  }
  return course;
}

std::vector<std::string> ModelBench::prompts() const {
  std::vector<std::string> prompts;
  for (const json& line : recording()) {
    if (!line.contains("ask")) continue;
    std::string& text = prompts.emplace_back();
    for (const json& message : line["prompt"]) text += message["text"].get<std::string>() + "\n";
  }
  return prompts;
}

std::map<unsigned, std::string> ModelBench::replies() const {
  std::map<unsigned, std::string> replies;
  for (const json& line : recording())
    if (line.contains("reply")) replies[line["reply"]] = line["text"];
  return replies;
}

void ModelBench::forget_runs() const {
  fs::remove_all(folder() / "build" / "hone" / "runs");
}

std::vector<std::string> ModelBench::calls() const {
  return seeds_after("begin");
}

std::vector<std::string> ModelBench::ended() const {
  return seeds_after("end");
}

std::vector<std::string> ModelBench::seeds_after(const std::string& word) const {
  std::vector<std::string> seeds;
  std::ifstream file(log());
  for (std::string first, seed, line; std::getline(file, line);)
    if (std::istringstream(line) >> first >> seed && first == word) seeds.push_back(seed);
  return seeds;
}

std::set<std::string> ModelBench::answered() const {
  std::set<std::string> seeds;
  for (const json& line : recording())
    if (line.contains("reply")) seeds.insert(std::to_string(1'000'003 + line["reply"].get<unsigned>()));
  return seeds;
}

std::string ModelBench::variant() const {
  const auto lock = cache::LockFile::read(project_.lock());
  return lock && lock->entries.size() == 1 ? lock->entries[0].variant.value_or("") : "";
}

std::string ModelBench::variant_source() const {
  return project_.read(folder() / "hone" / "cas" / variant());
}

json kernel_of(const Ended& ended) {
  const json report = json::parse(ended.out, nullptr, false);
  return report.is_object() && report.contains("kernels") && report["kernels"].size() == 1 ? report["kernels"][0]
                                                                                           : json::object();
}

}  // namespace hone
