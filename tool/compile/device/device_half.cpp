#include "tool/compile/device/device_half.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tool/command/nvrtc_words.h"
#include "tool/compile/device/nvrtc_text.h"
#include "tool/compile/device/standard_headers.h"
#include "tool/compile/unit/compile_folder.h"
#include "tool/compile/unit/compile_words.h"
#include "tool/compile/unit/frozen_text.h"
#include "tool/os/files/scratch_file.h"
#include "tool/os/process/environment.h"

namespace hone::compile {
namespace fs = std::filesystem;
namespace {

// NVRTC's word for: functions without a word of CUDA's are the device's too. Else it refuses each, the host's also.
constexpr const char* default_device = "--device-as-default-execution-space";
// The name with which a variant's own launches begin: the host's half of the original would not call them.
constexpr std::string_view own_launch = "hone_launch_";
constexpr const char* precompiled_name = "headers.pch";

}  // namespace

std::unique_ptr<DeviceHalf> DeviceHalf::open(os::ProcessRunner& runner, const CompileSetup& setup,
                                             const FrozenUnit& unit, const std::string& original,
                                             const std::string& architecture, std::stop_token stop) {
  if (!unit.device_closing || !setup.toolchain.nvcc || links_device_code(setup.flags.unit)) return nullptr;
  std::optional<HostHalf> host = HostHalf::of(original);
  if (!host) return nullptr;
  std::unique_ptr<DeviceHalf> half(new DeviceHalf(runner, setup, unit, std::move(*host)));
  return half->take_nvrtc(architecture, stop) || half->takes_the_original(stop) ? std::move(half) : nullptr;
}

// Whether it can be NVRTC.
bool DeviceHalf::take_nvrtc(const std::string& architecture, std::stop_token stop) {
  Nvrtc nvrtc{.programs = find_nvrtc(setup_.toolchain)};
  auto words = nvrtc_words(setup_.flags.unit);
  why_not_nvrtc_ = words ? "a part of it is not installed" : "it has no words for the compile's flags";
  if (!nvrtc.programs.complete() || !words) return false;
  keep_images_for(architecture, *words);
  nvrtc.images = fmt::format("{}", fmt::join(words->images, ","));
  nvrtc.options = {"-w", "-lineinfo"};
  append(nvrtc.options, words->options);
  if (const auto laid_out = lay_out_headers(nvrtc); !laid_out) {
    why_not_nvrtc_ = laid_out.error().message();
    return false;
  }
  for (const char* more : {"", default_device}) {
    nvrtc_ = nvrtc;
    if (*more != '\0') nvrtc_->options.emplace_back(more);
    if (takes_the_original(stop)) {
      why_not_nvrtc_.clear();
      return true;
    }
  }
  nvrtc_.reset();
  return false;
}

// Compiles the original. Also finds what a candidate has to define, and keeps the headers as they were precompiled.
bool DeviceHalf::takes_the_original(std::stop_token stop) {
  const bool precompile = nvrtc_ && includes_first(unit_);
  auto built = build(unit_.definition, stop, {}, precompile ? Headers::precompile : Headers::as_they_are);
  if (!built || built->images.empty() || !host_.with(built->images)) {
    if (nvrtc_)
      why_not_nvrtc_ = "it does not compile the original: " + (built ? built->report : built.error().message());
    return false;
  }
  names_.clear();
  bool launched = false;
  for (auto& [name, kernel] : device_names(built->images)) {
    const bool named = host_.names(name);
    if (kernel && !named) return false;  // the host knows it under another name
    launched |= kernel;
    if (named) names_.insert(std::move(name));
  }
  if (precompile && keep_precompiled(*built)) nvrtc_->precompiled = true;
  return launched;
}

// Puts what a unit includes into a folder that outlives each compile: precompiled headers are good for files that did
// not change.
Result<void> DeviceHalf::lay_out_headers(Nvrtc& nvrtc) {
  HONE_TRY(headers_, os::TemporaryFolder::create("hone-headers"));
  const fs::path folder = headers_->path();
  HONE_CHECK(write_headers(unit_.headers, folder));
  HeaderTree standard;
  standard.headers = standard_headers();
  for (HeaderTree::Header& header : standard.headers) header.path = "standard/" + header.path;
  standard.unit = "standard/unit";
  HONE_CHECK(write_headers(standard, folder));
  std::error_code error;
  fs::permissions(folder, fs::perms(0755), error);
  for (const auto& entry : fs::recursive_directory_iterator(folder, error))
    fs::permissions(entry.path(), entry.is_directory() ? fs::perms(0755) : fs::perms(0644), error);
  if (error) return failure("cannot show headers to the sandbox: " + error.message(), folder.string());

  // The source's own folder is searched first, as for an #include with quotes.
  nvrtc.options.push_back("--include-path=" + (folder / unit_path(unit_)).parent_path().string());
  for (const HeaderFlag& flag : unit_.headers.flags) {
    const auto word = nvrtc_header_word(flag, (folder / flag.path).string());
    if (!word) return failure("NVRTC has no such way of finding headers", flag.flag);
    nvrtc.options.push_back(*word);
  }
  nvrtc.options.push_back("--pre-include=" + (folder / "standard" / first_header).string());
  const fs::path toolkit = toolkit_of(setup_.toolchain);
  for (const fs::path& place : {folder / "standard", toolkit / "include", toolkit / "include/cccl"})
    nvrtc.options.push_back("--include-path=" + place.string());
  return {};
}

// Out of the compile's folder, which is the sandbox's.
Result<void> DeviceHalf::keep_precompiled(const Build& build) {
  bool found = false;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(build.folder.path(), error)) {
    const fs::path name = entry.path().filename();
    if (!name.string().starts_with(precompiled_name)) continue;
    if (!entry.is_regular_file() || entry.is_symlink() || entry.hard_link_count() != 1)
      return failure("what should be precompiled headers is no plain file", entry.path().string());
    HONE_CHECK(keep_for_reading(entry.path()));
    fs::rename(entry.path(), headers_->path() / name, error);
    if (error) return failure("cannot keep precompiled headers: " + error.message(), entry.path().string());
    found = true;
  }
  if (!found) return failure("NVRTC left no precompiled headers");
  return {};
}

