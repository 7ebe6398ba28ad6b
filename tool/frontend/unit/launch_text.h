// What stands in place of a __global__ kernel's launches where a variant brings launches of its own.
//
//   scale<<<grid, block>>>(x, n);   becomes   ::hone_start_scale_0123abcd(grid, block)(x, n);
//
// It compares the launch with what the annotation says for these arguments, since that is what the variant was judged
// as: if they are the same, the variant's function is called, else the original kernel is launched as the program says.
// Arguments are evaluated once, in the same order, and converted as in a launch; errors are CUDA's own. Pure.
#pragma once

#include <string>
#include <string_view>

#include "tool/frontend/describe/description.h"
#include "tool/frontend/describe/placement.h"

namespace clang {
class FunctionDecl;
}

namespace hone::frontend {

// What a variant calls the function that launches in place of the kernel's launches: "hone_launch_scale".
inline constexpr std::string_view kOwnLaunchPrefix = "hone_launch_";
std::string own_launch_name(const clang::FunctionDecl& kernel);

// That hand a function's parameters on: "x, n"; those without a name have one in what is written here.
std::string arguments_of(const clang::FunctionDecl& function);

// `why_not` as find_launches() gives it.
OwnLaunch own_launch_of(const clang::FunctionDecl& kernel, const annotations::Launch& launch,
                        const std::string& why_not);

// What goes behind a variant of `kernel`, and by which name it is called. `key`: the kernel's, for a name that no other
// kernel's has.
LaunchSites starter_of(const clang::FunctionDecl& kernel, const annotations::Launch& launch, const std::string& key);

}  // namespace hone::frontend
