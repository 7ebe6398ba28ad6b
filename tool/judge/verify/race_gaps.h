// What ThreadSanitizer cannot follow in an object that was built for it.
//
// ThreadSanitizer sees atomics, mutexes, condition variables, futures and the threads of pthreads and the standard
// library by itself, LLVM's OpenMP by its tool libarcher, GCC's by openmp_order (tool/runner). Where threads are
// ordered by anything else it would call right code a race, so that the judge must know beforehand. Pure.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace hone::judge {

struct RaceGap {
  std::string construct;   // "a memory fence (…)"; "": there is no gap
  bool avoidable = false;  // by writing the code otherwise; else the machine lacks something
  explicit operator bool() const { return !construct.empty(); }
};

// The functions of libgomp that openmp_order stands in front of.
std::span<const std::string_view> followed_functions();

RaceGap find_race_gap(std::string_view object);

}  // namespace hone::judge
