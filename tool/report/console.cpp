#include "tool/report/console.h"

#include <cstdlib>
#include <cstring>

#include <fmt/format.h>
#include <unistd.h>

#include "tool/base/printable.h"
#include "tool/report/text.h"

namespace hone::report {
namespace {

constexpr std::string_view bold = "\x1b[1m", green = "\x1b[32m", dim = "\x1b[2m", plain = "\x1b[0m";

std::string paint(const std::string& text, std::string_view color, bool wanted) {
  return wanted ? fmt::format("{}{}{}", color, text, plain) : text;
}

}  // namespace

Console::Options Console::suited(std::FILE* stream) {
  const char* terminal = std::getenv("TERM");
  const char* no_color = std::getenv("NO_COLOR");
  Options options;
  options.live = isatty(fileno(stream)) && terminal && std::strcmp(terminal, "dumb") != 0;
  options.color = options.live && !(no_color && *no_color);
  return options;
}

Console::Console(std::FILE* stream, Options options, const os::Clock& clock)
    : stream_(stream), options_(options), clock_(clock) {
  if (!options_.live) return;
  ticker_ = std::jthread([this](std::stop_token stop) {
    std::unique_lock lock(mutex_);
    while (!stop.stop_requested()) {
      if (running_) draw();
      ticked_.wait_for(lock, stop, std::chrono::milliseconds(500), [] { return false; });
    }
  });
}

Console::~Console() {
  if (!ticker_.joinable()) return;
  ticker_.request_stop();
  ticker_.join();
  clear();
  std::fflush(stream_);
}

void Console::begin(const Run& run) {
  const std::lock_guard lock(mutex_);
  run_ = run;
  started_ = clock_.now();
  trial_ = judged_ = 0;
  best_ = 1;
  calls_open_ = 0;
  spent_ = {};
  running_ = true;
  print(fmt::format("{} {}", paint(run.kernel, bold, options_.color),
                    paint(fmt::format("({}:{})", run.file, run.line), dim, options_.color)));
}

void Console::note(const std::string& line) {
  const std::lock_guard lock(mutex_);
  print("  " + line);
}

void Console::trial(const TrialNews& news) {
  const std::lock_guard lock(mutex_);
  const bool better = news.verdict.faster && news.best > best_;
  trial_ = news.number;
  judged_ += !news.replayed;
  best_ = news.best;
  if (!options_.trials || (options_.live && !better)) return;
  const std::string outcome = describe(news.verdict);
  print(fmt::format("  [{}/{}] {}: {}{}", news.number, news.of ? news.of : run_.trials, news.name,
                    better ? paint(outcome, green, options_.color) : outcome, news.replayed ? " (journal)" : ""));
}

void Console::end(const KernelResult& result) {
  const std::lock_guard lock(mutex_);
  running_ = false;
  const std::string figure = result.accepted ? ": " + paint(interval(result.speedup), green, options_.color) : "";
  print(fmt::format("  {}{}{}", to_string(result.outcome), figure,
                    result.message.empty() ? "" : "; " + printable_line(result.message)));
}

void Console::asking(unsigned open, const Spent& so_far) {
  const std::lock_guard lock(mutex_);
  calls_open_ = open;
  spent_ = so_far;
}

void Console::print(const std::string& line) {
  clear();
  fmt::print(stream_, "{}{}\n", options_.prefix, line);
  if (running_ && options_.live) draw();
  std::fflush(stream_);
}

void Console::clear() {
  if (options_.live) fmt::print(stream_, "\r\x1b[K");
}

double Console::elapsed() const {
  return std::chrono::duration<double>(clock_.now() - started_).count();
}

void Console::draw() {
  const double seconds = elapsed();
  const double rate = seconds > 1 ? judged_ * 60 / seconds : 0;
  const std::string calls = calls_open_ + spent_.calls == 0
                                ? ""
                                : fmt::format("  {} calls open, {} tokens so far", calls_open_, spent_.tokens);
  fmt::print(stream_, "\r\x1b[K  trial {}/{}  best {}  {:.0f}/min  {} left{}", trial_, run_.trials, times(best_), rate,
             duration(run_.budget_seconds - seconds), calls);
  std::fflush(stream_);
}

}  // namespace hone::report
