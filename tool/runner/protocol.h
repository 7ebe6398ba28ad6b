// What the judge (hone-worker) and a runner (hone-runner) say to each other over a SOCK_SEQPACKET pair.
//
// One Request, one Reply, in turn, after the runner's hello. A runner shares its process with generated code, which can
// find the socket and speak in its place, so the judge takes nothing it hears on trust: a reply echoes its request's
// number, has exactly the length that its command asks for, and comes when it is awaited, or the process is ended;
// addresses serve messages only; time and outputs are read by the judge itself, so that a forged "ok" says no more than
// that the outputs may be looked at now. Plain structs of one build: both programs are installed together, and a runner
// says its version first.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hone::runner {

constexpr std::uint32_t protocol_version = 11;
constexpr int socket_descriptor = 3;  // of a runner
constexpr int object_descriptor = 4;
constexpr int order_descriptor = 5;  // openmp_order, where ThreadSanitizer is preloaded

constexpr unsigned most_parameters = 64;
constexpr unsigned most_expressions = 512;
constexpr unsigned most_sets = 64;
constexpr unsigned scalar_bytes = 16;  // storage of one scalar parameter
constexpr unsigned result_bytes = 256;
constexpr unsigned text_bytes = 512;
constexpr unsigned most_prepared = 64;  // workloads at once: each has a frame of its own on the runner's stack
constexpr std::uint32_t no_binding = ~0u;
constexpr std::int32_t scalar_region = -1;  // of a binding: a scalar
constexpr std::int32_t stream_region = -2;  // of a binding: the CUDA stream that the runner calls on
constexpr std::int32_t null_region = -3;    // of a binding: a null pointer

enum class Command : std::uint32_t {
  hello,     // the runner's first word, unasked: loaded, or why not
  problem,   // hone_problem(number) on the scalars
  evaluate,  // hone_evaluate on the scalars
  map,       // maps a set of regions out of the two attached descriptors (inputs, outputs)
  unmap,     // the set goes
  bind,      // what the slots of a set point to
  call,      // runs the kernel
  wake,      // makes the device this process's, right before a timed call
  load,      // from now on calls go to the unit in the first of the attached descriptors
  renew,     // fills anew what calls left behind beside their outputs, for a call on the set
  prepare,   // makes the workloads that the next call, which is `prepared`, runs
  collect,   // answers when the results of that call are in their places
};

// Whose memory a set maps. anew: the descriptors are device memory that the judge owns. as_before: so they are, and
// the set has that memory mapped already; to map takes long, and all processes of a device wait for each other there.
enum class Lending : std::uint32_t { none, anew, as_before };

// How a kernel is called. ordered: on a device whose stream is busy with what makes the outputs' first content, and
// what a copy right behind the call on that stream finds is taken for the results. profiled: as heap, and a profiler
// around a device's process is told where the call begins and where it ends. prepared: runs what Command::prepare made.
// rounded_up, rounded_down: in place, while the calling thread's arithmetic rounds that way.
enum class Manner : std::uint32_t { in_place, heap, ordered, profiled, prepared, rounded_up, rounded_down };
inline bool on_heap(Manner manner) {
  return manner == Manner::heap || manner == Manner::profiled;
}

// What a call may be told to look at beside its result. quick: only what costs nanoseconds. closely: all of Balance.
enum class Watch : std::uint32_t { quick, closely };

// What a call changed of what was not its own.
enum Changed : std::uint32_t {
  changed_rounding = 1,
  changed_traps = 2,  // which exceptions trap, and what becomes of denormals
  changed_x87 = 4,
  changed_x87_stack = 8,
  changed_direction = 16,
  changed_signals = 32,
  changed_openmp_threads = 64,
  changed_openmp_settings = 128,
  changed_environment = 256,
  changed_device = 512,  // the context's limits, and what it prefers caches for
};

// What the runner claims after a call; nobody relies on it, as on nothing that it says.
struct Balance {
  std::uint32_t changed;  // bits of Changed
  std::uint32_t reserved;
  std::uint64_t heap_bytes;   // in use, by malloc's count
  std::uint64_t stack_bytes;  // that calls touched below their frame; 0: no more than many
  // On a device, when the call's work is done; 0 where the driver does not tell.
  std::uint64_t device_bytes;  // in use there, by everybody
  std::uint64_t pooled_bytes;  // that this process has from the device's own pool (cudaMallocAsync)
};

// device: what ran on the CUDA device failed there; `text` says how, and the process's context is lost.
enum class Answer : std::uint32_t { ok, failed, fault, device };

struct alignas(16) Scalar {
  unsigned char bytes[scalar_bytes];
};

// A stretch of a memory file, mapped between two pages that fault; or of device memory, in a mapping of its own.
struct Region {
  std::uint64_t offset;  // in the file, whole pages
  std::uint64_t length;  // whole pages
  std::uint32_t output;  // 0: inputs, mapped read-only; 1: outputs
  std::uint32_t populate;
};

struct Binding {
  std::int32_t region;     // or scalar_region, stream_region, null_region
  std::uint32_t copy_in;   // on the heap: the memory's content is the call's input …
  std::uint32_t copy_out;  // … and what the call leaves goes back
  std::uint32_t alignment;
  std::uint64_t offset;  // of slot 0 in the region
  std::uint64_t stride;  // from slot to slot
  std::uint64_t bytes;   // of the whole array
  std::uint64_t lead;    // of them stand before what the slot points to
};

// For a call whose outputs are compared, else for some that are timed; what was freed on the device, too.
constexpr std::uint32_t renew_thoroughly = 1, renew_freed = 2;

struct Request {
  std::uint64_t id;  // drawn anew each time; the reply has the same
  Command command;
  std::uint32_t set;
  std::uint32_t number;      // problem: which; map, bind: how many regions, bindings
  Manner manner;             // call; on_heap(): each array in a block of its own from malloc, exactly as long
  std::uint32_t first_slot;  // call: slots first, first+1, … modulo `slots`
  std::uint32_t slots;
  std::uint32_t calls;
  std::uint32_t result_poison;
  Watch watch;                   // call
  std::uint32_t renewing;        // renew: of the bits below
  std::uint64_t key;             // renew: what everything is filled with follows from it
  std::uint32_t result_binding;  // bind: where each slot's return value goes; no_binding: into the reply alone
  Lending lent;                  // map
  std::uint64_t lent_bytes[2];   // of each
  // What follows, as the command needs, so that a call stays one cache line:
  union {
    Region regions[most_parameters];
    Binding bindings[most_parameters];
  };
  Scalar scalars[most_parameters];
};

struct Fault {
  std::int32_t signal;
  std::int32_t code;            // si_code
  std::uint64_t address;        // si_addr
  std::uint64_t stack;          // stack pointer
  std::uint32_t write;          // 0 read, 1 write, 2 unknown
  std::uint32_t out_of_memory;  // a small mapping failed too
};

struct Reply {
  Answer answer;
  std::uint32_t version;
  std::uint64_t id;  // 0 in hello
  Fault fault;
  Balance balance;  // call
  char text[text_bytes];
  union {
    Scalar scalars[most_parameters];           // problem
    std::uint64_t addresses[most_parameters];  // map
    struct {
      long long integers[most_expressions];
      double reals[most_expressions];
    } values;                            // evaluate
    unsigned char result[result_bytes];  // call
  };
};

constexpr std::size_t short_request = offsetof(Request, regions);
constexpr std::size_t short_reply = offsetof(Reply, scalars);
constexpr std::size_t call_reply = offsetof(Reply, scalars) + result_bytes;

}  // namespace hone::runner
