// hone-runner: loads one compiled unit and calls its kernel on memory that the judge provides.
//
// Started afresh by the judge inside the sandbox, with the protocol's socket and the object as its only descriptors.
// Generated code runs in this process, so nothing here is relied on: no verdict, no time, no comparison is made here.
// Uses no C++ runtime, starts in under a millisecond, one thread.
#include <dlfcn.h>
#include <errno.h>
#include <fenv.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tool/runner/abi.h"
#include "tool/runner/argument_sets.h"
#include "tool/runner/balance.h"
#include "tool/runner/channel.h"
#include "tool/runner/device_arguments.h"
#include "tool/runner/leftovers.h"
#include "tool/runner/own_stack.h"
#include "tool/runner/protocol.h"

using namespace hone::runner;

namespace {

struct Unit {
  decltype(&hone_call) call;
  decltype(&hone_problem) problem;
  decltype(&hone_evaluate) evaluate;
  decltype(&hone_device_error) device_error;  // of CUDA units
  decltype(&hone_prepare) prepare;            // of units that have one
};

Unit unit;
alignas(16) unsigned char result[result_bytes];

// The object's function of that name, as abi.h declares it.
#define HONE_FIND(handle, name) reinterpret_cast<decltype(&name)>(dlsym(handle, #name))

// Was openmp_order loaded? Without it ThreadSanitizer would call every parallel region of OpenMP's a race.
bool is_order_told() {
  const char* sanitized = getenv("HONE_RUNNER_SANITIZED");
  return !sanitized || strcmp(sanitized, "races") != 0 || dlsym(RTLD_DEFAULT, "hone_openmp_order");
}

bool load_unit(int descriptor) {
  char path[64];
  snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
  void* handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!handle) return fail("cannot load the object", dlerror()), false;
  if (!(unit.call = HONE_FIND(handle, hone_call)) || !(unit.problem = HONE_FIND(handle, hone_problem)) ||
      !(unit.evaluate = HONE_FIND(handle, hone_evaluate)))
    return fail("the object is no unit", dlerror()), false;
  unit.prepare = HONE_FIND(handle, hone_prepare);
  find_openmp(handle);
  if (getenv("HONE_RUNNER_DEVICE")) unit.device_error = HONE_FIND(handle, hone_device_error);
  return true;
}

bool load() {
  if (!is_order_told()) return fail("cannot load the object", "openmp_order was not loaded"), false;
  if (!load_unit(object_descriptor)) return false;
  const char* const device = getenv("HONE_RUNNER_DEVICE");
  const char* const why = device ? open_device(atoi(device)) : nullptr;
  return !why || (fail("cannot use the device", why), false);
}

// The unit before stays loaded: nothing promises that it can go.
void load_another(int file) {
  if (file < 0) return fail("cannot load the object", "none came");
  if (load_unit(file)) send_reply(Answer::ok, short_reply);
}

// Slots without arrays, for the harness.
void scalar_slots(void** slots, Scalar* scalars) {
  for (unsigned i = 0; i < most_parameters; ++i) slots[i] = &scalars[i];
}

void assign_problem() {
  void* slots[most_parameters];
  scalar_slots(slots, request.scalars);
  unit.problem(request.number, slots);
  memcpy(reply.scalars, request.scalars, sizeof reply.scalars);
  send_reply(Answer::ok, sizeof reply);
}

void evaluate() {
  void* slots[most_parameters];
  scalar_slots(slots, request.scalars);
  memset(&reply.values, 0, sizeof reply.values);
  unit.evaluate(slots, reply.values.integers, reply.values.reals);
  send_reply(Answer::ok, sizeof reply);
}

void set_streams(const Set& set, Scalar* scalars) {
  void* const stream = device_stream();
  for (unsigned i = 0; i < set.binding_count; ++i)
    if (set.bindings[i].region == stream_region) memcpy(&scalars[i], &stream, sizeof stream);
}

void set_nulls(const Set& set, void** slots) {
  for (unsigned i = 0; i < set.binding_count; ++i)
    if (set.bindings[i].region == null_region) slots[i] = nullptr;
}

