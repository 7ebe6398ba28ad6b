// ncu's table, which a candidate could have written, and what it said beside it.
#include <cmath>

#include "tests/fuzz/fuzz.h"
#include "tool/judge/count/ncu.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using hone::fuzz::require;
  using namespace hone;
  using namespace hone::judge;
  const std::string_view text = hone::fuzz::text_of(data, size);
  hone::fuzz::require_printable(why_ncu_failed(text), "what is said is printable");
  (void)are_counters_reserved(text);
  hone::fuzz::require_printable(ncu_version(text), "a version is printable");
  const auto profile = read_ncu(text);
  if (!profile) return 0;
  require(!profile->kernels.empty() && profile->kernels.size() <= profile->launches, "kernels come of launches");
  require(profile->seconds > 0, "launches take time");
  for (const hone::LaunchCounters& kernel : profile->kernels) {
    require(kernel.seconds > 0 && kernel.total_seconds >= kernel.seconds, "a sum is no less than its part");
    hone::fuzz::require_printable(kernel.kernel, "names are printable");
    for (const LaunchFigure& figure : launch_figures())
      if (const auto& value = kernel.*figure.value)
        require(std::isfinite(*value) && *value >= 0, "figures are figures");
  }
  return 0;
}
