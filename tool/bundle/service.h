// What passes between a sender and a worker that stays (`hone-worker --serve`): many bundles over one pair of streams,
// one after the other.
//
// Whatever carries the streams (srun, ssh) may put text of its own in front, lose the connection without a word, or
// stop one of the two programs. So the worker begins with a hello, each side sends a pulse while it has nothing to say,
// and who hears nothing for `longest_silence` takes the other for lost. An answer names its bundle; one that names
// another is as good as none.
//
//     sender → worker   "bundle <bytes> <fingerprint>\n" and the bundle; "\n", a pulse
//     worker → sender   lines: the hello; answers (answer.h), or {"bundle": fingerprint, "error": "…"}; "", a pulse
//
// The end of the worker's input ends the worker, whatever it is at: nobody waits for the verdict. Pure.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tool/base/result.h"

namespace hone::bundle {

inline constexpr std::chrono::seconds pulse_interval{5};
inline constexpr std::chrono::seconds longest_silence{60};
inline constexpr std::size_t largest_bundle = std::size_t{4} << 30;
inline constexpr std::size_t longest_answer = std::size_t{64} << 20;  // far above any verdict

// Who will judge. Nothing of it is written down but the kind.
struct Hello {
  std::string processor;             // base/machine_kind.h
  std::vector<std::string> devices;  // cuda::cuda_devices(): "NVIDIA H200 (sm_90)"
  std::string job, node;             // of a batch system, for those who have to cancel it; "": of none

  // What a kernel's verdicts are compared within: the device's kind for CUDA, else the processor's.
  std::string kind(bool cuda) const;
};

std::string write_hello(const Hello& hello);             // one line, with its end
std::optional<Hello> read_hello(std::string_view line);  // nullopt: another program's words

std::string frame_header(std::string_view bundle_bytes);
struct FrameHeader {
  std::size_t bytes = 0;
  std::string fingerprint;
};
// Error: no header of a bundle.
Result<FrameHeader> read_frame_header(std::string_view line);

// That the worker's machine failed, not the candidate.
std::string write_refusal(const std::string& fingerprint, const std::string& why);
// The reason, where a line says that; else nullopt.
std::optional<std::string> read_refusal(std::string_view line, const std::string& fingerprint);

// Whether a line is to that bundle, before anything else of it is read.
bool answers(std::string_view line, const std::string& fingerprint);

}  // namespace hone::bundle