// Ends with the error that the unit's own calls of the CUDA runtime left: a launch that was refused runs nothing.
void check_launch() {
  if (unit.device_error) check_device(unit.device_error());
}

// Little stands between two calls of a batch: their time is the kernel's.
void call_slots(const Set& set) {
  Scalar scalars[most_parameters];
  memcpy(scalars, set.scalars, sizeof(Scalar) * set.binding_count);
  void* slots[most_parameters];
  scalar_slots(slots, scalars);
  set_streams(set, scalars);
  set_nulls(set, slots);
  unsigned slot = request.first_slot;
  const bool in_reply = set.binding_count == 0 || set.result_binding == no_binding;
  for (unsigned call = 0; call < request.calls; ++call) {
    for (unsigned i = 0; i < set.binding_count; ++i)
      if (set.bindings[i].region >= 0) slots[i] = array_of(set, i, slot) + set.bindings[i].lead;
    void* const where = in_reply ? static_cast<void*>(result) : array_of(set, set.result_binding, slot);
    call_kernel(unit.call, slots, where);
    disturb_own_stack();
    if (++slot >= request.slots) slot = 0;
  }
  check_launch();
}

// As long as it lives, this thread's arithmetic rounds as the call's manner says.
class Rounding {
 public:
  Rounding() {
    if (request.manner == Manner::rounded_up) fesetround(FE_UPWARD);
    if (request.manner == Manner::rounded_down) fesetround(FE_DOWNWARD);
  }
  Rounding(const Rounding&) = delete;
  ~Rounding() { fesetround(before_); }

 private:
  const int before_ = fegetround();
};

void call_in_place(const Set& set) {
  const bool closely = request.watch == Watch::closely;
  const Rounding rounding;
  if (closely) begin_device_balance();
  begin_balance(closely);
  call_slots(set);
  reply.balance = {end_balance(closely), 0, closely ? heap_in_use() : 0, closely ? own_stack_used() : 0};
  if (!has_device()) return;
  check_device(wait_for_device());
  if (closely) end_device_balance(reply.balance);
}

bool has_stream(const Set& set) {
  for (unsigned i = 0; i < set.binding_count; ++i)
    if (set.bindings[i].region == stream_region) return true;
  return false;
}

void call_in_order(const Set& set) {
  const bool on_stream = has_stream(set);
  check_device(begin_in_order(set.lent.addresses[1], set.lent.bytes[1], on_stream));
  call_slots(set);
  check_device(end_in_order(set.lent.addresses[1], set.lent.bytes[1], on_stream));
}

// The largest alignment of an element that is kept; AddressSanitizer takes as much memory as it is asked to align to.
constexpr size_t largest_alignment = size_t{1} << 16;

// What vector loads of an original may ask for (`_mm512_load_ps`): that is no fault of its own. Candidates that ask for
// it without need are found where arrays stand askew.
constexpr size_t heap_alignment = 64;

// Calls on malloc'd copies of exactly the arrays' sizes, so that a sanitizer's red zones lie right at the ends.
// Parameters that may overlap share a block where the judge bound them to the same memory.
bool call_on_heap(const Set& set) {
  void* blocks[most_parameters] = {};
  void* arrays[most_parameters] = {};
  for (unsigned i = 0; i < set.binding_count; ++i) {
    const Binding& binding = set.bindings[i];
    if (binding.region < 0) continue;
    for (unsigned j = 0; j < i && !arrays[i]; ++j)
      if (set.bindings[j].region == binding.region) arrays[i] = arrays[j];
    if (arrays[i]) continue;
    const size_t alignment = binding.alignment < heap_alignment ? heap_alignment : binding.alignment;
    if (alignment > largest_alignment || posix_memalign(&blocks[i], alignment, binding.bytes)) {
      for (void* block : blocks) free(block);
      return false;
    }
    arrays[i] = blocks[i];
    if (binding.copy_in && binding.bytes) memcpy(blocks[i], array_of(set, i, 0), binding.bytes);
  }
  Scalar scalars[most_parameters];
  memcpy(scalars, set.scalars, sizeof scalars);
  void* slots[most_parameters];
  scalar_slots(slots, scalars);
  for (unsigned i = 0; i < set.binding_count; ++i)
    if (arrays[i]) slots[i] = static_cast<char*>(arrays[i]) + set.bindings[i].lead;
  set_nulls(set, slots);
  unit.call(slots, result);
  for (unsigned i = 0; i < set.binding_count; ++i) {
    if (blocks[i] && set.bindings[i].copy_out && set.bindings[i].bytes)
      memcpy(array_of(set, i, 0), blocks[i], set.bindings[i].bytes);
    free(blocks[i]);
  }
  return true;
}

