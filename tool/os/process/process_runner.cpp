#include "tool/os/process/process_runner.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdint>
#include <cstring>
#include <functional>

#include <fmt/format.h>

#include "tool/os/files/descriptor.h"
#include "tool/os/process/child.h"
#include "tool/os/process/system_failure.h"

namespace hone::os {
namespace {
using Time = std::chrono::steady_clock::time_point;

// The input as a file in memory: a child that reads slowly, late or never can't block us, nor we it.
Result<Descriptor> file_holding(const std::string& input) {
  Descriptor file(::memfd_create("input", MFD_CLOEXEC));
  if (!file) return system_failure("make a file for the input");
  for (std::size_t at = 0; at < input.size();) {
    const ssize_t written = ::write(file.get(), input.data() + at, input.size() - at);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return system_failure("keep the input");
    at += static_cast<std::size_t>(written);
  }
  if (::lseek(file.get(), 0, SEEK_SET) != 0) return system_failure("rewind the input");
  return file;
}

// One output stream of the child, kept up to a cap.
class Stream {
 public:
  Stream(std::string& text, std::size_t cap) : text_(text), cap_(cap) {}

  // The end for the child.
  Result<Descriptor> open() {
    int both[2];
    if (::pipe2(both, O_CLOEXEC) != 0) return system_failure("make a pipe");
    ours_ = Descriptor(both[0]);
    ::fcntl(both[0], F_SETFL, O_NONBLOCK);
    return Descriptor(both[1]);
  }

  int descriptor() const { return ours_.get(); }  // negative after its end: poll() skips it
  bool truncated() const { return truncated_; }

  // Takes what there is now.
  void drain() {
    char chunk[1 << 16];
    while (ours_) {
      const ssize_t got = ::read(ours_.get(), chunk, sizeof chunk);
      if (got > 0) {
        keep(chunk, static_cast<std::size_t>(got));
      } else if (got == 0 || (errno != EINTR && errno != EAGAIN)) {
        ours_.reset();
      } else if (errno == EAGAIN) {
        return;
      }
      if (got > 0 && static_cast<std::size_t>(got) < sizeof chunk) return;
    }
  }

 private:
  void keep(const char* data, std::size_t size) {
    const std::size_t room = cap_ - std::min(cap_, text_.size());
    text_.append(data, std::min(room, size));
    truncated_ |= size > room;
  }

  std::string& text_;
  std::size_t cap_;
  Descriptor ours_;
  bool truncated_ = false;
};

// Both output streams.
struct Streams {
  Stream out, err;

  void drain() {
    out.drain();
    err.drain();
  }
  bool truncated() const { return out.truncated() || err.truncated(); }
};

// Wakes a poll() when the caller asks to stop.
class StopBell {
 public:
  explicit StopBell(const std::stop_token& token)
      : bell_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)), callback_(token, [this] { ring(); }) {}
  int descriptor() const { return bell_.get(); }

 private:
  void ring() const {
    const std::uint64_t one = 1;
    (void)!::write(bell_.get(), &one, sizeof one);
  }
  Descriptor bell_;
  std::stop_callback<std::function<void()>> callback_;
};

int milliseconds_until(Time end) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - std::chrono::steady_clock::now()).count();
  return static_cast<int>(std::clamp<std::int64_t>(left, 0, INT_MAX));
}

// Reads until the program ended, its time is over or the caller wants no more; then the tree is gone and the rest is
// read.
void follow(Child& child, Streams& streams, const StopBell& bell, Time end, bool stop_when_full, Exit& exit) {
  for (;;) {
    pollfd polled[] = {{child.exit_descriptor(), POLLIN, 0},
                       {bell.descriptor(), POLLIN, 0},
                       {streams.out.descriptor(), POLLIN, 0},
                       {streams.err.descriptor(), POLLIN, 0}};
    const int ready = ::poll(polled, 4, milliseconds_until(end));
    if (ready > 0 && polled[0].revents != 0) break;
    exit.canceled = ready > 0 && polled[1].revents != 0;
    exit.timed_out = !exit.canceled && std::chrono::steady_clock::now() >= end;
    if (exit.canceled || exit.timed_out) {
      child.kill_tree();
      break;
    }
    streams.drain();
    if (stop_when_full && streams.truncated()) {
      child.kill_tree();
      break;
    }
  }
}

}  // namespace

Result<Exit> PosixProcessRunner::run(const Process& process) {
  const Time start = std::chrono::steady_clock::now();
  Exit exit;
  Streams streams{{exit.out, process.output_bytes}, {exit.err, process.output_bytes}};
  SpawnOptions options{process.arguments, process.directory, process.environment, process.sandbox, {}, process.nice};

  Descriptor input;
  if (!process.input.empty()) {
    HONE_TRY(input, file_holding(process.input));
    options.descriptors.push_back({input.get(), 0});
  }
  HONE_TRY(Descriptor child_out, streams.out.open());
  HONE_TRY(Descriptor child_err, streams.err.open());
  options.descriptors.push_back({child_out.get(), 1});
  options.descriptors.push_back({child_err.get(), 2});
  const StopBell bell(process.stop);
  HONE_TRY(Child child, spawn(options));
  child_out.reset();
  child_err.reset();

  follow(child, streams, bell, start + process.timeout, process.stop_when_full, exit);
  const ChildExit ended = *child.wait(std::chrono::hours(24));
  streams.drain();
  exit.code = ended.code;
  exit.signal = ended.signal;
  exit.over_memory = ended.over_memory;
  exit.over_disk = ended.over_disk;
  exit.truncated = streams.truncated();
  exit.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return exit;
}

}  // namespace hone::os
