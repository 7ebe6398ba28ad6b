#include "tool/executor/staying_worker.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include <fmt/format.h>

#include "tool/diagnostics/coded_failure.h"
#include "tool/executor/said.h"
#include "tool/os/process/system_failure.h"

namespace hone::executor {
namespace {

using namespace std::chrono_literals;

constexpr auto tick = 50ms;                       // between two looks at a stop token
constexpr auto farewell = 500ms;                  // for a worker to end by itself
constexpr std::size_t longest_greeting = 64'000;  // of other programs, before the hello
constexpr std::size_t kept_of_complaint = 4'000;

struct Ends {
  os::Descriptor ours, theirs;
};

// A socket, since a write to one whose other end is gone need not raise a signal.
Result<Ends> make_stream() {
  std::array<int, 2> both{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, both.data()) != 0)
    return os::system_failure("make a stream to a worker");
  ::fcntl(both[0], F_SETFL, O_NONBLOCK);
  return Ends{os::Descriptor(both[0]), os::Descriptor(both[1])};
}

}  // namespace

StayingWorker::StayingWorker(WorkerSource& source, os::Child child, Patience patience)
    : source_(&source),
      child_(std::make_unique<os::Child>(std::move(child))),
      patience_(patience),
      heard_at_(Clock::now()),
      pulse_at_(Clock::now()) {}

Result<StayingWorker> StayingWorker::start(WorkerSource& source, const std::set<std::string>& avoided,
                                           Patience patience) {
  HONE_TRY(Ends input, make_stream());
  HONE_TRY(Ends output, make_stream());
  HONE_TRY(Ends error, make_stream());
  os::SpawnOptions options;
  options.arguments = source.command(avoided);
  options.environment = source.environment();
  options.descriptors = {{input.theirs.get(), 0}, {output.theirs.get(), 1}, {error.theirs.get(), 2}};
  auto child = os::spawn(options);
  if (!child)
    return coded_failure(DiagnosticCode::executor_unreachable,
                         "the executor cannot be started: " + child.error().message(), {}, "check --executor");
  StayingWorker worker(source, std::move(*child), patience);
  worker.input_ = std::move(input.ours);
  worker.output_ = std::move(output.ours);
  worker.error_ = std::move(error.ours);
  return worker;
}

// The end of its input ends a worker, and with it its job. One that does not hear that is ended from outside.
StayingWorker::~StayingWorker() {
  if (!child_) return;
  input_.reset();
  const bool ended = child_->wait(hello_.processor.empty() ? 0ms : farewell).has_value();
  if (ended) return;
  child_->kill_tree();
  if (!hello_.job.empty()) source_->cancel(hello_.job);
}

Result<void> StayingWorker::greet(std::stop_token stop, const std::function<void()>& waiting) {
  std::size_t skipped = 0;
  while (!stop.stop_requested()) {
    HONE_TRY(const Event event, listen(tick));
    waiting();
    std::string line;
    while (event == Event::line && take_line(line)) {
      if (auto hello = bundle::read_hello(line)) {
        hello_ = std::move(*hello);
        return {};
      }
      if (line.find("\"hone-worker\":") != std::string::npos) return lost("is of another version of Hone");
      skipped += line.size() + 1;
      complaint_ += line + '\n';
    }
    if (skipped + heard_.size() > longest_greeting) return lost("is no hone-worker --serve");
  }
  return coded_failure(DiagnosticCode::executor_failed, "the worker was not waited for");
}

std::string StayingWorker::last_line() const {
  const std::string last = last_words(complaint_);
  return last.substr(last.rfind('\n') + 1);
}

Result<std::string> StayingWorker::ask(const std::string& bytes, const std::string& fingerprint, std::stop_token stop) {
  HONE_CHECK(send(bundle::frame_header(bytes), stop));
  HONE_CHECK(send(bytes, stop));
  const auto end = Clock::now() + patience_.judgment;
  while (!stop.stop_requested()) {
    HONE_TRY(const Event event, listen(tick));
    std::string line;
    while (event == Event::line && take_line(line)) {
      if (line.empty()) continue;  // a pulse
      if (bundle::answers(line, fingerprint)) return line;
      return lost("answered what it was not asked: " + last_words(std::string_view(line).substr(0, 200)));
    }
    if (heard_.size() > bundle::longest_answer) return lost("answered without an end");
    HONE_CHECK(not_silent());
    if (Clock::now() > end) return lost("did not come to an end");
    pulse();
  }
  return failure("the judgment was stopped");
}

