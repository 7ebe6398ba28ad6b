// What kind of machine this is, as far as timings go: figures of two kinds are never compared with each other.
#pragma once

#include <string>

namespace hone::os {

// The processor's model and its features as the system has them: "AMD EPYC 9B14 (features 5f0c91d2)". Two machines of
// one model have different features where firmware or a hypervisor takes some away. No host name, no serial number.
std::string processor_kind();

// The same of what /proc/cpuinfo holds.
std::string processor_kind(const std::string& cpuinfo);

}  // namespace hone::os
