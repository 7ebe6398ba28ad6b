// What the linker would look for in other sources: functions and constants that code of a unit needs, and that are only
// declared there. Pure.
#pragma once

#include <utility>
#include <vector>

namespace clang {
class FunctionDecl;
class NamedDecl;
}  // namespace clang

namespace hone::frontend {

// By what: code that stands in the unit and may never run, code that a workload runs, the kernel.
enum class Need { emitted, run, computed };

struct NeededDefinition {
  const clang::NamedDecl* declaration;  // canonical
  Need need;
};

// Each once, by its strongest need. `roots` are definitions, of functions and variables. Followed is what they call,
// the destructors of what they make, and the virtual functions of classes whose tables stand in the unit.
std::vector<NeededDefinition> needed_definitions(std::vector<std::pair<const clang::NamedDecl*, Need>> roots);

}  // namespace hone::frontend
