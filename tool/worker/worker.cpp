// hone-worker: reads a bundle on stdin, judges, prints a Verdict as JSON on stdout, named after the bundle.
//
// The judge's process: no generated code is ever loaded here. Exit codes: 0 a verdict was printed, 2 usage, 3 the
// machine or the installation failed (one line on stderr).
#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>

#include "tool/evaluate/answer.h"
#include "tool/evaluate/bundle.h"
#include "tool/evaluate/judge.h"

namespace {

constexpr std::string_view usage =
    "usage: hone-worker -\n"
    "Reads a bundle on stdin, judges its candidate against its original, and prints the verdict as JSON.\n";

hone::Result<std::string> read_all(int descriptor) {
  std::string text;
  char buffer[1 << 16];
  for (;;) {
    const ssize_t got = read(descriptor, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return hone::failure("cannot read the bundle", "stdin");
    if (got == 0) return text;
    text.append(buffer, static_cast<std::size_t>(got));
  }
}

// Installed beside this program.
hone::Result<hone::evaluate::JudgeOptions> find_companions() {
  std::error_code error;
  const auto folder = std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
  const auto runner = folder / "hone-runner";
  if (error || access(runner.c_str(), X_OK) != 0)
    return hone::failure("hone-runner is missing", runner.string(), "install Hone's libexec folder as a whole");
  return hone::evaluate::JudgeOptions{.runner = runner, .order = folder / "hone-openmp-order.so"};
}

hone::Result<std::string> judge_stdin() {
  HONE_TRY(const std::string bytes, read_all(STDIN_FILENO));
  HONE_TRY(const hone::evaluate::Bundle bundle, hone::evaluate::parse_bundle(bytes));
  HONE_TRY(const auto companions, find_companions());
  HONE_TRY(const hone::Verdict verdict, hone::evaluate::judge(bundle, companions));
  return hone::evaluate::serialize_answer(verdict, bytes);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::string_view(argv[1]) == "--help") {
    fmt::print("{}", usage);
    return 0;
  }
  if (argc != 2 || std::string_view(argv[1]) != "-") {
    fmt::print(stderr, "{}", usage);
    return 2;
  }
  signal(SIGPIPE, SIG_IGN);
  const auto answer = judge_stdin();
  if (!answer) {
    fmt::print(stderr, "hone-worker: {}\n", answer.error().message());
    return 3;
  }
  fmt::print("{}\n", *answer);
  return std::fflush(stdout) == 0 ? 0 : 3;
}
