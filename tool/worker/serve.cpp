#include "tool/worker/serve.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <condition_variable>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "tool/base/machine_kind.h"
#include "tool/bundle/answer.h"
#include "tool/cuda/device_count.h"
#include "tool/judge/device/device.h"
#include "tool/judge/device/device_choice.h"

namespace hone::worker {
namespace {

using Clock = std::chrono::steady_clock;

struct Frame {
  std::string bytes, fingerprint;
};

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

bundle::Hello hello() {
  const auto& devices = cuda::cuda_devices();
  return {processor_kind(), devices ? *devices : std::vector<std::string>(), variable("SLURM_JOB_ID"),
          variable("SLURMD_NODENAME")};
}

// Lines for the sender, from several threads. Whoever cannot be written to is gone.
class Output {
 public:
  void write(const std::string& line) {
    const std::lock_guard lock(mutex_);
    for (std::size_t at = 0; at < line.size();) {
      const ssize_t written = ::write(STDOUT_FILENO, line.data() + at, line.size() - at);
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) _exit(0);
      at += static_cast<std::size_t>(written);
    }
  }

 private:
  std::mutex mutex_;
};

// Reads frames on a thread of its own, so that the end of the input is seen during a judgment too, and sends pulses.
class Input {
 public:
  Input(Output& output, const ServeOptions& options)
      : output_(output), options_(options), reader_([this] { read(); }) {}

  // Error: nothing more can be read.
  Result<Frame> next() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !frames_.empty() || error_; });
    if (frames_.empty()) return tl::unexpected(*error_);
    Frame frame = std::move(frames_.front());
    frames_.pop_front();
    return frame;
  }

 private:
  void read() {
    for (;;) {
      auto frame = read_frame();
      std::unique_lock lock(mutex_);
      if (frame)
        frames_.push_back(std::move(*frame));
      else
        error_ = std::move(frame.error());
      changed_.notify_all();
      if (error_) return;
    }
  }

  Result<Frame> read_frame() {
    std::string line;
    do {  // empty lines are pulses
      HONE_TRY(line, take_line());
    } while (line.empty());
    HONE_TRY(const bundle::FrameHeader header, bundle::read_frame_header(line));
    while (held_.size() < header.bytes) HONE_CHECK(fill());
    std::string bytes = held_.substr(0, header.bytes);
    held_.erase(0, header.bytes);
    if (bundle::fingerprint(bytes) != header.fingerprint) return failure("a bundle was damaged on its way", "stdin");
    return Frame{std::move(bytes), header.fingerprint};
  }

  Result<std::string> take_line() {
    constexpr std::size_t longest = 200;
    std::size_t end = 0;
    while ((end = held_.find('\n')) == std::string::npos) {
      if (held_.size() > longest) return failure("the input is no bundle's frame", "stdin");
      HONE_CHECK(fill());
    }
    std::string line = held_.substr(0, end);
    held_.erase(0, end + 1);
    return line;
  }

  // Waits for more of the input. A pulse is due all the while.
  Result<void> fill() {
    pollfd polled{STDIN_FILENO, POLLIN, 0};
    const auto silent_at = Clock::now() + options_.silence;
    while (::poll(&polled, 1, static_cast<int>(options_.pulse.count())) <= 0) {
      output_.write("\n");
      if (Clock::now() > silent_at) return failure("the sender is gone: nothing was heard of it", "stdin");
    }
    output_pulse_if_due();
    char chunk[1 << 16];
    const ssize_t got = ::read(STDIN_FILENO, chunk, sizeof chunk);
    if (got == 0) _exit(0);  // nobody waits for what is being judged; its processes go with this one
    if (got < 0 && errno != EINTR && errno != EAGAIN) return failure("cannot read the input", "stdin");
    if (got > 0) held_.append(chunk, static_cast<std::size_t>(got));
    return {};
  }

  void output_pulse_if_due() {
    if (Clock::now() < pulse_at_) return;
    output_.write("\n");
    pulse_at_ = Clock::now() + options_.pulse;
  }

  Output& output_;
  const ServeOptions options_;
  Clock::time_point pulse_at_ = Clock::now();
  std::string held_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Frame> frames_;  // a sender that waits for its answers has one at most
  std::optional<Error> error_;
  std::thread reader_;  // last: it uses everything above
};

Result<std::string> judged(const Frame& frame, judge::JudgeOptions options) {
  HONE_TRY(const bundle::Bundle bundle, bundle::parse_bundle(frame.bytes));
  judge::DeviceChoice choice;
  if (bundle.data.cuda) choice = judge::choose_device(judge::Device::uuids());
  options.device = choice.device;
  HONE_TRY(const bundle::Answer answer, judge::judge(bundle, options));
  return bundle::serialize_answer(answer, frame.bytes) + "\n";
}

}  // namespace

Error serve(const judge::JudgeOptions& judge, const ServeOptions& options) {
  Output output;
  output.write(bundle::write_hello(hello()));
  auto& input = *new Input(output, options);  // as long as the process: its thread waits in a read
  for (;;) {
    const auto frame = input.next();
    if (!frame) return frame.error();
    const auto answer = judged(*frame, judge);
    output.write(answer ? *answer : bundle::write_refusal(frame->fingerprint, answer.error().message()));
  }
}

}  // namespace hone::worker
