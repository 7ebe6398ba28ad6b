// ncu (NVIDIA Nsight Compute's command line): how it is called around a runner, and what its table says. It reads a
// device's counters of each kernel that is launched while the runner asks for it. Pure, but for looking for the
// program.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tool/model/launch_figures.h"

namespace hone::judge {

// On PATH or in the toolkit's usual places; nullopt: not installed.
std::optional<std::string> find_ncu();
// Where its parts may lie beside the system's folders.
std::vector<std::string> ncu_folders(const std::string& program);

// "Version 2025.3.1.0 (build 36398880)" of what `ncu --version` prints, or its first line.
std::string ncu_version(std::string_view said);

// By /proc/driver/nvidia/params: is reading counters a privilege?
bool are_counters_reserved(std::string_view parameters);

// What stands in front of the runner. The table goes to the file `table`, written when the runner has ended; of the
// kernels launched between cuProfilerStart() and cuProfilerStop() the first `most` are counted.
std::vector<std::string> ncu_command(const std::string& program, const std::string& table, unsigned most = 24);
inline constexpr const char* kNcuTable = "ncu.csv";  // in the runner's folder

// Of the table, which came by way of a folder that a candidate can write to: nullopt where it is none, or too large, or
// no launch in it has a time. The problem is left to the caller. Launches of one kernel and shape become one entry, at
// most 8 of these are kept.
std::optional<DeviceProfile> read_ncu(std::string_view table);

// Why there is no table, in a sentence's end: "ncu may not read the device's counters, …". `said`: all that it printed.
std::string why_ncu_failed(std::string_view said);

}  // namespace hone::judge
