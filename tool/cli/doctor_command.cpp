#include <algorithm>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <set>
#include <stop_token>
#include <string_view>
#include <thread>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cache/store.h"
#include "tool/base/machine_kind.h"
#include "tool/base/median.h"
#include "tool/cli/command/command.h"
#include "tool/cli/model_findings.h"
#include "tool/cli/parse_findings.h"
#include "tool/command/compiler_line.h"
#include "tool/command/nvcc_options.h"
#include "tool/compile/device/nvrtc_programs.h"
#include "tool/compile/toolchain/toolchain.h"
#include "tool/cuda/device_count.h"
#include "tool/executor/make_executor.h"
#include "tool/judge/count/ncu.h"
#include "tool/lock/judged_on.h"
#include "tool/os/files/files.h"
#include "tool/os/process/process_runner.h"
#include "tool/os/sandbox/sandbox.h"
#include "tool/report/text.h"

namespace hone::cli {
namespace {

namespace fs = std::filesystem;

using State = DoctorFinding::State;

// The first line that `program --version` or the like prints; nullopt: it does not run.
std::optional<std::string> first_line(std::vector<std::string> arguments) {
  os::PosixProcessRunner runner;
  os::Process process;
  process.arguments = std::move(arguments);
  process.timeout = std::chrono::seconds(10);
  const auto exit = runner.run(process);
  if (!exit || !exit->ok()) return std::nullopt;
  return exit->out.substr(0, exit->out.find('\n'));
}

DoctorFinding program(const std::string& name, std::vector<std::string> arguments, State otherwise,
                      const std::string& purpose) {
  arguments.insert(arguments.begin(), name);
  const auto line = first_line(std::move(arguments));
  return {line ? State::good : otherwise, name, line ? *line : "not found; " + purpose};
}

// The project's, and the usual ones.
std::set<std::string> compiler_names(const ProjectOptions& options) {
  std::set<std::string> names{"g++", "clang++"};
  const auto project = project::open_project(options.folder());
  for (const project::ProjectUnit& unit : project ? project->units : std::vector<project::ProjectUnit>{}) {
    const auto line = read_compiler_line(unit.command.arguments);
    names.insert(line ? line->arguments[line->compiler] : unit.command.arguments.front());
  }
  return names;
}

std::vector<DoctorFinding> compilers(const ProjectOptions& options) {
  std::vector<DoctorFinding> findings;
  for (const std::string& name : compiler_names(options))
    findings.push_back(program(name, {"--version"}, State::absent, "one compiler is enough"));
  return findings;
}

// Looks on PATH, and where NVIDIA's packages put nvcc.
std::optional<compile::Toolchain> find_nvcc() {
  os::PosixProcessRunner runner;
  for (const char* name : {"nvcc", "/usr/local/cuda/bin/nvcc"})
    if (auto toolchain = compile::ask_nvcc(runner, name, "", "/")) return std::move(*toolchain);
  return std::nullopt;
}

DoctorFinding describe(const std::optional<compile::Toolchain>& nvcc) {
  if (!nvcc) return {State::absent, "nvcc", "not found; only CUDA kernels need it"};
  return {State::good, "nvcc", fmt::format("{} ({})", nvcc->identity, nvcc->program)};
}

// Whether Clang parses what each compiler that runs would compile.
std::vector<DoctorFinding> parses(const std::vector<DoctorFinding>& compilers,
                                  const std::optional<compile::Toolchain>& nvcc) {
  std::vector<std::string> names;
  for (const DoctorFinding& compiler : compilers)
    if (compiler.state == State::good && !is_nvcc(compiler.what)) names.push_back(compiler.what);
  return find_parses(names, nvcc ? nvcc->program : "");
}

// Is there an NVRTC? Without it trials take longer, no more.
DoctorFinding nvrtc(const compile::Toolchain& nvcc) {
  const compile::NvrtcPrograms programs = compile::find_nvrtc(nvcc);
  if (programs.complete()) return {State::good, "NVRTC", programs.library};
  const char* missing = programs.program.empty()   ? "hone-nvrtc is not installed beside this program"
                        : programs.library.empty() ? "libnvrtc is not in nvcc's toolkit"
                                                   : "fatbinary is not in nvcc's toolkit";
  return {State::absent, "NVRTC", fmt::format("{}; nvcc compiles every trial", missing)};
}

DoctorFinding machine() {
  return {State::good, "machine", processor_kind()};
}

DoctorFinding cuda_device() {
  const auto& devices = cuda::cuda_devices();
  return {devices ? State::good : State::absent, "CUDA device",
          devices ? fmt::format("{}", fmt::join(*devices, ", ")) : devices.error().message()};
}

// The profiler's version, and whether the driver lets the sandbox's user at the counters.
DoctorFinding profiler() {
  const char* purpose = "prompts about CUDA kernels are without the device's counters";
  const auto path = judge::find_ncu();
  if (!path) return {State::absent, "ncu", fmt::format("not found; {}", purpose)};
  os::PosixProcessRunner runner;
  const auto exit = runner.run({.arguments = {*path, "--version"}, .timeout = std::chrono::seconds(10)});
  if (!exit || !exit->ok()) return {State::absent, "ncu", fmt::format("{} does not run; {}", *path, purpose)};
  const std::string version = judge::ncu_version(exit->out);
  const auto parameters = os::read_file("/proc/driver/nvidia/params");
  if (parameters && judge::are_counters_reserved(*parameters))
    return {State::absent, "ncu",
            fmt::format("{} ({}), but the driver keeps the counters for administrators "
                        "(https://developer.nvidia.com/ERR_NVGPUCTRPERM); {}",
                        version, *path, purpose)};
  return {State::good, "ncu", fmt::format("{} ({})", version, *path)};
}

// The level and what it is made of; then, a line each, what would make it stronger.
std::vector<DoctorFinding> sandbox() {
  const auto level = os::probe_sandbox();
  if (!level) return {{State::bad, "sandbox", level.error().message()}};
  const bool weak = level->name == "limits";
  std::vector<DoctorFinding> findings{{weak ? State::bad : State::good, "sandbox",
                                       fmt::format("level {} ({}){}", level->name, os::describe(*level),
                                                   weak ? ": candidates are hardly confined here" : "")}};
  // A level that was picked says nothing of the machine.
  const char* setting = std::getenv("HONE_SANDBOX");
  const bool picked = setting && *setting && !std::string_view(setting).starts_with("require:");
  if (picked) findings.front().detail += "; picked by HONE_SANDBOX";
  for (std::string& missing : picked ? std::vector<std::string>() : os::shortfalls(*level))
    findings.push_back({State::absent, "sandbox", std::move(missing)});
  return findings;
}

DoctorFinding worker() {
  std::error_code error;
  const fs::path beside = fs::read_symlink("/proc/self/exe", error).parent_path() / "hone-worker";
  return {fs::exists(beside, error) ? State::good : State::bad, "hone-worker",
          fs::exists(beside, error) ? "beside this program"
                                    : fmt::format("not at {}; install Hone whole", beside.string())};
}

// Whether a worker answers there. A queue that is full is waited for a while.
DoctorFinding executor_elsewhere(const std::string& specification) {
  constexpr auto longest = std::chrono::seconds(30);
  os::PosixProcessRunner runner;
  const auto source = executor::Source::open(specification, runner);
  if (!source) return {State::bad, "executor", source.error().message()};
  std::stop_source stop;
  std::mutex mutex;
  std::condition_variable_any over;
  const std::jthread clock([&](std::stop_token done) {
    std::unique_lock lock(mutex);
    over.wait_for(lock, done, longest, [] { return false; });
    stop.request_stop();
  });
  const auto found = source->try_out(stop.get_token());
  return {found ? State::good : State::bad, "executor", found ? *found : found.error().message()};
}

DoctorFinding store() {
  const auto folder = cache::user_folder();
  if (!folder) return {State::bad, "cache", folder.error().message()};
  const auto probe = os::write_file_atomically(*folder / ".doctor", "");
  std::error_code error;
  fs::remove(*folder / ".doctor", error);
  return {probe ? State::good : State::bad, "cache", probe ? folder->string() : probe.error().message()};
}

// Equal work in adjacent pairs: how far the ratios stray says how small a gain can be told from noise.
DoctorFinding timing() {
  using Clock = std::chrono::steady_clock;
  std::vector<float> x(1 << 16, 1.0f), y(1 << 16, 2.0f);
  auto sample = [&] {
    const auto start = Clock::now();
    for (int repeat = 0; repeat < 20; ++repeat)
      for (std::size_t i = 0; i < x.size(); ++i) y[i] = y[i] * 0.5f + x[i];
    return std::chrono::duration<double>(Clock::now() - start).count();
  };
  std::vector<double> ratios;
  for (const auto end = Clock::now() + std::chrono::milliseconds(500); Clock::now() < end;) {
    const double first = sample();
    ratios.push_back(std::abs(std::log(sample() / first)));
  }
  const double noise = 100 * median(std::move(ratios));
  return {noise < 5 ? State::good : State::bad, "timing",
          fmt::format("adjacent samples differ by {:.1f}% in the median{}", noise,
                      noise < 5 ? "" : ": the machine is busy, small gains will not be seen")};
}

void print(const DoctorFinding& finding) {
  const char* mark = finding.state == State::good ? "ok     " : finding.state == State::absent ? "absent " : "PROBLEM";
  fmt::print("{}  {:<12} {}\n", mark, finding.what, finding.detail);
  std::fflush(stdout);
}

}  // namespace

int doctor_command(int argc, char** argv) {
  CLI::App app{
      "What works on this machine: compilers, Clang, sandbox, worker, cache, timing, language model, GPU tools.\n"
      "Sends nothing anywhere, unless --probe-model is given.",
      "hone doctor"};
  ProjectOptions project;
  project::TuneOptions tune;
  bool probe = false;
  std::string elsewhere;
  project.add_to(app);
  add_model_options(app, tune);
  app.add_option("--executor", elsewhere,
                 "Ask for a worker there, too: slurm:<partition> [options], or command:<argv>");
  app.add_flag("--probe-model", probe,
               "Send one short question, with nothing of yours in it, to each language model that would be asked");
  app.footer("Exit codes: 0 tuning will work; 1 something stands in its way; 2 usage.");
  if (const auto exit = parse(app, argc, argv)) return *exit;

  bool bad = false;
  auto say = [&](const DoctorFinding& finding) {
    bad |= finding.state == State::bad;
    print(finding);
  };
  say({State::good, "processor", lock::processor_name()});
  const auto found = compilers(project);
  std::for_each(found.begin(), found.end(), say);
  if (std::none_of(found.begin(), found.end(), [](const DoctorFinding& one) { return one.state == State::good; }))
    say({State::bad, "compiler", "none was found"});
  const auto nvcc = find_nvcc();
  for (const DoctorFinding& finding : parses(found, nvcc)) say(finding);
  for (const DoctorFinding& finding : sandbox()) say(finding);
  say(worker());
  if (!elsewhere.empty()) say(executor_elsewhere(elsewhere));
  say(store());
  say(timing());
  const ModelFindings models = find_models(project, tune);
  std::for_each(models.findings.begin(), models.findings.end(), say);
  for (const DoctorFinding& finding : probe ? probe_models(models.models) : std::vector<DoctorFinding>()) say(finding);
  say(describe(nvcc));
  if (nvcc) say(nvrtc(*nvcc));
  say(machine());
  say(cuda_device());
  say(profiler());
  return bad ? no : done;
}

}  // namespace hone::cli