// Lets a profiler count the call alone, and no kernel of a copy's or a fill's before it.
void call_profiled(void* const* slots) {
  start_profiler();
  unit.call(slots, result);
  check_launch();
  check_device(wait_for_device());
  stop_profiler();
}

// Calls on device memory that was allocated for each array: for compute-sanitizer, which knows the ends of what was
// allocated, and for profilers, which run a kernel several times and put back what it wrote in between.
bool call_on_device_heap(const Set& set) {
  uint64_t blocks[most_parameters] = {}, arrays[most_parameters] = {};
  for (unsigned i = 0; i < set.binding_count; ++i) {
    const Binding& binding = set.bindings[i];
    if (binding.region < 0) continue;
    for (unsigned j = 0; j < i && !arrays[i]; ++j)
      if (set.bindings[j].region == binding.region) arrays[i] = arrays[j];
    if (arrays[i]) continue;
    if (allocate_on_device(binding.bytes, blocks[i])) return false;
    arrays[i] = blocks[i];
    // Only what the call may read: initcheck tells where it reads more.
    if (binding.copy_in) check_device(copy_to_device(blocks[i], array_of(set, i, 0), binding.bytes));
  }
  Scalar scalars[most_parameters];
  memcpy(scalars, set.scalars, sizeof scalars);
  set_streams(set, scalars);
  void* slots[most_parameters];
  scalar_slots(slots, scalars);
  for (unsigned i = 0; i < set.binding_count; ++i)
    if (arrays[i]) slots[i] = reinterpret_cast<void*>(arrays[i] + set.bindings[i].lead);
  set_nulls(set, slots);
  if (request.manner == Manner::profiled) {
    call_profiled(slots);
  } else {
    unit.call(slots, result);
    check_launch();
    check_device(wait_for_device());
  }
  for (unsigned i = 0; i < set.binding_count; ++i) {
    if (blocks[i] && set.bindings[i].copy_out)
      check_device(copy_from_device(array_of(set, i, 0), blocks[i], set.bindings[i].bytes));
    free_on_device(blocks[i]);
  }
  return true;
}

void call() {
  const Set& set = sets[request.set];
  if (set.binding_count == 0 && set.region_count != 0) return fail("a call", "nothing is bound");
  memset(result, static_cast<int>(request.result_poison), sizeof result);
  reply.balance = {};
  if (request.manner == Manner::ordered) {
    if (!has_device() || set.lent.bytes[1] == 0) return fail("a call", "in a stream's order needs a device");
    call_in_order(set);
  } else if (on_heap(request.manner)) {
    if (!(has_device() ? call_on_device_heap(set) : call_on_heap(set)))
      return fail("cannot allocate the arguments", "out of memory");
  } else {
    call_in_place(set);
  }
  memcpy(reply.result, result, result_bytes);
  send_reply(Answer::ok, call_reply);
}

// What a workload wants timed, while its arguments live.
struct Prepared {
  void (*run)(void*);
  void* argument;
};

struct Preparation {
  const Set* set;
  unsigned slot, slots, wanted, made;
  Prepared all[most_prepared];
};

void run_prepared(void* const* one, void*) {
  const auto* prepared = reinterpret_cast<const Prepared*>(one);
  prepared->run(prepared->argument);
}

