// hone-worker: reads a bundle on stdin, judges, prints a Verdict as JSON on stdout, named after the bundle. Or goes
// through a folder of bundles, or stays and judges what comes in.
//
// The judge's process: no generated code is ever loaded here. Exit codes: 0 a verdict was printed, or every
// bundle of the folder has one, 2 usage, 3 the machine or the installation failed (a line on stderr).
#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "tool/bundle/answer.h"
#include "tool/bundle/bundle.h"
#include "tool/judge/device/device.h"
#include "tool/judge/device/device_choice.h"
#include "tool/judge/judge.h"
#include "tool/worker/batch.h"
#include "tool/worker/serve.h"

namespace {

constexpr std::string_view usage =
    "usage: hone-worker -\n"
    "       hone-worker --serve\n"
    "       hone-worker --batch FOLDER [--at-once N]\n"
    "Reads a bundle on stdin, judges its candidate against its original, and prints the verdict as JSON; on the GPU "
    "at\n"
    "which the fewest others judge.\n"
    "--serve: stays, and judges bundle after bundle until its input ends (docs/scale.md).\n"
    "--batch: judges every NAME.bundle (or NAME.in) of the folder into NAME.verdict (NAME.out), on all GPUs at once;\n"
    "bundles that have a verdict are left alone. --at-once: judgments on each GPU; their timings take turns.\n";

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

// The programs that are installed beside this one.
hone::Result<hone::judge::JudgeOptions> find_companions() {
  std::error_code error;
  const auto folder = std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
  const auto runner = folder / "hone-runner";
  if (error || access(runner.c_str(), X_OK) != 0)
    return hone::failure("hone-runner is missing", runner.string(), "install Hone's libexec folder as a whole");
  return hone::judge::JudgeOptions{.runner = runner, .order = folder / "hone-openmp-order.so"};
}

hone::Result<std::string> judge_stdin() {
  HONE_TRY(const std::string bytes, read_all(STDIN_FILENO));
  HONE_TRY(const hone::bundle::Bundle bundle, hone::bundle::parse_bundle(bytes));
  HONE_TRY(auto companions, find_companions());
  hone::judge::DeviceChoice choice;
  if (bundle.data.cuda) choice = hone::judge::choose_device(hone::judge::Device::uuids());
  companions.device = choice.device;
  HONE_TRY(const hone::bundle::Answer answer, hone::judge::judge(bundle, companions));
  return hone::bundle::serialize_answer(answer, bytes);
}

int complain(const hone::Error& error) {
  fmt::print(stderr, "hone-worker: {}\n", error.message());
  return 3;
}

int judge_folder(const char* folder, unsigned at_once) {
  const auto companions = find_companions();
  if (!companions) return complain(companions.error());
  const auto left = hone::worker::judge_batch(folder, *companions, {.at_once = at_once});
  if (!left) return complain(left.error());
  if (*left > 0) fmt::print(stderr, "hone-worker: {} bundles have no verdict\n", *left);
  return *left > 0 ? 3 : 0;
}

int serve() {
  const auto companions = find_companions();
  const hone::Error error = companions ? hone::worker::serve(*companions) : companions.error();
  const int code = complain(error);
  std::fflush(nullptr);
  _exit(code);  // its thread may be in a read
}

// "--at-once N" behind a folder; 0: absent; nullopt: nonsense.
std::optional<unsigned> read_at_once(int argc, char** argv) {
  if (argc == 3) return 0;
  if (argc != 5 || std::string_view(argv[3]) != "--at-once") return std::nullopt;
  const std::string_view text = argv[4];
  unsigned number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number == 0 || number > 64) return std::nullopt;
  return number;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::string_view(argv[1]) == "--help") {
    fmt::print("{}", usage);
    return 0;
  }
  signal(SIGPIPE, SIG_IGN);
  setenv("CUDA_DEVICE_MAX_CONNECTIONS", "1", 0);  // the judge's own context, quicker to start; runners get their own
  if (argc >= 3 && std::string_view(argv[1]) == "--batch")
    if (const auto at_once = read_at_once(argc, argv)) return judge_folder(argv[2], *at_once);
  if (argc == 2 && std::string_view(argv[1]) == "--serve") return serve();
  if (argc != 2 || std::string_view(argv[1]) != "-") {
    fmt::print(stderr, "{}", usage);
    return 2;
  }
  const auto answer = judge_stdin();
  if (!answer) return complain(answer.error());
  fmt::print("{}\n", *answer);
  return std::fflush(stdout) == 0 ? 0 : 3;
}
