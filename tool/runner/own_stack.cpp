#include "tool/runner/own_stack.h"

#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "tool/runner/noise.h"

// hone_call_on(call, slots, result, top)
#if defined(__x86_64__)
asm(R"(
.text
.hidden hone_call_on
.globl hone_call_on
.type hone_call_on, @function
hone_call_on:
  .cfi_startproc
  pushq %rbp
  .cfi_def_cfa_offset 16
  .cfi_offset %rbp, -16
  movq %rsp, %rbp
  .cfi_def_cfa_register %rbp
  movq %rcx, %rsp
  movq %rdi, %rax
  movq %rsi, %rdi
  movq %rdx, %rsi
  callq *%rax
  movq %rbp, %rsp
  popq %rbp
  .cfi_def_cfa %rsp, 8
  ret
  .cfi_endproc
.size hone_call_on, .-hone_call_on
)");
#define HONE_HAS_OWN_STACK 1
#elif defined(__aarch64__)
asm(R"(
.text
.hidden hone_call_on
.globl hone_call_on
.type hone_call_on, %function
hone_call_on:
  .cfi_startproc
  stp x29, x30, [sp, #-16]!
  .cfi_def_cfa_offset 16
  .cfi_offset x29, -16
  .cfi_offset x30, -8
  mov x29, sp
  .cfi_def_cfa_register x29
  mov sp, x3
  mov x4, x0
  mov x0, x1
  mov x1, x2
  blr x4
  mov sp, x29
  ldp x29, x30, [sp], #16
  .cfi_def_cfa sp, 0
  ret
  .cfi_endproc
.size hone_call_on, .-hone_call_on
)");
#define HONE_HAS_OWN_STACK 1
#else
#define HONE_HAS_OWN_STACK 0
#endif

#if HONE_HAS_OWN_STACK
extern "C" void hone_call_on(hone::runner::Call call, void* const* slots, void* result, void* top);
#else
static void hone_call_on(hone::runner::Call call, void* const* slots, void* result, void*) {
  call(slots, result);
}
#endif

namespace hone::runner {
namespace {

constexpr size_t usual_bytes = size_t{8} << 20, most_bytes = size_t{64} << 20;
constexpr size_t near_bytes = 16u << 10, far_bytes = 64u << 10;  // of noise below the frame
constexpr size_t guard_bytes = size_t{16} << 20;  // that fault: who takes much at once must not jump over them
constexpr size_t most_shift = 4096;               // of the frame

char* base;    // above what faults
size_t bytes;  // 0: there is none
char* top;     // of the next call's frame
uint64_t state;

// Makes a stack as large as that of the thread which would call otherwise.
void make() {
  static bool tried;
  if (tried || !HONE_HAS_OWN_STACK) return;
  tried = true;
  rlimit limit{};
  const bool limited = getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
  const size_t page = static_cast<size_t>(getpagesize());
  size_t wanted = limited ? static_cast<size_t>(limit.rlim_cur) / page * page : usual_bytes;
  if (wanted > most_bytes) wanted = most_bytes;
  if (wanted < 2 * far_bytes) wanted = 2 * far_bytes;
  void* memory = mmap(nullptr, wanted + guard_bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (memory == MAP_FAILED || mprotect(memory, guard_bytes, PROT_NONE) != 0) return;
  base = static_cast<char*>(memory) + guard_bytes;
  bytes = wanted;
  top = base + bytes;
}

void forget(char* from, char* to) {
  if (from < to) madvise(from, static_cast<size_t>(to - from), MADV_DONTNEED);
}

char* deepest() {
  return first_resident(base, base + bytes);
}

}  // namespace

void call_kernel(Call call, void* const* slots, void* result) {
  if (bytes == 0) return call(slots, result);
  hone_call_on(call, slots, result, top);
}

void disturb_own_stack() {
  if (bytes == 0) return;
  state = state * 6364136223846793005u + 1442695040888963407u;
  // The word changed is as often near the frame as far from it.
  const size_t words = size_t{16} << ((state >> 33) & 7);  // within near_bytes
  const size_t below = 8 * (1 + ((state >> 40) & (words - 1)));
  *reinterpret_cast<volatile uint64_t*>(top - below) = state;
}

void renew_own_stack(uint64_t key, bool thoroughly) {
  make();
  if (bytes == 0) return;
  state = key;
  Noise noise{key};
  char* const end = base + bytes;
  const uint64_t way = thoroughly ? noise.next() & 3 : 3;
  top = end - (noise.next() % most_shift) / (thoroughly ? 16 : 64) * (thoroughly ? 16 : 64);
  if (way < 2) {
    char* const from = end - (way == 0 ? near_bytes : far_bytes);
    forget(base, from);
    noise.fill(from, end);
    return;
  }
  noise.change_words(deepest(), end, thoroughly ? noise.some_distance() : usual_distance);
}

size_t own_stack_used() {
  if (bytes == 0) return 0;
  const size_t used = static_cast<size_t>(base + bytes - deepest());
  return used <= far_bytes ? 0 : used;
}

}  // namespace hone::runner
