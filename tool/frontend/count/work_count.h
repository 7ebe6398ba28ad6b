// How much work one call of a kernel is: the arithmetic that the original writes down and the bytes that it must move,
// as formulas over the kernel's integer parameters. For prompts and for the roofline, never for a verdict.
//
// Operations: every addition, multiplication, division, comparison, call of a mathematical function … counts 1 (an fma
// 2, a vector's once per lane), times the trips of the loops around it. Loops must count with a fixed step between
// affine bounds, of outer counters too (triangles are summed exactly; a remainder of a longer step is taken as a
// fraction of a trip). Left out are loop headers, subscripts and pointers, negations, conversions, and what the
// compiler knows as a constant. Of a branch the costlier side is always taken, && and || look at both sides, and
// leaving a loop early never happens. Functions are followed where their bodies are visible. Bytes: the clauses'
// extents, in and out once and inout twice: what a cache that holds everything would move.
//
// What cannot be derived is unknown and says why; nothing is guessed. Costs one parse of the unit, on the calling
// thread.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tool/command/compile_command.h"
#include "tool/frontend/count/polynomial.h"
#include "tool/frontend/parse/clang_options.h"
#include "tool/model/kernel_spec.h"

namespace hone::frontend {

struct WorkCount {
  struct Kind {
    std::string name;  // "add", "multiply", "divide", "compare", "bits", "sqrt", "exp", …
    bool floating = false;
    Polynomial count;  // over the indices of `scalars`
  };

  std::vector<std::string> scalars;  // the parameters' names, by index
  std::vector<Kind> kinds;           // none has the count 0; all where the operations are known
  std::string unknown_operations;    // why they are not known: "the loop at line 12 …"; else ""
  Polynomial data;                   // bytes
  std::string unknown_bytes;         // why they are not known, else ""

  bool has_floating() const;
  // The floating ones; of a kernel that has none, those on integers (outside of subscripts and loop headers).
  Polynomial total() const;

  // For a problem's scalars. NaN: unknown, or a scalar that the formula needs is missing.
  double operations(const std::map<std::string, double>& values) const;
  double bytes(const std::map<std::string, double>& values) const;

  // "2*m*n*k flops, 4*(m*n + m*k + n*k) bytes"; "unknown operations (why), …"
  std::string text() const;
  // "m*n*k add, m*n*k multiply", integers' with " (integer)" behind.
  std::string text_by_kind() const;
};

// Without a value where Clang cannot parse the unit, and for kernels on a CUDA device.
std::optional<WorkCount> count_work(const KernelSpec& spec, const CompileCommand& command, const Options& options);

// The values in the label of a measured problem, "w=640 h=480".
std::map<std::string, double> scalar_values(std::string_view label);

}  // namespace hone::frontend