Result<void> StayingWorker::tend() {
  HONE_TRY(const Event event, listen(0ms));
  std::string line;
  while (event == Event::line && take_line(line))
    if (!line.empty()) return lost("spoke without being asked");
  HONE_CHECK(not_silent());
  pulse();
  return {};
}

Result<StayingWorker::Event> StayingWorker::listen(std::chrono::milliseconds most) {
  pollfd polled[] = {{output_.get(), POLLIN, 0}, {error_.get(), POLLIN, 0}, {child_->exit_descriptor(), POLLIN, 0}};
  ::poll(polled, 3, static_cast<int>(most.count()));
  if (error_) read_into(error_, complaint_);
  if (complaint_.size() > kept_of_complaint) complaint_.erase(0, complaint_.size() - kept_of_complaint);
  if (output_ && read_into(output_, heard_)) heard_at_ = Clock::now();
  if (has_line()) return Event::line;
  if (const auto exit = child_->wait(0ms)) {
    if (output_ && read_into(output_, heard_) && has_line()) return Event::line;  // its last
    if (error_) read_into(error_, complaint_);
    if (exit->signal != 0) return lost(fmt::format("was killed by signal {}", exit->signal));
    return lost(fmt::format("ended with code {}", exit->code));
  }
  return Event::nothing;
}

// Looks at each byte once: an answer comes in many pieces.
bool StayingWorker::has_line() {
  const std::size_t end = heard_.find('\n', std::min(looked_, heard_.size()));
  looked_ = end == std::string::npos ? heard_.size() : end;
  return end != std::string::npos;
}

bool StayingWorker::take_line(std::string& line) {
  const std::size_t end = heard_.find('\n');
  if (end == std::string::npos) return false;
  line = heard_.substr(0, end);
  heard_.erase(0, end + 1);
  looked_ = 0;
  return true;
}

// Whether something came. Closes what has come to its end.
bool StayingWorker::read_into(os::Descriptor& from, std::string& text) {
  bool came = false;
  std::array<char, 1 << 16> chunk{};
  for (;;) {
    const ssize_t got = ::read(from.get(), chunk.data(), chunk.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) {
      if (got == 0 || errno != EAGAIN) from.reset();
      return came;
    }
    text.append(chunk.data(), static_cast<std::size_t>(got));
    came = true;
  }
}

Result<void> StayingWorker::send(std::string_view text, std::stop_token stop) {
  while (!text.empty()) {
    const ssize_t sent = ::send(input_.get(), text.data(), text.size(), MSG_NOSIGNAL);
    if (sent > 0) {
      text.remove_prefix(static_cast<std::size_t>(sent));
      pulse_at_ = Clock::now() + patience_.pulse;
      continue;
    }
    if (sent < 0 && errno != EAGAIN && errno != EINTR) {
      HONE_CHECK(listen(farewell));  // says better what happened
      return lost("takes nothing more");
    }
    if (stop.stop_requested()) return failure("the judgment was stopped");
    pollfd polled[] = {{input_.get(), POLLOUT, 0}, {child_->exit_descriptor(), POLLIN, 0}};
    ::poll(polled, 2, static_cast<int>(tick.count()));
    HONE_CHECK(listen(0ms));
    HONE_CHECK(not_silent());
  }
  return {};
}

// Where it takes none now, it is about to be found silent.
void StayingWorker::pulse() {
  if (Clock::now() < pulse_at_) return;
  (void)::send(input_.get(), "\n", 1, MSG_NOSIGNAL);
  pulse_at_ = Clock::now() + patience_.pulse;
}

Result<void> StayingWorker::not_silent() const {
  if (Clock::now() - heard_at_ < patience_.silence) return {};
  return lost(fmt::format("said nothing for {} s", std::chrono::ceil<std::chrono::seconds>(patience_.silence).count()));
}

tl::unexpected<Error> StayingWorker::lost(const std::string& how) const {
  const std::string last = last_words(complaint_);
  const std::string job = hello_.job.empty() ? "" : " (job " + hello_.job + ")";
  return coded_failure(DiagnosticCode::executor_failed,
                       "the worker" + job + " " + how + (last.empty() ? "" : ", saying: " + last), source_->name(),
                       "run `hone doctor --executor` to see whether it works");
}

}  // namespace hone::executor
