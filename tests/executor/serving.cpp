#include "tests/executor/serving.h"

#include <algorithm>
#include <chrono>
#include <sstream>
#include <thread>

namespace hone::executor {
using namespace std::chrono_literals;

std::vector<std::string> Serving::server(const std::string& kind, int milliseconds,
                                         const std::vector<std::string>& misdeed) const {
  std::vector<std::string> words{PRETEND_SERVER, path("log").string(), kind, std::to_string(milliseconds)};
  for (const std::string& word : misdeed) words.push_back(word == "MARKER" ? path("done-once").string() : word);
  return words;
}

std::vector<std::string> Serving::log() const {
  std::istringstream text(os::read_file(path("log")).value_or(""));
  std::vector<std::string> lines;
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

long Serving::logged(const std::string& beginning) const {
  return std::ranges::count_if(log(), [&](const std::string& line) { return line.starts_with(beginning); });
}

bool Serving::comes_to(long lines, const std::string& beginning) const {
  const auto end = std::chrono::steady_clock::now() + 60s;
  while (logged(beginning) < lines && std::chrono::steady_clock::now() < end) std::this_thread::sleep_for(10ms);
  return logged(beginning) >= lines;
}

std::string Serving::notes() const {
  const std::lock_guard lock(mutex_);
  return notes_;
}

PoolOptions Serving::options(unsigned most_workers) {
  PoolOptions options;
  options.most_workers = most_workers;
  options.pause = 10ms;
  options.note = [this](const std::string& line) {
    const std::lock_guard lock(mutex_);
    notes_ += line + '\n';
  };
  return options;
}

bundle::Bundle numbered(std::uint64_t number) {
  bundle::Bundle bundle;
  bundle.kernel.name = "blur";
  bundle.data.problems.resize(1);
  bundle.plan.seed = number;
  return bundle;
}

}  // namespace hone::executor
