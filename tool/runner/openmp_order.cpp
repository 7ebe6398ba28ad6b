// Tells ThreadSanitizer what OpenMP orders. A shared object that is preloaded before it, into a runner that looks for
// data races.
//
// GCC's libgomp is built without ThreadSanitizer and waits on futexes of its own, so that the sanitizer sees threads
// but none of their forks, joins and barriers, and would call every parallel region a race. Each function here stands
// in front of libgomp's of the same name, calls it, and says before or after: what was done before this point
// (`release`) is done for those who pass that one (`acquire`). Never says less than OpenMP promises, so that nothing
// right is called a race; says more in two places: a taskwait waits for every task of the team that has ended, and
// tasks that name one address in depend() follow one another.
//
// The judge lets no object be looked at that uses another function of libgomp with order in it (see race_gaps.h):
// whoever adds one here need tell nobody. Uses no C++ runtime.
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

extern "C" {
void __tsan_acquire(void* address) __attribute__((weak));
void __tsan_release(void* address) __attribute__((weak));
}

namespace {

// A point that some pass before others.
struct alignas(8) Mark {
  char at[8];
  void release() {
    if (__tsan_release) __tsan_release(at);
  }
  void acquire() {
    if (__tsan_acquire) __tsan_acquire(at);
  }
};

// One parallel region. It comes from malloc, which makes ThreadSanitizer forget the marks of what stood there before.
struct Team {
  void (*body)(void*);
  void* data;
  Mark forked, ended, tasks, ordered, copied;
  Mark barriers[2];  // in turn: who has passed one may reach the next before others have left the first
};

Team no_team;  // of what is outside of any region
thread_local Team* team = &no_team;
thread_local unsigned barriers_passed;

template <class Function>
Function find(const char* name) {
  void* const library = dlopen("libgomp.so.1", RTLD_LAZY);
  void* const function = library ? dlsym(library, name) : nullptr;
  if (!function) abort();  // it was called, so that it was loaded
  return reinterpret_cast<Function>(function);
}
#define HONE_REAL(name) static const auto real = find<decltype(&name)>(#name)

void run_member(void* data) {
  Team* const mine = static_cast<Team*>(data);
  Team* const outer = team;
  const unsigned passed = barriers_passed;
  team = mine;
  barriers_passed = 0;
  mine->forked.acquire();
  mine->body(mine->data);
  mine->ended.release();
  team = outer;
  barriers_passed = passed;
}

template <class Start>
void in_parallel(void (*body)(void*), void* data, const Start& start) {
  Team* const made = static_cast<Team*>(malloc(sizeof(Team)));
  made->body = body;
  made->data = data;
  made->forked.release();
  start(&run_member, made);
  made->ended.acquire();
  made->tasks.acquire();
  free(made);
}

template <class Wait>
auto at_barrier(const Wait& wait) {
  Mark& mark = team->barriers[barriers_passed++ % 2];
  mark.release();
  struct Leaving {
    Mark& mark;
    ~Leaving() {
      mark.acquire();
      team->tasks.acquire();
    }
  } leaving{mark};
  return wait();
}

// Runs a task's work with the thread in the task's team: a team's last barrier runs tasks too, after the thread's own
// part has ended.
template <class Run>
void run_in(Team* of_task, const Run& run) {
  Team* const outer = team;
  team = of_task;
  run();
  of_task->tasks.release();
  team = outer;
}

// A task as OpenMP says it: its function, its data, and what copies the data where they are not plain bytes.
struct TaskCode {
  void (*body)(void*);
  void* data;
  void (*copy)(void*, void*);
  long bytes, alignment;
};

// A task's data in a block of ours, behind what its runner needs to know.
struct Task {
  Team* team;
  void (*body)(void*);
  void* argument;
  size_t dependences;
  void** addresses;
};

// What depend() names, in both of libgomp's layouts: their number, how many of each kind, the addresses; those of
// depend objects stand last and point to theirs.
struct Dependences {
  void** first = nullptr;
  size_t count = 0, direct = 0;
  explicit Dependences(void** list) {
    if (!list) return;
    const bool counted = list[0] != nullptr;
    count = reinterpret_cast<uintptr_t>(list[counted ? 0 : 1]);
    first = list + (counted ? 2 : 5);
    direct = count;
    if (counted) return;
    direct = 0;
    for (int kind = 2; kind < 5; ++kind) direct += reinterpret_cast<uintptr_t>(list[kind]);
  }
  void* operator[](size_t i) const { return i < direct ? first[i] : *static_cast<void**>(first[i]); }
};

// A task that its own maker runs races with nobody: at first the others get time to take it.
void let_others_begin() {
  static unsigned made;
  constexpr unsigned patience = 300;
  if (__atomic_fetch_add(&made, 1, __ATOMIC_RELAXED) >= patience) return;
  const timespec moment{.tv_sec = 0, .tv_nsec = 20'000};
  nanosleep(&moment, nullptr);
}

void run_task(void* data) {
  Task* const task = *static_cast<Task**>(data);
  if (__tsan_acquire) __tsan_acquire(task);
  for (size_t i = 0; i < task->dependences && __tsan_acquire; ++i) __tsan_acquire(task->addresses[i]);
  run_in(task->team, [&] {
    task->body(task->argument);
    for (size_t i = 0; i < task->dependences && __tsan_release; ++i) __tsan_release(task->addresses[i]);
  });
  free(task);
}

Task* make_task(const TaskCode& code, void** depend) {
  const Dependences dependences(depend);
  const size_t room = static_cast<size_t>(code.bytes) + static_cast<size_t>(code.alignment);
  Task* const task = static_cast<Task*>(malloc(sizeof(Task) + dependences.count * sizeof(void*) + room));
  task->team = team;
  task->body = code.body;
  task->dependences = dependences.count;
  task->addresses = reinterpret_cast<void**>(task + 1);
  for (size_t i = 0; i < dependences.count; ++i) task->addresses[i] = dependences[i];
  const uintptr_t end = reinterpret_cast<uintptr_t>(task->addresses + dependences.count);
  const uintptr_t align = code.alignment > 0 ? static_cast<uintptr_t>(code.alignment) : 1;
  task->argument = reinterpret_cast<void*>((end + align - 1) / align * align);
  if (code.copy)
    code.copy(task->argument, code.data);
  else
    memcpy(task->argument, code.data, static_cast<size_t>(code.bytes));
  if (__tsan_release) __tsan_release(task);
  return task;
}

// What all tasks of a taskloop share.
struct Taskloop {
  Team* team;
  void (*body)(void*);
  void (*copy)(void*, void*);
  void* data;
  size_t bytes, offset;
};

// What stands in front of each such task's data, where libgomp writes its bounds.
struct Part {
  long start, end;
  Taskloop* loop;
  void* argument() { return reinterpret_cast<char*>(this) + loop->offset; }
};

void copy_part(void* to, void* from) {
  Part* const part = static_cast<Part*>(to);
  *part = *static_cast<Part*>(from);
  part->loop->copy(part->argument(), part->loop->data);
  if (__tsan_release) __tsan_release(part);
}

void run_part(void* data) {
  Part* const part = static_cast<Part*>(data);
  if (__tsan_acquire) __tsan_acquire(part->loop);
  if (__tsan_acquire) __tsan_acquire(part);
  long* const bounds = static_cast<long*>(part->argument());
  bounds[0] = part->start;
  bounds[1] = part->end;
  run_in(part->loop->team, [&] { part->loop->body(bounds); });
}

size_t rounded_up(size_t bytes, size_t align) {
  return (bytes + align - 1) / align * align;
}

// Has libgomp copy the data as plain bytes. Given a function that copies, it keeps all parts on its stack at once,
// which overflows where a loop has many. What it copies itself is not seen (see the suppressions), so nothing need
// order it.
template <class Start>
void start_plain(const Part& first, const TaskCode& code, size_t align, const Start& start) {
  const size_t bytes = first.loop->offset + first.loop->bytes;
  char* const block = static_cast<char*>(aligned_alloc(align, rounded_up(bytes, align)));
  memcpy(block, &first, sizeof(first));
  memcpy(block + first.loop->offset, code.data, first.loop->bytes);
  start(&run_part, block, nullptr, static_cast<long>(bytes), static_cast<long>(align));
  free(block);
}

template <class Start>
void in_taskloop(const TaskCode& code, unsigned flags, const Start& start) {
  constexpr unsigned no_group = 1u << 11;  // it does not wait for its tasks
  const size_t align =
      code.alignment > static_cast<long>(alignof(Part)) ? static_cast<size_t>(code.alignment) : alignof(Part);
  const size_t bytes = static_cast<size_t>(code.bytes);
  Taskloop* const loop = static_cast<Taskloop*>(malloc(sizeof(Taskloop)));
  *loop = {team, code.body, code.copy, code.data, bytes, rounded_up(sizeof(Part), align)};
  Part first{static_cast<long*>(code.data)[0], static_cast<long*>(code.data)[1], loop};
  if (__tsan_release) __tsan_release(loop);
  if (code.copy)
    start(&run_part, &first, &copy_part, static_cast<long>(loop->offset) + code.bytes, static_cast<long>(align));
  else
    start_plain(first, code, align, start);
  if (flags & no_group) return;  // the tasks have `loop`
  team->tasks.acquire();
  free(loop);
}

Mark critical, atomics;

}  // namespace

extern "C" {

extern const char hone_openmp_order;
const char hone_openmp_order = 1;  // by which the runner sees that this was loaded

// Overrides the sanitizer's own function, as this is loaded before it: what libgomp does with memory of its own is in
// order, though by means that are not seen.
const char* __tsan_default_suppressions() {
  return "called_from_lib:libgomp.so.1\n";
}

using Body = void (*)(void*);
using Copy = void (*)(void*, void*);
using Flags = unsigned;

// Parallel regions.
void GOMP_parallel(Body body, void* data, unsigned threads, Flags flags) {
  HONE_REAL(GOMP_parallel);
  in_parallel(body, data, [&](Body run, void* with) { real(run, with, threads, flags); });
}
void GOMP_parallel_sections(Body body, void* data, unsigned threads, unsigned count, Flags flags) {
  HONE_REAL(GOMP_parallel_sections);
  in_parallel(body, data, [&](Body run, void* with) { real(run, with, threads, count, flags); });
}
#define HONE_CHUNKED_LOOP(name)                                                                                       \
  void name(Body body, void* data, unsigned threads, long start, long end, long step, long chunk, Flags flags) {      \
    HONE_REAL(name);                                                                                                  \
    in_parallel(body, data, [&](Body run, void* with) { real(run, with, threads, start, end, step, chunk, flags); }); \
  }
HONE_CHUNKED_LOOP(GOMP_parallel_loop_static)
HONE_CHUNKED_LOOP(GOMP_parallel_loop_dynamic)
HONE_CHUNKED_LOOP(GOMP_parallel_loop_guided)
HONE_CHUNKED_LOOP(GOMP_parallel_loop_nonmonotonic_dynamic)
HONE_CHUNKED_LOOP(GOMP_parallel_loop_nonmonotonic_guided)
#define HONE_RUNTIME_LOOP(name)                                                                                \
  void name(Body body, void* data, unsigned threads, long start, long end, long step, Flags flags) {           \
    HONE_REAL(name);                                                                                           \
    in_parallel(body, data, [&](Body run, void* with) { real(run, with, threads, start, end, step, flags); }); \
  }
HONE_RUNTIME_LOOP(GOMP_parallel_loop_runtime)
HONE_RUNTIME_LOOP(GOMP_parallel_loop_nonmonotonic_runtime)
HONE_RUNTIME_LOOP(GOMP_parallel_loop_maybe_nonmonotonic_runtime)

// Barriers, and the ends of what has one.
#define HONE_BARRIER(type, name)              \
  type name() {                               \
    HONE_REAL(name);                          \
    return at_barrier([] { return real(); }); \
  }
HONE_BARRIER(void, GOMP_barrier)
HONE_BARRIER(bool, GOMP_barrier_cancel)
HONE_BARRIER(void, GOMP_loop_end)
HONE_BARRIER(bool, GOMP_loop_end_cancel)
HONE_BARRIER(void, GOMP_sections_end)
HONE_BARRIER(bool, GOMP_sections_end_cancel)

// Critical, atomic, ordered and single: one thread after the other.
void GOMP_critical_start() {
  HONE_REAL(GOMP_critical_start);
  real();
  critical.acquire();
}
void GOMP_critical_end() {
  HONE_REAL(GOMP_critical_end);
  critical.release();
  real();
}
void GOMP_critical_name_start(void** name) {
  HONE_REAL(GOMP_critical_name_start);
  real(name);
  if (__tsan_acquire) __tsan_acquire(name);
}
void GOMP_critical_name_end(void** name) {
  HONE_REAL(GOMP_critical_name_end);
  if (__tsan_release) __tsan_release(name);
  real(name);
}
void GOMP_atomic_start() {
  HONE_REAL(GOMP_atomic_start);
  real();
  atomics.acquire();
}
void GOMP_atomic_end() {
  HONE_REAL(GOMP_atomic_end);
  atomics.release();
  real();
}
void GOMP_ordered_start() {
  HONE_REAL(GOMP_ordered_start);
  real();
  team->ordered.acquire();
}
void GOMP_ordered_end() {
  HONE_REAL(GOMP_ordered_end);
  team->ordered.release();
  real();
}
void* GOMP_single_copy_start() {
  HONE_REAL(GOMP_single_copy_start);
  void* const copied = real();
  if (copied) team->copied.acquire();
  return copied;
}
void GOMP_single_copy_end(void* data) {
  HONE_REAL(GOMP_single_copy_end);
  team->copied.release();
  real(data);
}

// Tasks.
void GOMP_task(Body body, void* data, Copy copy, long bytes, long alignment, bool deferred, Flags flags, void** depend,
               int priority, void* detach) {
  HONE_REAL(GOMP_task);
  Task* task = make_task({body, data, copy, bytes, alignment}, depend);
  real(run_task, &task, nullptr, sizeof task, alignof(Task*), deferred, flags, depend, priority, detach);
  let_others_begin();
}
#define HONE_TASKLOOP(name, Number)                                                                         \
  void name(Body body, void* data, Copy copy, long bytes, long alignment, Flags flags, unsigned long tasks, \
            int priority, Number start, Number end, Number step) {                                          \
    HONE_REAL(name);                                                                                        \
    in_taskloop({body, data, copy, bytes, alignment}, flags,                                                \
                [&](Body run, void* with, Copy copied, long size, long align) {                             \
                  real(run, with, copied, size, align, flags, tasks, priority, start, end, step);           \
                });                                                                                         \
  }
HONE_TASKLOOP(GOMP_taskloop, long)
HONE_TASKLOOP(GOMP_taskloop_ull, unsigned long long)
void GOMP_taskwait() {
  HONE_REAL(GOMP_taskwait);
  real();
  team->tasks.acquire();
}
void GOMP_taskwait_depend(void** depend) {
  HONE_REAL(GOMP_taskwait_depend);
  real(depend);
  const Dependences dependences(depend);
  for (size_t i = 0; i < dependences.count && __tsan_acquire; ++i) __tsan_acquire(dependences[i]);
}
void GOMP_taskgroup_end() {
  HONE_REAL(GOMP_taskgroup_end);
  real();
  team->tasks.acquire();
}

// Locks.
#define HONE_LOCK(set, test, unset)                  \
  void set(void* lock) {                             \
    HONE_REAL(set);                                  \
    real(lock);                                      \
    if (__tsan_acquire) __tsan_acquire(lock);        \
  }                                                  \
  int test(void* lock) {                             \
    HONE_REAL(test);                                 \
    const int got = real(lock);                      \
    if (got && __tsan_acquire) __tsan_acquire(lock); \
    return got;                                      \
  }                                                  \
  void unset(void* lock) {                           \
    HONE_REAL(unset);                                \
    if (__tsan_release) __tsan_release(lock);        \
    real(lock);                                      \
  }
HONE_LOCK(omp_set_lock, omp_test_lock, omp_unset_lock)
HONE_LOCK(omp_set_nest_lock, omp_test_nest_lock, omp_unset_nest_lock)

}  // extern "C"
