#include "tool/runner/balance.h"

#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tool/runner/protocol.h"

namespace hone::runner {
namespace {

// The control bits; which exceptions were met is for nobody to keep.
struct Arithmetic {
  uint32_t rounding;   // the direction
  uint32_t traps;      // and what becomes of denormals
  uint32_t x87;        // precision, rounding and traps of long double
  uint32_t x87_depth;  // values that stand on its stack
  uint32_t backwards;  // string instructions
};

#if defined(__x86_64__)
constexpr uint32_t mxcsr_rounding = 0x6000, mxcsr_traps = 0x9fc0, direction = 0x400;

struct X87 {
  uint32_t control, status, tags, rest[4];
};

uint32_t mxcsr() {
  uint32_t word = 0;
  asm volatile("stmxcsr %0" : "=m"(word));
  return word;
}

Arithmetic arithmetic() {
  X87 x87;
  asm volatile("fnstenv %0\n\tfldenv %0" : "+m"(x87));  // fnstenv masks traps
  uint64_t flags = 0;
  asm volatile("pushfq\n\tpopq %0" : "=r"(flags)::"memory");
  const uint32_t word = mxcsr();
  return {word & mxcsr_rounding, word & mxcsr_traps, x87.control & 0xf3f, (x87.tags & 0xffff) != 0xffff,
          static_cast<uint32_t>(flags & direction)};
}

void restore(const Arithmetic& before) {
  const uint32_t word = (mxcsr() & ~(mxcsr_rounding | mxcsr_traps)) | before.rounding | before.traps;
  const uint16_t control = static_cast<uint16_t>(before.x87 | 0x40);
  asm volatile("cld\n\tfninit\n\tfldcw %0\n\tldmxcsr %1" ::"m"(control), "m"(word));
}
#elif defined(__aarch64__)
constexpr uint64_t fpcr_rounding = 3u << 22, fpcr_traps = (1u << 24) | (1u << 19) | 0x9f00;

uint64_t fpcr() {
  uint64_t word = 0;
  asm volatile("mrs %0, fpcr" : "=r"(word));
  return word;
}

Arithmetic arithmetic() {
  const uint64_t word = fpcr();
  return {static_cast<uint32_t>(word & fpcr_rounding), static_cast<uint32_t>(word & fpcr_traps), 0, 0, 0};
}

void restore(const Arithmetic& before) {
  const uint64_t word = (fpcr() & ~(fpcr_rounding | fpcr_traps)) | before.rounding | before.traps;
  asm volatile("msr fpcr, %0" ::"r"(word));
}
#else
Arithmetic arithmetic() {
  return {};
}
void restore(const Arithmetic&) {}
#endif

struct OpenMP {
  int (*max_threads)();
  void (*set_threads)(int);
  int (*dynamic)();
  void (*set_dynamic)(int);
  int (*levels)();
  void (*set_levels)(int);
  void (*schedule)(int*, int*);
  void (*set_schedule)(int, int);
};

OpenMP openmp;

struct OpenMPSettings {
  int threads, dynamic, levels, kind, chunk;
};

OpenMPSettings openmp_settings() {
  OpenMPSettings settings{};
  if (openmp.max_threads) settings.threads = openmp.max_threads();
  if (openmp.dynamic) settings.dynamic = openmp.dynamic();
  if (openmp.levels) settings.levels = openmp.levels();
  if (openmp.schedule) openmp.schedule(&settings.kind, &settings.chunk);
  return settings;
}

void restore(const OpenMPSettings& before) {
  if (openmp.set_threads) openmp.set_threads(before.threads);
  if (openmp.set_dynamic) openmp.set_dynamic(before.dynamic);
  if (openmp.set_levels) openmp.set_levels(before.levels);
  if (openmp.set_schedule) openmp.set_schedule(before.kind, before.chunk);
}

// Names and values, in their order.
uint64_t environment() {
  uint64_t sum = 1469598103934665603u;
  for (char** entry = environ; entry && *entry; ++entry)
    for (const char* at = *entry;; ++at) {
      sum = (sum ^ static_cast<unsigned char>(*at)) * 1099511628211u;
      if (!*at) break;
    }
  return sum;
}

// A bit for each signal; of a sigset_t the rest means nothing.
uint64_t blocked_signals() {
  sigset_t set;
  if (sigprocmask(SIG_SETMASK, nullptr, &set) != 0) return 0;
  uint64_t bits = 0;
  for (int number = 1; number < 64; ++number)
    if (sigismember(&set, number) == 1) bits |= uint64_t{1} << number;
  return bits;
}

void block_signals(uint64_t bits) {
  sigset_t set;
  sigemptyset(&set);
  for (int number = 1; number < 64; ++number)
    if (bits >> number & 1) sigaddset(&set, number);
  sigprocmask(SIG_SETMASK, &set, nullptr);
}

struct Surroundings {
  Arithmetic arithmetic;
  OpenMPSettings openmp;
  uint64_t signals;
  uint64_t environment;
};

Surroundings before;

}  // namespace

void find_openmp(void* object) {
  const auto find = [object](auto& function, const char* name) {
    void* const found = dlsym(object, name);
    memcpy(&function, &found, sizeof found);
  };
  find(openmp.max_threads, "omp_get_max_threads");
  find(openmp.set_threads, "omp_set_num_threads");
  find(openmp.dynamic, "omp_get_dynamic");
  find(openmp.set_dynamic, "omp_set_dynamic");
  find(openmp.levels, "omp_get_max_active_levels");
  find(openmp.set_levels, "omp_set_max_active_levels");
  find(openmp.schedule, "omp_get_schedule");
  find(openmp.set_schedule, "omp_set_schedule");
}

void begin_balance(bool closely) {
  before.arithmetic = arithmetic();
  if (!closely) return;
  before.openmp = openmp_settings();
  before.environment = environment();
  before.signals = blocked_signals();
}

uint32_t end_balance(bool closely) {
  uint32_t changed = 0;
  const auto note = [&](bool differs, Changed what) { changed |= differs ? what : 0u; };
  const Arithmetic now = arithmetic(), &was = before.arithmetic;
  note(now.rounding != was.rounding, changed_rounding);
  note(now.traps != was.traps, changed_traps);
  note(now.x87 != was.x87, changed_x87);
  note(now.x87_depth != was.x87_depth, changed_x87_stack);
  note(now.backwards != was.backwards, changed_direction);
  if (changed) restore(was);
  if (!closely) return changed;
  const OpenMPSettings openmp_now = openmp_settings(), &openmp_was = before.openmp;
  note(openmp_now.threads != openmp_was.threads, changed_openmp_threads);
  note(openmp_now.dynamic != openmp_was.dynamic || openmp_now.levels != openmp_was.levels ||
           openmp_now.kind != openmp_was.kind || openmp_now.chunk != openmp_was.chunk,
       changed_openmp_settings);
  if (changed & (changed_openmp_threads | changed_openmp_settings)) restore(openmp_was);
  const bool other_signals = blocked_signals() != before.signals;
  note(other_signals, changed_signals);
  if (other_signals) block_signals(before.signals);
  note(environment() != before.environment, changed_environment);
  return changed;
}

}  // namespace hone::runner
