// Where a parsed candidate's own lines are, and which of its functions is the kernel. Pure.
#pragma once

#include <clang/Basic/SourceLocation.h>

#include <vector>

#include "tool/frontend/parse/parse.h"
#include "tool/model/kernel_spec.h"

namespace clang {
class FunctionDecl;
class NamedDecl;
class SourceManager;
}  // namespace clang

namespace hone::frontend {

// Does it stand in the candidate's text, where a macro is used rather than where it is defined?
bool in_candidate(const clang::SourceManager& sources, clang::SourceLocation location);

// From 1; also 1 for what stands nowhere.
unsigned candidate_line(const clang::SourceManager& sources, clang::SourceLocation location);

// Functions with bodies, of templates their instances: those in the candidate's text, or all that are no system's.
enum class Whose { candidate, user };
std::vector<const clang::FunctionDecl*> functions_of(const Parsed& parsed, Whose whose);

// By name and signature; neither a template nor an instance of one.
bool is_kernel(const clang::NamedDecl& declaration, const KernelSpec& spec);

}  // namespace hone::frontend