// Nothing but the awaited call may come while workloads stand on the stack.
void call_prepared(Preparation& preparation) {
  send_reply(Answer::ok, short_reply);
  int files[2];
  if (!receive(files)) _exit(0);
  if (request.command != Command::call || request.manner != Manner::prepared) {
    fail("a request", "is not the call of what was prepared");
    _exit(3);
  }
  reply.balance = {};
  begin_balance(false);
  for (unsigned i = 0; i < preparation.made; ++i) {
    call_kernel(run_prepared, reinterpret_cast<void* const*>(&preparation.all[i]), nullptr);
    disturb_own_stack();
  }
  reply.balance.changed = end_balance(false);
  memset(reply.result, 0, result_bytes);
  send_reply(Answer::ok, call_reply);
}

// Each workload is made within the one before, which waits: so all their arguments live where their function put them.
void make_next(Preparation& preparation);

void on_ready(void* self, void (*run)(void*), void* argument) {
  Preparation& preparation = *static_cast<Preparation*>(self);
  preparation.all[preparation.made++] = {run, argument};
  if (preparation.made < preparation.wanted)
    make_next(preparation);
  else
    call_prepared(preparation);
}

void make_next(Preparation& preparation) {
  const Set& set = *preparation.set;
  Scalar scalars[most_parameters];
  memcpy(scalars, set.scalars, sizeof(Scalar) * set.binding_count);
  void* slots[most_parameters];
  scalar_slots(slots, scalars);
  for (unsigned i = 0; i < set.binding_count; ++i)
    if (set.bindings[i].region >= 0) slots[i] = array_of(set, i, preparation.slot);
  if (++preparation.slot >= preparation.slots) preparation.slot = 0;
  unit.prepare(slots, on_ready, &preparation);
}

void prepare() {
  static Preparation preparation;
  const Set& set = sets[request.set];
  if (!unit.prepare || set.binding_count == 0 || request.calls == 0 || request.calls > most_prepared ||
      request.first_slot >= request.slots)
    return fail("a request", "to prepare workloads does not fit");
  preparation.set = &set;
  preparation.slot = request.first_slot;
  preparation.slots = request.slots;
  preparation.wanted = request.calls;
  preparation.made = 0;
  make_next(preparation);
}

void renew() {
  void* unit_text;
  memcpy(&unit_text, &unit.call, sizeof unit_text);
  const bool thoroughly = (request.renewing & renew_thoroughly) != 0;
  renew_leftovers(request.key, thoroughly, unit_text, has_device());
  if (has_device())
    check_device(
        renew_device({request.key, thoroughly, (request.renewing & renew_freed) != 0, bytes_of(sets[request.set])}));
  send_reply(Answer::ok, short_reply);
}

void serve() {
  if (request.set >= most_sets ||
      ((request.command == Command::map || request.command == Command::bind) && request.number > most_parameters))
    return fail("a request", "is out of range");
  switch (request.command) {
    case Command::problem:
      return assign_problem();
    case Command::evaluate:
      return evaluate();
    case Command::bind:
      return bind();
    case Command::call:
      return call();
    case Command::wake:
      if (!has_device()) return fail("a request", "is for a device");
      check_device(wake_device());
      return send_reply(Answer::ok, short_reply);
    case Command::renew:
      return renew();
    case Command::prepare:
      return prepare();
    case Command::collect:  // requests are served in order: workloads have handed their results over
      return send_reply(Answer::ok, short_reply);
    case Command::unmap:
      return unmap(sets[request.set]), send_reply(Answer::ok, short_reply);
    default:
      return fail("a request", "is unknown");
  }
}

}  // namespace

int main() {
  install_fault_handler();
  if (!load()) return 2;
  send_reply(Answer::ok, short_reply);
  int files[2];
  while (receive(files)) {
    if (request.command == Command::map && request.set < most_sets && request.number <= most_parameters) {
      map(files);
    } else if (request.command == Command::load) {
      load_another(files[0]);
    } else {
      serve();
    }
    for (int file : files)
      if (file >= 0) close(file);
  }
  return 0;
}
