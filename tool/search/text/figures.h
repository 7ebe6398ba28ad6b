// Figures as prompts show them: fixed precision, no locale, so that the same trials give the same bytes.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "tool/model/verdict.h"

namespace hone::search {

std::string seconds_text(double seconds);                         // "1.23 ms"
std::string bytes_text(double bytes);                             // "8.29 MB"; decimal, as bandwidths are
std::string cache_text(double bytes);                             // "32 KiB"
std::string rate_text(double per_second, std::string_view unit);  // "12.3 GB/s"
std::string ratio_text(double ratio);                             // "2.31x"
std::string percent_text(double share);                           // "42%"

// The ratio that a model writes as "1.8x", "~1.8", "about 2 times": its first number. nullopt: none above zero.
std::optional<double> parse_ratio(std::string_view text);

// "2.31x as fast as the original (2.28x to 2.34x)"
std::string speedup_text(const Speedup& speedup);
// A line each: "- w=1920 h=1080: 2.31x (1.23 ms, the original 2.84 ms)"
std::string problems_text(const Measurement& measurement);

}  // namespace hone::search