Result<DeviceHalf::Build> DeviceHalf::build(const std::string& source, std::stop_token stop,
                                            const std::vector<std::string>& more, Headers headers) const {
  return nvrtc_ ? build_with_nvrtc(source, stop, more, headers) : build_with_nvcc(source, stop, more);
}

// Takes a compile's images and gives their functions the names that the host's half knows.
Result<void> DeviceHalf::take_images(Build& build) const {
  HONE_TRY(build.images, read_object(build.folder.path() / "unit.fatbin"));
  if (!change_mark(build.images, host_.mark())) build.images.clear();
  return {};
}

Result<DeviceHalf::Build> DeviceHalf::build_with_nvrtc(const std::string& source, std::stop_token stop,
                                                       const std::vector<std::string>& more, Headers headers) const {
  HONE_TRY(os::TemporaryFolder folder, folder_for_sandbox());
  HONE_CHECK(os::write_scratch_file(folder.path() / "unit.cu", device_text(unit_, source, host_.mark())));
  os::Process process = compile_process(setup_, nvrtc_->programs.program, folder.path(), stop);
  const std::string headers_word = headers == Headers::precompile ? fmt::format("create={}", precompiled_name)
                                   : nvrtc_->precompiled
                                       ? fmt::format("use={}", (headers_->path() / precompiled_name).string())
                                       : "-";
  append(process.arguments, {nvrtc_->programs.library, nvrtc_->programs.fatbinary, "unit.cu", "unit.fatbin",
                             nvrtc_->images, headers_word});
  append(process.arguments, nvrtc_->options);
  append(process.arguments, more);
  process.sandbox->readable.push_back(headers_->path());
  process.sandbox->fixed_addresses = true;  // else precompiled headers are of no use to it
  HONE_TRY(os::Exit exit, runner_.run(process));
  if (exit.canceled) return failure("the compile was stopped");
  Build build{std::move(folder), std::move(exit.err), {}};
  if (exit.ok()) HONE_CHECK(take_images(build));
  return build;
}

Result<DeviceHalf::Build> DeviceHalf::build_with_nvcc(const std::string& source, std::stop_token stop,
                                                      const std::vector<std::string>& more) const {
  HONE_TRY(os::TemporaryFolder folder, lay_out_text(unit_, text_to_compile(unit_, source), source));
  os::Process process = compile_process(setup_, setup_.toolchain.program, folder.path(), stop);
  append(process.arguments, setup_.flags.unit);
  append(process.arguments, words_for_device_code(setup_.toolchain, unit_, more));
  HONE_TRY(os::Exit exit, runner_.run(process));
  if (exit.canceled) return failure("the compile was stopped");
  Build build{std::move(folder), std::move(exit.err), {}};
  if (exit.ok()) HONE_CHECK(take_images(build));
  return build;
}

Result<std::optional<std::string>> DeviceHalf::compile(const std::string& source, std::stop_token stop) const {
  if (source.find(own_launch) != std::string::npos) return std::optional<std::string>();
  HONE_TRY(const Build built, build(source, stop));
  std::optional<std::string> object = host_.with(built.images);
  if (!object) return object;
  std::set<std::string> defined;
  for (auto& [name, kernel] : device_names(built.images)) defined.insert(std::move(name));
  return std::ranges::includes(defined, names_) ? std::move(object) : std::nullopt;
}

Result<std::optional<Explanation>> DeviceHalf::explain(const std::string& source, std::stop_token stop) const {
  if (source.find(own_launch) != std::string::npos) return std::optional<Explanation>();
  HONE_TRY(Build built, build(source, stop, {nvrtc_ ? "--ptxas-options=-v" : "-Xptxas=-v"}));
  if (built.images.empty()) return std::optional<Explanation>();
  return explain_device_code(runner_, setup_, built.folder.path(), std::move(built.report), stop);
}

}  // namespace hone::compile
