#include "tool/report/board.h"

#include <algorithm>

#include <fmt/format.h>

#include "tool/base/printable.h"
#include "tool/report/text.h"

namespace hone::report {

// One kernel's part of the state. Its clocks stand still while it waits.
class Board::Row final : public Progress {
 public:
  Row(Board& board, std::string name, bool alone) : board_(board), alone_(alone) { shown_.name = std::move(name); }

  void begin(const Run& run) override {
    const std::lock_guard lock(board_.mutex_);
    shown_.trials = run.trials;
    shown_.most_cost = run.most_cost;
    shown_.most_tokens = run.most_tokens;
    if (run.budget_seconds < board_.options_.seconds) budget_ = run.budget_seconds;
    enter(Phase::looking);
    if (alone_) board_.keep(begun(run));
  }
  void phase(Phase phase) override {
    const std::lock_guard lock(board_.mutex_);
    enter(phase);
    board_.draw();
  }
  void note(const std::string& line) override {
    const std::lock_guard lock(board_.mutex_);
    keep(line);
  }
  void trial(const TrialNews& news) override {
    const std::lock_guard lock(board_.mutex_);
    shown_.trial = news.number;
    shown_.judged += !news.replayed;
    shown_.last = describe(news.verdict);
    const bool better =
        news.verdict.right && news.verdict.faster && news.best > (shown_.best ? shown_.best->median : 1);
    if (!better) return;
    shown_.best = news.verdict.measurement.speedup;
    keep(told(news, shown_.trials));
  }
  void end(const KernelResult& result) override {
    const std::lock_guard lock(board_.mutex_);
    enter(Phase::done);
    shown_.outcome = ended(result);
    keep(shown_.outcome);
  }
  void asking(unsigned open, const Spent& so_far) override {
    const std::lock_guard lock(board_.mutex_);
    shown_.calls_open = open;
    shown_.spent = so_far;
  }

  void wait(bool waits) {
    enter(shown_.phase);
    waits_ = waits;
  }

  ScreenKernel shown() const {
    ScreenKernel kernel = shown_;
    kernel.active_seconds = judging();
    if (budget_ != unknown_time) kernel.seconds_left = budget_ - working();
    if (waits_ && kernel.phase != Phase::done) kernel.phase = Phase::waiting;
    return kernel;
  }

 private:
  double seconds(double so_far, bool going) const { return so_far + (going && !waits_ ? board_.since(entered_) : 0); }
  double judging() const { return seconds(judging_, shown_.phase == Phase::judging); }
  double working() const { return seconds(working_, shown_.phase != Phase::waiting && shown_.phase != Phase::done); }
  void enter(Phase phase) {
    judging_ = judging();
    working_ = working();
    entered_ = board_.clock_.now();
    shown_.phase = phase;
  }
  void keep(const std::string& line) { board_.keep(alone_ ? "  " + line : shown_.name + ": " + line); }

  Board& board_;
  const bool alone_;  // the only kernel there is
  ScreenKernel shown_;
  Duration entered_{};
  double judging_ = 0, working_ = 0;  // seconds before `entered_`
  double budget_ = unknown_time;
  bool waits_ = false;
};

Board::Board(std::FILE* stream, std::vector<std::string> kernels, Options options, const os::Clock& clock)
    : stream_(stream), options_(std::move(options)), clock_(clock), started_(clock.now()) {
  for (std::string& name : kernels) rows_.push_back(std::make_unique<Row>(*this, std::move(name), kernels.size() == 1));
  ticker_ = std::jthread([this](std::stop_token stop) {
    std::unique_lock lock(mutex_);
    while (!stop.stop_requested()) {
      draw();
      ticked_.wait_for(lock, stop, std::chrono::milliseconds(500), [] { return false; });
    }
  });
}

Board::~Board() {
  ticker_.request_stop();
  ticker_.join();
  pause();
}

Progress& Board::kernel(std::size_t index) {
  return *rows_.at(index);
}

void Board::wait(std::size_t kernel, bool waits) {
  const std::lock_guard lock(mutex_);
  rows_.at(kernel)->wait(waits);
  draw();
}

void Board::note(const std::string& line) {
  const std::lock_guard lock(mutex_);
  keep(line);
}

void Board::keep(const std::string& line) {
  draw(printable(line) + '\n');
}

double Board::since(Duration start) const {
  return std::chrono::duration<double>(clock_.now() - start).count();
}

ScreenState Board::state() const {
  ScreenState state;
  for (const auto& row : rows_) state.kernels.push_back(row->shown());
  state.seconds = since(started_);
  if (options_.seconds != unknown_time) state.seconds_left = options_.seconds - state.seconds;
  state.stopping = options_.stop.stop_requested();
  return state;
}

// To the first of the lines that are drawn. A terminal that became narrower has wrapped them meanwhile.
std::string Board::erased() {
  const std::size_t columns = std::max<std::size_t>(terminal_size(stream_).columns, 1);
  std::size_t rows = 0;
  for (const std::size_t width : drawn_) rows += std::max<std::size_t>((width + columns - 1) / columns, 1);
  drawn_.clear();
  return rows ? fmt::format("\r\x1b[{}A\x1b[J", rows) : "";
}

// All in one piece, so that no half of it is ever seen.
void Board::draw(const std::string& above) {
  const bool draws = !paused_ && has_terminal_now(stream_);
  if (!draws && above.empty()) return;
  std::string text = has_terminal_now(stream_) ? erased() : "";
  text += above;
  if (draws) {
    const ScreenState now = state();
    const TerminalSize size = terminal_size(stream_);
    for (const std::string& line : screen(now, size, options_.color)) text += line + '\n';
    for (const std::string& line : screen(now, size, false)) drawn_.push_back(columns_of(line));
  }
  std::fwrite(text.data(), 1, text.size(), stream_);
  std::fflush(stream_);
}

void Board::pause() {
  const std::lock_guard lock(mutex_);
  const std::string text = has_terminal_now(stream_) ? erased() : "";
  paused_ = true;
  std::fwrite(text.data(), 1, text.size(), stream_);
  std::fflush(stream_);
}

void Board::resume() {
  const std::lock_guard lock(mutex_);
  paused_ = false;
  drawn_.clear();
  draw();
}

}  // namespace hone::report
