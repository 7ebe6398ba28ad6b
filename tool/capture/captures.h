// Real problems and real inputs of annotated functions, from runs of the user's program, in a folder that the user
// chooses (hone/captures beside the lock file unless told otherwise).
//
//   kernels/<sha256 of the kernel's mangled name>.json
//                {"kernel", "other_calls", "problems": [{"calls", "nanoseconds", "scalars": [{"name", "kind", "size",
//                "bytes"}], "inputs": [{"x": {"kind", "size", "count", "digest"}}]}]}; scalars' bytes in hex, problems
//                by falling time, or calls where no time is known; a scalar that is no size is an input of one element
//   cas/<sha256 of the bytes>.zst   an array's bytes, by zstd
//   .gitignore                      keeps all of it out of commits, until the user removes it
//
// No paths, hosts, users or times of day are in it; equal arrays are kept once. A later capture adds to an earlier one.
// What is damaged is left out. One process writes at a time.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tool/base/result.h"
#include "tool/capture/recording_reader.h"

namespace hone::capture {

struct CapturedArray {
  ScalarKind kind = ScalarKind::floating;
  unsigned size = 0;
  std::uint64_t count = 0;
  std::string digest;
  bool operator==(const CapturedArray&) const = default;
};

struct CapturedProblem {
  std::uint64_t calls = 0;
  std::uint64_t nanoseconds = 0;  // of all calls; 0: unknown, as on a device
  std::vector<CapturedValue> scalars;
  std::vector<std::map<std::string, CapturedArray>> inputs;  // by parameter
};

struct CapturedKernel {
  std::string name;               // mangled
  std::uint64_t other_calls = 0;  // of problems that were not told apart
  std::vector<CapturedProblem> problems;
  std::uint64_t calls() const;
};

struct CaptureLimits {
  std::size_t problems = 64;                       // of a kernel, those of most calls
  std::size_t inputs = 8;                          // of a problem
  std::uint64_t bytes = std::uint64_t{256} << 20;  // of a kernel's arrays, uncompressed
};

// Where the captures of a project lie whose lock file is this one.
std::filesystem::path folder_beside(const std::filesystem::path& lock);

// Adds what processes recorded to the folder. The kernels that the recordings hold, as the folder has them now.
Result<std::vector<CapturedKernel>> add_captures(const std::filesystem::path& folder,
                                                 const std::vector<CapturedCall>& calls,
                                                 const CaptureLimits& limits = {});

// As if nothing had been captured of it; its arrays go with the next capture.
void remove_captures(const std::filesystem::path& folder, const std::string& kernel);

// Nothing was captured of it: no problems.
CapturedKernel read_captures(const std::filesystem::path& folder, const std::string& kernel);

// Error: it is not there, or is not what its name says.
Result<std::string> read_array(const std::filesystem::path& folder, const CapturedArray& array);

// What counts for a problem: the program's time in it, else its calls.
double share_of(const CapturedKernel& kernel, const CapturedProblem& problem);

// A scalar as a number. Nothing where it is none that C++ can write: an infinity, a NaN, a long double.
std::optional<std::string> text_of(const CapturedValue& scalar);

// "n=641 k=0.5"
std::string label_of(const CapturedProblem& problem);

}  // namespace hone::capture
