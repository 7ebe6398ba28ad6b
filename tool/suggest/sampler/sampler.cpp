// hone-sampler.so: loaded into a program by LD_PRELOAD, notes where each of its threads is after every millisecond of
// processor time.
//
// A timer for each thread (one for the process would tell of the main thread alone), whose signal is SIGURG: nobody
// misses it, and where a program takes it back it is ignored, not deadly as SIGPROF is. The handler walks the stack
// with the unwinder that this object brings along and writes into a shared mapping, so that nothing depends on the
// program's descriptors, allocator or a tidy end. Changes nothing else that the program can see. Needs glibc.
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>
#include <unwind.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "tool/suggest/sampler/samples.h"

namespace {

using namespace hone::suggest;

constexpr int kSignal = SIGURG;
constexpr std::size_t kSizes[] = {std::size_t{1} << 30, std::size_t{64} << 20, std::size_t{4} << 20};

constexpr std::size_t kMostOfMaps = std::size_t{16} << 20;

SamplesHeader* g_samples = nullptr;
char g_folder[3072];
char g_maps[4096];
pthread_key_t g_timer_key;
int (*g_create)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*) = nullptr;

struct Walk {
  std::uint64_t from = 0;  // where the program was
  bool found = false;
  unsigned frames = 0;
  std::uint64_t addresses[most_frames];
};

_Unwind_Reason_Code step(_Unwind_Context* context, void* argument) {
  Walk& walk = *static_cast<Walk*>(argument);
  int at_instruction = 0;
  std::uint64_t address = _Unwind_GetIPInfo(context, &at_instruction);
  if (address == walk.from) walk.found = true;
  if (!walk.found) return _URC_NO_REASON;  // this handler, and what the kernel put in front of it
  if (address == 0) return _URC_END_OF_STACK;
  walk.addresses[walk.frames++] = at_instruction ? address : address - 1;  // of the call, not of what follows it
  return walk.frames < most_frames ? _URC_NO_REASON : _URC_END_OF_STACK;
}

std::uint64_t interrupted_at(const void* context) {
  const auto& machine = static_cast<const ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
  return static_cast<std::uint64_t>(machine.gregs[REG_RIP]);
#elif defined(__aarch64__)
  return machine.pc;
#else
#error "where the program was is not known for this processor"
#endif
}

void put(const Walk& walk, std::uint32_t weight) {
  SamplesHeader* const samples = g_samples;
  const std::uint64_t size = 1 + walk.frames;
  const std::uint64_t at = __atomic_fetch_add(&samples->used, size, __ATOMIC_RELAXED);
  if (at + size > samples->words) return;
  auto* words = reinterpret_cast<std::uint64_t*>(samples) + at;
  std::memcpy(words + 1, walk.addresses, walk.frames * sizeof(std::uint64_t));
  const SampleHeader header{walk.frames, weight};
  std::memcpy(words, &header, sizeof header);
}

void on_signal(int, siginfo_t* info, void* context) {
  if (!g_samples || info->si_code != SI_TIMER) return;
  const int error = errno;
  Walk walk;
  walk.from = interrupted_at(context);
  _Unwind_Backtrace(step, &walk);
  if (walk.frames == 0) walk.addresses[walk.frames++] = walk.from;
  put(walk, 1 + static_cast<std::uint32_t>(info->si_overrun > 0 ? info->si_overrun : 0));
  errno = error;
}

// Bytes that a file may have here. Beyond that the kernel would end the program.
std::size_t room_in_files() {
  rlimit limit{};
  return getrlimit(RLIMIT_FSIZE, &limit) == 0 ? limit.rlim_cur : 0;
}

void write_maps() {
  if (room_in_files() < kMostOfMaps) return;
  const int from = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
  const int to = open(g_maps, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  char buffer[4096];
  for (ssize_t got; from >= 0 && to >= 0 && (got = read(from, buffer, sizeof buffer)) > 0;)
    if (write(to, buffer, static_cast<std::size_t>(got)) != got) break;
  if (from >= 0) close(from);
  if (to >= 0) close(to);
}

// The shared file of this process. Null: there is no room for it.
SamplesHeader* open_samples() {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  char path[4096];
  const long long stamp = static_cast<long long>(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
  std::snprintf(path, sizeof path, "%s/%d-%lld.samples", g_folder, static_cast<int>(getpid()), stamp);
  std::snprintf(g_maps, sizeof g_maps, "%s/%d-%lld.maps", g_folder, static_cast<int>(getpid()), stamp);
  const int file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file < 0) return nullptr;
  void* bytes = MAP_FAILED;
  std::size_t size = 0;
  for (const std::size_t one : kSizes) {  // sparse: what is not written takes no room
    size = one;
    if (size > room_in_files() || ftruncate(file, static_cast<off_t>(size)) != 0) continue;
    bytes = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file, 0);
    if (bytes != MAP_FAILED) break;
  }
  close(file);
  if (bytes == MAP_FAILED) return nullptr;
  auto* samples = static_cast<SamplesHeader*>(bytes);
  *samples = {samples_magic, size / sizeof(std::uint64_t), sizeof(SamplesHeader) / sizeof(std::uint64_t)};
  return samples;
}

void end_timer(void* timer) {
  timer_delete(reinterpret_cast<timer_t>(reinterpret_cast<std::uintptr_t>(timer) - 1));
}

void start_timer() {
  sigevent event{};
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = kSignal;
  event._sigev_un._tid = static_cast<pid_t>(syscall(SYS_gettid));
  timer_t timer;
  if (timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &timer) != 0) return;
  const itimerspec every{{0, sample_interval_ns}, {0, sample_interval_ns}};
  timer_settime(timer, 0, &every, nullptr);
  pthread_setspecific(g_timer_key, reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(timer) + 1));
}

// A copy has neither timers nor a file of its own.
void after_fork() {
  g_samples = open_samples();
  if (!g_samples) return;
  write_maps();
  start_timer();
}

struct Start {
  void* (*routine)(void*);
  void* argument;
};

void* run_thread(void* given) {
  const Start start = *static_cast<Start*>(given);
  std::free(given);
  start_timer();
  return start.routine(start.argument);
}

__attribute__((constructor)) void begin() {
  const char* folder = std::getenv("HONE_SAMPLES");
  if (!folder || std::strlen(folder) >= sizeof g_folder) return;
  std::strcpy(g_folder, folder);
  g_samples = open_samples();
  if (!g_samples || pthread_key_create(&g_timer_key, end_timer) != 0) return;
  write_maps();
  Walk first;  // what the unwinder sets up at its first use, it does now
  _Unwind_Backtrace(step, &first);
  struct sigaction action {};
  action.sa_sigaction = on_signal;
  action.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
  sigaction(kSignal, &action, nullptr);
  pthread_atfork(nullptr, nullptr, after_fork);
  start_timer();
}

__attribute__((destructor)) void end() {
  if (g_samples) write_maps();  // with the libraries that came later
}

}  // namespace

extern "C" __attribute__((visibility("default"))) int pthread_create(pthread_t* thread,
                                                                     const pthread_attr_t* attributes,
                                                                     void* (*routine)(void*), void* argument) {
  if (!g_create) g_create = reinterpret_cast<decltype(g_create)>(dlsym(RTLD_NEXT, "pthread_create"));
  auto* start = g_samples ? static_cast<Start*>(std::malloc(sizeof(Start))) : nullptr;
  if (!start) return g_create(thread, attributes, routine, argument);
  *start = {routine, argument};
  const int error = g_create(thread, attributes, run_thread, start);
  if (error != 0) std::free(start);
  return error;
}
