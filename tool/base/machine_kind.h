// What kind of machine figures are of: a model that many machines share, never one machine's own name.
//
//   "AMD EPYC 9V74", "Intel Xeon Platinum 8480C"      a processor's model, without clock, cores and trade marks
//   "AMD EPYC, family 25 model 1"                     where it names no model, as behind many hypervisors
//   "NVIDIA H200 (sm_90)"                             a CUDA device, with its architecture
//
// No host, address, serial number or date is in it, so that it may be committed. Asks the processor, and /proc/cpuinfo
// only where there is no such instruction. Thread-safe.
#pragma once

#include <string>
#include <string_view>

namespace hone {

// Of the processor that this runs on; asked once.
const std::string& processor_kind();

// "NVIDIA H200", "sm_90" → "NVIDIA H200 (sm_90)".
std::string device_kind(std::string_view name, std::string_view architecture);
// "sm_90" of such a one; "": a processor's kind.
std::string architecture_of_kind(std::string_view kind);

// A kind as a person may write it, or copy it from elsewhere ("AMD EPYC 9V74 80-Core Processor"), as Hone does.
std::string tidy_kind(std::string_view name);
// Is it as Hone writes them: tidy, printable, of 3 to 100 bytes, with nothing in it that a path or an address has?
bool is_machine_kind(std::string_view text);

// For tests. `brand` is what the processor calls itself, `cpuinfo` the text of /proc/cpuinfo.
std::string kind_of_processor(std::string_view brand, unsigned family, unsigned model);
std::string kind_in(std::string_view cpuinfo);

}  // namespace hone
