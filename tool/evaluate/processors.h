// Which processors time and which verify: a timing on its own is disturbed least.
#pragma once

#include <vector>

namespace hone::evaluate {

// Those that this process may run on.
std::vector<int> allowed_processors();
void run_this_thread_on(const std::vector<int>& processors);

// The last allowed one is for timing single-threaded kernels, the others for everything else (all, where there is but
// one).
int timing_processor(const std::vector<int>& allowed);
std::vector<int> working_processors(const std::vector<int>& allowed);

}  // namespace hone::evaluate
