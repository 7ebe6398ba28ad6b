// Compiles candidates of a __global__ kernel by their device code alone.
//
// The host's half of their objects (the harness that launches, CUDA's runtime) is that of the original's object, byte
// for byte: what takes nvcc the longest is done once. The device's half is compiled with NVRTC where NVRTC takes the
// original, else by nvcc's passes for the device; which, is found out once, with the original's own text. For trials:
// what is measured for a record, and locked, is compiled by nvcc whole (compiler.h). A candidate that is refused here
// is no verdict: whether it compiles says nvcc, in its words.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include "tool/base/result.h"
#include "tool/compile/device/host_half.h"
#include "tool/compile/device/nvrtc_programs.h"
#include "tool/compile/toolchain/compile_process.h"
#include "tool/compile/toolchain/compiler_report.h"
#include "tool/compile/unit/frozen_unit.h"
#include "tool/os/files/files.h"
#include "tool/os/process/process_runner.h"

namespace hone::compile {

class DeviceHalf {
 public:
  // nullptr: this unit cannot be compiled so. `original`: the object that nvcc made of it. `architecture`: of the
  // devices that it is for ("sm_90"), where that is known; others' images are then left out. The rest is borrowed.
  static std::unique_ptr<DeviceHalf> open(os::ProcessRunner& runner, const CompileSetup& setup, const FrozenUnit& unit,
                                          const std::string& original, const std::string& architecture = {},
                                          std::stop_token stop = {});

  // The object. nullopt: nvcc has to be asked, as it brings launches of its own or does not compile. Sandboxed;
  // thread-safe. Error: the compiler cannot be run, or `stop` was requested.
  Result<std::optional<std::string>> compile(const std::string& source, std::stop_token stop = {}) const;

  // Explains `source`, compiled as compile() compiles it.
  Result<std::optional<Explanation>> explain(const std::string& source, std::stop_token stop = {}) const;

  bool is_nvrtc() const { return nvrtc_.has_value(); }
  // Why NVRTC is not used; "" where it is.
  const std::string& why_not_nvrtc() const { return why_not_nvrtc_; }

 private:
  // How NVRTC is started.
  struct Nvrtc {
    NvrtcPrograms programs;
    std::string images;
    std::vector<std::string> options;
    bool precompiled = false;  // the headers
  };
  // What a compile left: the images, in a folder that is still there.
  struct Build {
    os::TemporaryFolder folder;
    std::string report;
    std::string images;  // "": it does not compile, or to what the host's half cannot name
  };
  DeviceHalf(os::ProcessRunner& runner, const CompileSetup& setup, const FrozenUnit& unit, HostHalf host)
      : runner_(runner), setup_(setup), unit_(unit), host_(std::move(host)) {}

  bool take_nvrtc(const std::string& architecture, std::stop_token stop);
  bool takes_the_original(std::stop_token stop);
  Result<void> lay_out_headers(Nvrtc& nvrtc);
  Result<void> keep_precompiled(const Build& build);

  enum class Headers { as_they_are, precompile };
  Result<Build> build(const std::string& source, std::stop_token stop, const std::vector<std::string>& more = {},
                      Headers headers = Headers::as_they_are) const;
  Result<Build> build_with_nvrtc(const std::string& source, std::stop_token stop, const std::vector<std::string>& more,
                                 Headers headers) const;
  Result<void> take_images(Build& build) const;
  Result<Build> build_with_nvcc(const std::string& source, std::stop_token stop,
                                const std::vector<std::string>& more) const;

  os::ProcessRunner& runner_;
  const CompileSetup& setup_;
  const FrozenUnit& unit_;
  HostHalf host_;
  std::optional<Nvrtc> nvrtc_;
  std::string why_not_nvrtc_;
  std::optional<os::TemporaryFolder> headers_;  // what NVRTC includes, to be read by all compiles
  std::set<std::string> names_;                 // that the host's half names, and each candidate must define
};

}  // namespace hone::compile
