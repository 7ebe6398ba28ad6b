// Closes a child's descriptors, where the kernel has no close_range(2) (before 5.9, 5.11 for its flag) and where a
// container's profile refuses it, too. System calls only: called between fork and exec.
#pragma once

namespace hone::os {

// From `first` to `last`, both included.
void close_descriptors(unsigned first, unsigned last) noexcept;
void close_descriptors_at_exec(unsigned first, unsigned last) noexcept;

inline constexpr unsigned last_descriptor = ~0U;

}  // namespace hone::os
