// What Slurm says of jobs, in words of ours: why one was refused, why one waits, how one ended.
//
// srun and slurmstepd say it in sentences on their standard error, and squeue in names of reasons. Names of limits are
// kept, since a site's pages and its administrators use them. Words that are not known mean nothing.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "tool/executor/worker_source.h"

namespace hone::executor {

// Of srun's standard error.
Meaning meaning_of_srun(std::string_view words);
// Whether that says that no node fits what was asked for: then it helps to know what nodes there are.
bool is_about_nodes(std::string_view words);

// Of squeue's reason ("PartitionTimeLimit"), as a subordinate remark. "": the reason says enough, or is not known.
std::string_view meaning_of_pending(std::string_view reason);

// "1-02:03:04", "03:04", "UNLIMITED", as squeue prints times. nullopt: none, or no time.
std::optional<std::chrono::seconds> read_slurm_time(std::string_view text);

}  // namespace hone::executor
