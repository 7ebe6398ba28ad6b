// The request key: what the kernel means and for whom, hashed; nothing of where it stands or who builds it. Pure.
#pragma once

#include <string>
#include <vector>

#include "annotations/directive.h"
#include "tool/frontend/describe/closure.h"
#include "tool/frontend/find/reached_text.h"
#include "tool/frontend/parse/invocation.h"
#include "tool/frontend/parse/main_text.h"
#include "tool/model/kernel_spec.h"

namespace hone::frontend {

// Counts up whenever kernels that were judged before should be judged again.
inline constexpr const char* kKeySchema = "3";
inline constexpr const char* kVerifierVersion = "1";

std::string language_name(const TranslationUnit& unit);  // "c++17", "cuda gnu++17"
std::string target_name(const TranslationUnit& unit);    // "x86_64 avx avx2 …"

// "cuda compute_90 sm_90"; the processor's features behind it only where the command asks for some.
std::string device_target_name(const CudaTarget& cuda, const std::vector<std::string>& arguments,
                               const TranslationUnit& unit);

// Options, as far as they decide what a text means; `arguments`: the compile command's.
std::string flags_that_mean(const TranslationUnit& unit, const std::vector<std::string>& arguments);

// An annotated kernel as its file has it.
struct KernelText {
  const TranslationUnit& unit;
  const Outline& outline;
  const Closure& closure;
  int item;  // the kernel's definition in the outline
  const annotations::Directive& directive;
  const std::vector<ReachedText>& elsewhere;  // what other sources define of it
};

// What the kernel is compiled by, and for.
struct KernelBuild {
  const std::vector<std::string>& arguments;  // the compile command's
  const std::string& compiled_with;           // parse/compiled_with.h
  const CudaTarget* cuda;                     // null for a kernel of the processor's
};

// Fills spec.key, spec.key_dump and spec.key_fields, whose places in the main file have a line and no file yet.
// language, target and mangled_name must stand there.
void add_request_key(const KernelText& kernel, const KernelBuild& build, KernelSpec& spec);

// Lines of the main text become those of the user's files, by their absolute paths.
void place_key_fields(const MainText& main, KernelSpec& spec);

}  // namespace hone::frontend
