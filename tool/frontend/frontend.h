// The only door to Clang: from a compile command to annotated kernels, and from variants to a translation unit to
// compile.
//
// Never runs the compiler, never touches the network. Functions are thread-safe in that they share no state; one call
// parses one translation unit on the calling thread.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tool/base/result.h"
#include "tool/model/candidate.h"
#include "tool/command/compile_command.h"
#include "tool/model/kernel_spec.h"

namespace hone::frontend {

struct Options {
  std::string resource_dir;  // of Clang; "" for the one this build was made with
  // Fill KernelSpec::unit and the values of constant expressions (weights, tolerances, threads), which may take parses
  // of their own. Applying needs only the key and the placement: off, find_kernels() costs one parse.
  bool units = true;
};

// A mistake in an annotation, or a kernel that cannot be described: the user's to mend.
struct Diagnostic {
  std::string file;
  unsigned line = 0;
  unsigned column = 0;
  std::string message;   // one sentence, and what to do
  std::string rendered;  // "file:line:column: error: message\n<source line>\n   ^" as compilers print
  bool warning = false;  // an annotation that this version passes over; nothing needs to be mended
};

// Where a kernel's definition stands in its file; what the rewriter replaces. A template's instance: behind it.
struct Placement {
  std::string file;                       // as Clang opened it (the spelling in the command for the main file)
  std::size_t begin = 0, end = 0;         // byte range of the definition; empty for a template's instance
  unsigned begin_line = 0, end_line = 0;  // of that range, 1-based
  std::size_t includes_at = 0;  // byte offset where a variant's includes go: in front of the outermost namespace
  unsigned includes_line = 0;
};

// A launch in the kernel's file, `scale<<<…>>>(…)`, in bytes of it.
struct LaunchSite {
  std::size_t name_begin = 0, name_end = 0;    // of the kernel's name, qualified or not
  std::size_t chevrons = 0, end_chevrons = 0;  // where <<< and >>> stand
};

// What a variant that brings launches of its own needs in its file.
struct LaunchSites {
  std::vector<LaunchSite> sites;
  std::string starter;  // takes the kernel's name's place at each: "::app::hone_start_scale_0123abcd"
  std::string glue;     // defines it, behind the variant
};

// Where another function can be called in place of a CUDA file's function: first of all in its body.
struct Entrance {
  std::string name;       // of the function, not qualified
  std::size_t at = 0;     // behind the brace of a host function's body
  std::string arguments;  // that hand its parameters on: "x, n"
  std::string why_not;    // a sentence where it cannot be done; "" where it can
};

// What asks whether fixed scalars have the values of one of the problems, where variants rely on that.
struct Guard {
  std::string definition;  // of the function that is asked; "" where no scalar is fixed
  std::string question;    // its name
  std::string arguments;   // what it is asked about: "alpha, beta"
  std::string variant;     // the name that a variant's function has beside the kernel's
};

struct FoundKernel {
  KernelSpec spec;
  Placement placement;
  LaunchSites launches;  // of a __global__ kernel whose variants may bring their own
  Entrance entrance;     // of a kernel that works on a device, or has fixed scalars
  Guard guard;           // of a kernel with fixed scalars
};

struct FoundKernels {
  std::vector<FoundKernel> kernels;
  std::vector<Diagnostic> diagnostics;  // of annotations
};

// Quick look at text, no Clang: could this file hold an annotation? False positives are allowed, false negatives are
// not.
bool mentions_hone(std::string_view text);

// Parses the translation unit and describes each annotated kernel in its main file; those in the user's headers each
// get a warning. Error: Clang cannot parse it (the first compiler error is in `what`), or the file or command is
// unusable.
Result<FoundKernels> find_kernels(const CompileCommand& command, const Options& options);

// Checks the clause expressions by letting Clang compile the unit with its harness; the diagnostics stand at the
// pragma.
std::vector<Diagnostic> check_unit(const KernelSpec& spec, const CompileCommand& command, const Options& options);

// Lines in front of a byte of a file.
struct Insertion {
  std::size_t at = 0;
  std::string lines;
};

// The main file's text with each named kernel (by request key) replaced by its variant. `display` names the variant in
// #line ("hone/cas/<digest>"). Everything else keeps its line numbers and file name.
struct Replacement {
  Placement placement;
  std::string variant;
  std::string display;
  LaunchSites launches{};           // to be rewritten: the variant has what starts them
  std::vector<Insertion> beside{};  // not empty: what goes in beside the original, which stays
};
std::string rewrite(const std::string& original, const std::string& original_name,
                    std::vector<Replacement> replacements);

// Does the variant define what is called in place of the kernel's launches?
bool brings_launch(const KernelSpec& spec, const std::string& variant);

// Can it go into the kernel's file as that stands? "", or why its launches cannot take the place of the file's.
std::string why_not_here(const KernelSpec& spec, const std::string& variant);

// The variant as it goes into this file in the kernel's place: with what starts it, where it brings launches of its
// own. Error: it does, and the file's launches cannot be found or rewritten (any more).
Result<Replacement> replacement(const FoundKernel& kernel, std::string variant, std::string display);

// Lines around text in which no compiler is to warn.
struct Silence {
  std::string begin, end;
};
// The variant of a kernel with fixed scalars, beside the original, which runs where they have other values. Error: why
// it cannot be put there so.
Result<Replacement> guarded_replacement(const FoundKernel& kernel, const std::string& variant,
                                        const std::string& display, const Silence& silence);
// Includes and definitions that stand in the kernel's place then; `original` is the kernel's own definition.
Result<std::string> guarded_source(const FoundKernel& kernel, const std::string& variant, const std::string& original);

// A variant, and the family of architectures that it was measured on (base/cuda_architecture.h).
struct FamilyVariant {
  unsigned family = 0;
  std::string variant;
  std::string display;
};
// The same for a file that is compiled for several families of architectures: each variant's code for its own family,
// the original's for all others. Error: why the kernel's variants cannot be put there so.
Result<Replacement> replacement_by_family(const FoundKernel& kernel, const std::vector<FamilyVariant>& variants,
                                          const Silence& silence);

// What Clang says of a main file's text under the command, its first error, or "": a variant that is right in its unit
// may still clash with a name elsewhere in the file, so ask this of a rewritten text before locking the variant.
// Warnings do not count, nor errors that the file on disk has at the same place already (a second parse, only then).
std::string first_error(const CompileCommand& command, const std::string& main_text, const Options& options);

// Fingerprint of a candidate: canonical tokens, so that layout, comments and nothing else are ignored.
std::string fingerprint(const std::string& source);

// Clang's look at a candidate before it is compiled: parses, defines exactly the kernel, refers to nothing forbidden.
// Returns "" or the reason (with <candidate>:line).
std::string gate(const KernelSpec& spec, const std::string& candidate, const CompileCommand& command,
                 const Options& options);

// The same for many candidates of one kernel: what stands in front of the kernel is parsed once. One thread at a time.
class Gate {
 public:
  static Result<Gate> open(const KernelSpec& spec, const CompileCommand& command, const Options& options);
  Gate(Gate&&) noexcept;
  Gate& operator=(Gate&&) noexcept;
  ~Gate();
  std::string check(const std::string& candidate);  // "" or the reason

 private:
  struct State;
  explicit Gate(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace hone::frontend
