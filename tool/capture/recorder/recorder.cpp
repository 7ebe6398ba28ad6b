// What is linked into a program that was built with HONE_MODE=capture: counts and times the calls of annotated
// functions by their scalars, and keeps the inputs of some.
//
// Does nothing, beside one look at a flag, unless HONE_CAPTURE names a folder. The first calls of each problem are
// kept, then the 10th, the 100th and so on, so that late phases of a program have their say. A call from within a call
// of the same function is part of that one. Memory that an annotation wrongly claims is not touched by this code: the
// system copies it, and says where it cannot. Never fails the program: what cannot be written is left out. For all
// threads; a forked process writes a file of its own, as each shared object does. Uses no C++ runtime.
#include "tool/capture/recorder/recorder.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

namespace hone::capture {
namespace {

constexpr unsigned most_kernels = 256;
constexpr unsigned most_scalar_bytes = 1024;

struct Problem {
  Problem* next;
  uint64_t calls;
  uint64_t nanoseconds;
  uint64_t told;  // calls when they were last written
  unsigned kept;
  unsigned bytes;
  unsigned char scalars[most_scalar_bytes];  // a list, as in a record
};

struct Kernel {
  const char* name;
  unsigned problems;
  Problem* first;
  Problem others;  // beyond most_problems
};

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
Kernel kernels[most_kernels];
unsigned kernel_count;
int file = -1;
pid_t writer;
uint64_t written, most_written = most_bytes;
int state;                              // 0: unknown, 1: recording, -1: not
__thread unsigned depth[most_kernels];  // of this thread's calls

constexpr uint64_t told_after = 100;  // calls: what a process says of itself before it may be killed

bool is_on() {
  if (__atomic_load_n(&state, __ATOMIC_ACQUIRE) == 0) {
    const char* folder = getenv("HONE_CAPTURE");
    __atomic_store_n(&state, folder && *folder ? 1 : -1, __ATOMIC_RELEASE);
  }
  return __atomic_load_n(&state, __ATOMIC_ACQUIRE) > 0;
}

// The counts of a parent are the parent's.
bool open_file() {
  if (file >= 0 && writer == getpid()) return true;
  if (writer != 0 && writer != getpid()) {
    if (file >= 0) close(file);
    for (unsigned i = 0; i < kernel_count; ++i) {
      kernels[i].others.calls = kernels[i].others.nanoseconds = kernels[i].others.told = 0;
      for (Problem* one = kernels[i].first; one; one = one->next) one->calls = one->nanoseconds = one->told = 0;
    }
  }
  char path[4096];
  const int length = snprintf(path, sizeof path, "%s/%ld-%p.calls", getenv("HONE_CAPTURE"), static_cast<long>(getpid()),
                              static_cast<void*>(&state));
  if (length <= 0 || static_cast<size_t>(length) >= sizeof path) return false;
  file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  writer = getpid();
  return file >= 0;
}

bool write_all(const void* data, uint64_t bytes) {
  const char* at = static_cast<const char*>(data);
  while (bytes > 0) {
    const ssize_t done = write(file, at, bytes > (1u << 30) ? 1u << 30 : bytes);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return false;
    at += done;
    bytes -= static_cast<uint64_t>(done);
  }
  return true;
}

bool write_text(const char* text) {
  const uint32_t bytes = static_cast<uint32_t>(strlen(text));
  return write_all(&bytes, sizeof bytes) && write_all(text, bytes);
}

// What a list takes in a record.
uint64_t size_of(const hone_capture_value* values, unsigned number) {
  uint64_t bytes = sizeof(uint32_t);
  for (unsigned i = 0; i < number; ++i)
    bytes += 3 * sizeof(uint32_t) + sizeof(uint64_t) + strlen(values[i].name) + values[i].size * values[i].count;
  return bytes;
}

// Into memory: scalars. 0: they do not fit.
unsigned packed(const hone_capture_value* values, unsigned number, unsigned char* to) {
  if (size_of(values, number) > most_scalar_bytes) return 0;
  unsigned char* at = to;
  const auto put = [&](const void* data, size_t bytes) {
    memcpy(at, data, bytes);
    at += bytes;
  };
  put(&number, sizeof(uint32_t));
  for (unsigned i = 0; i < number; ++i) {
    const uint32_t length = static_cast<uint32_t>(strlen(values[i].name));
    const uint64_t count = values[i].count;
    put(&length, sizeof length);
    put(values[i].name, length);
    put(&values[i].size, sizeof(uint32_t));
    put(&values[i].kind, sizeof(uint32_t));
    put(&count, sizeof count);
    put(values[i].at, static_cast<size_t>(values[i].size * count));
  }
  return static_cast<unsigned>(at - to);
}

bool begin_record(uint32_t kind, uint64_t bytes) {
  const uint32_t head[2] = {record_magic, kind};
  return write_all(head, sizeof head) && write_all(&bytes, sizeof bytes);
}

void write_calls(const Kernel& kernel, Problem& problem) {
  const uint64_t bytes = sizeof(uint32_t) + strlen(kernel.name) + problem.bytes + 2 * sizeof(uint64_t);
  if (problem.calls == 0 || !open_file() || !begin_record(calls_record, bytes) || !write_text(kernel.name)) return;
  const uint64_t numbers[2] = {problem.calls, problem.nanoseconds};
  if (write_all(problem.scalars, problem.bytes)) write_all(numbers, sizeof numbers);
  problem.told = problem.calls;
}

uint64_t now() {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<uint64_t>(time.tv_sec) * 1000000000u + static_cast<uint64_t>(time.tv_nsec);
}

Kernel* kernel_of(const char* name) {
  for (unsigned i = 0; i < kernel_count; ++i)
    if (kernels[i].name == name || strcmp(kernels[i].name, name) == 0) return &kernels[i];
  if (kernel_count == most_kernels) return nullptr;
  Kernel& kernel = kernels[kernel_count++];
  kernel.name = name;
  kernel.others.bytes = sizeof(uint32_t);  // an empty list
  return &kernel;
}

Problem* problem_of(Kernel& kernel, const hone_capture_value* scalars, unsigned number) {
  unsigned char list[most_scalar_bytes];
  const unsigned bytes = packed(scalars, number, list);
  for (Problem* one = kernel.first; one; one = one->next)
    if (one->bytes == bytes && memcmp(one->scalars, list, bytes) == 0) return one;
  if (bytes == 0 || kernel.problems == most_problems) return &kernel.others;
  Problem* const problem = static_cast<Problem*>(calloc(1, sizeof(Problem)));
  if (!problem) return &kernel.others;
  ++kernel.problems;
  problem->bytes = bytes;
  memcpy(problem->scalars, list, bytes);
  problem->next = kernel.first;
  kernel.first = problem;
  return problem;
}

bool is_kept(uint64_t call) {
  if (call <= 2) return true;
  while (call > 1 && call % 10 == 0) call /= 10;
  return call == 1;
}

void lock() {
  pthread_mutex_lock(&mutex);
}
void unlock() {
  pthread_mutex_unlock(&mutex);
}

// A program in which no kernel is called leaves a file all the same, and so says that it was built for capture.
__attribute__((constructor)) void begin() {
  if (!getenv("HONE_CAPTURE") || !is_on()) return;  // a program may set it itself, until its first call
  if (const char* bytes = getenv("HONE_CAPTURE_BYTES")) most_written = strtoull(bytes, nullptr, 10);
  pthread_atfork(lock, unlock, unlock);
  open_file();
}

__attribute__((destructor)) void end() {
  if (__atomic_load_n(&state, __ATOMIC_ACQUIRE) <= 0) return;
  lock();
  for (unsigned i = 0; i < kernel_count; ++i) {
    for (Problem* one = kernels[i].first; one; one = one->next) write_calls(kernels[i], *one);
    write_calls(kernels[i], kernels[i].others);
  }
  unlock();
}

int count_call(hone_capture_mark& mark, const char* name, const hone_capture_value* scalars, unsigned number) {
  if (!open_file()) return 0;
  Kernel* const kernel = kernel_of(name);
  if (!kernel) return 0;
  const uint64_t index = static_cast<uint64_t>(kernel - kernels);
  mark.hone_state[0] = index + 1;
  if (depth[index]++ > 0) return 0;
  Problem* const problem = problem_of(*kernel, scalars, number);
  mark.hone_state[1] = reinterpret_cast<uintptr_t>(problem);
  const uint64_t call = ++problem->calls;
  if (problem == &kernel->others || problem->kept == most_inputs || !is_kept(call)) return 0;
  ++problem->kept;
  return 1;
}

// A process that is killed has said most of it: all but the last tenth of a problem's calls, and of the first hundred.
void count_time(Kernel& kernel, Problem& problem, uint64_t nanoseconds) {
  problem.nanoseconds += nanoseconds;
  if (problem.told == 0 || problem.calls >= problem.told + told_after + problem.told / 10) write_calls(kernel, problem);
}

void write_inputs(const char* kernel, const hone_capture_value* scalars, unsigned number,
                  const hone_capture_value* arrays, unsigned number_of_arrays) {
  for (unsigned i = 0; i < number_of_arrays; ++i)
    if (arrays[i].size == 0 || arrays[i].count > most_written / arrays[i].size) return;
  const uint64_t bytes =
      sizeof(uint32_t) + strlen(kernel) + size_of(scalars, number) + size_of(arrays, number_of_arrays);
  if (written + bytes > most_written || !open_file()) return;
  const off_t before = lseek(file, 0, SEEK_END);
  bool whole = begin_record(inputs_record, bytes) && write_text(kernel);
  const auto list = [&](const hone_capture_value* values, unsigned count) {
    whole = whole && write_all(&count, sizeof count);
    for (unsigned i = 0; whole && i < count; ++i) {
      const uint64_t elements = values[i].count;
      whole = write_text(values[i].name) && write_all(&values[i].size, sizeof(uint32_t)) &&
              write_all(&values[i].kind, sizeof(uint32_t)) && write_all(&elements, sizeof elements) &&
              write_all(values[i].at, values[i].size * elements);
    }
  };
  list(scalars, number);
  list(arrays, number_of_arrays);
  written += bytes;
  // An extent that is too large, a full disk.
  if (!whole && before >= 0 && ftruncate(file, before) != 0) __atomic_store_n(&state, -1, __ATOMIC_RELEASE);
}

}  // namespace
}  // namespace hone::capture

using namespace hone::capture;

int hone_capture_call(hone_capture_mark* mark, const char* kernel, const hone_capture_value* scalars, unsigned number) {
  if (!is_on()) return 0;
  const int error = errno;
  lock();
  const int wanted = count_call(*mark, kernel, scalars, number);
  unlock();
  errno = error;
  mark->hone_state[2] = now();
  return wanted;
}

void hone_capture_inputs(hone_capture_mark* mark, const char* kernel, const hone_capture_value* scalars,
                         unsigned number, const hone_capture_value* arrays, unsigned number_of_arrays) {
  const int error = errno;
  lock();
  write_inputs(kernel, scalars, number, arrays, number_of_arrays);
  unlock();
  errno = error;
  mark->hone_state[2] = now();
}

void hone_capture_end(hone_capture_mark* mark) {
  if (mark->hone_state[0] == 0) return;
  const uint64_t end = now();
  const int error = errno;
  const uint64_t index = mark->hone_state[0] - 1;
  --depth[index];
  if (Problem* const problem = reinterpret_cast<Problem*>(static_cast<uintptr_t>(mark->hone_state[1]))) {
    lock();
    count_time(kernels[index], *problem, end - mark->hone_state[2]);
    unlock();
  }
  errno = error;
}
