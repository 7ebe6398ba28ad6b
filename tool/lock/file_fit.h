// Is a variant that is right by itself the same in its whole file, and the file around it, too? A helper of its may
// clash with a name elsewhere there, or with a helper of another kernel's variant; and what it is in the file is what
// the build will compile (frontend/whole/whole_file_check.h).
#pragma once

#include <optional>
#include <string>

#include "tool/base/result.h"
#include "tool/frontend/parse/clang_options.h"
#include "tool/model/kernel_spec.h"
#include "tool/model/verdict.h"
#include "tool/project/project.h"

namespace hone::lock {

// The first thing that is wrong with the variant in place, beside the variants that the lock file names for the file's
// other kernels; "" where there is none.
std::string misfit(const project::ProjectUnit& unit, const KernelSpec& spec, const std::string& variant,
                   const frontend::Options& options);

// The same as a verdict; nullopt: it fits.
std::optional<Verdict> refused_in_file(const project::ProjectUnit& unit, const KernelSpec& spec,
                                       const std::string& variant, const frontend::Options& options);

// The text of the kernel's file as the project's build compiles it once the variant is locked as measured on
// `architecture` ("sm_90"), beside what the lock file names for other families of architectures and other kernels.
// Directives place the variant in a file named "candidate". Error: it cannot be put there.
Result<std::string> applied_text(const project::ProjectUnit& unit, const KernelSpec& spec, const std::string& variant,
                                 const std::string& architecture, const frontend::Options& options);

}  // namespace hone::lock
