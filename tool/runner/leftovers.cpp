#include "tool/runner/leftovers.h"

#include <arpa/inet.h>
#include <errno.h>
#include <link.h>
#include <malloc.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

#include "tool/runner/noise.h"
#include "tool/runner/own_stack.h"

namespace hone::runner {
namespace {

// The largest block that is taken, and the smallest of the few large ones; each is half of the one before. Blocks that
// malloc would map by itself (from 128 KiB on) are never asked for: when one goes back, malloc changes its ways.
constexpr size_t largest = 64u << 10, smallest_of_few = 2048;
constexpr unsigned small_classes = 64, class_step = 16;  // malloc keeps a list for each
constexpr unsigned most_blocks = 1024, most_of_a_class = 64;
constexpr unsigned classes_at_a_time = 16;       // where it has to be quick
constexpr size_t most_filled = size_t{1} << 20;  // filling takes time
constexpr unsigned most_ballast = 4;
// How much memory may be lost: what a thread's variables point to is lost when they are reset.
constexpr uint64_t most_lost = uint64_t{64} << 20;

// The blocks that malloc would give out next.
struct FreeBlocks {
  char* top;     // from here on memory was not given out yet
  size_t bytes;  // below, of large blocks and small ones; those that a thread keeps for itself do not count
  void* blocks[most_blocks];
  unsigned count;

  // All of a size that come out of its lists.
  void take(size_t size) {
    for (unsigned n = 0; n < most_of_a_class && count < most_blocks; ++n) {
      char* const block = static_cast<char*>(malloc(size));
      if (!block) return;
      if (block >= top) return give_to_top(block);
      blocks[count++] = block;
    }
  }

  // Small ones would stay in a list of their own, and the heap would grow from renewal to renewal.
  static void give_to_top(void* block) {
    void* const larger = realloc(block, smallest_of_few);
    free(larger ? larger : block);
  }
};

FreeBlocks found;
void* ballast[most_ballast];

char* end_of_heap() {
  return static_cast<char*>(sbrk(0));
}

void take_free_blocks(Noise& noise, bool thoroughly) {
  found.count = 0;
  for (size_t size = largest; size >= smallest_of_few; size /= 2)
    if (size <= found.bytes) found.take(size - 64);
  const unsigned first = thoroughly ? 0 : static_cast<unsigned>(noise.next() % small_classes);
  for (unsigned n = 0; n < (thoroughly ? small_classes : classes_at_a_time); ++n)
    found.take(24 + class_step * (small_classes - 1 - (first + n) % small_classes));
}

void fill(Noise& noise, bool whole, size_t distance) {
  size_t filled = 0;
  for (unsigned n = 0; n < found.count; ++n) {
    char* const block = static_cast<char*>(found.blocks[n]);
    const size_t bytes = malloc_usable_size(block);
    filled += bytes;
    if (whole && filled <= most_filled)
      noise.fill(block, block + bytes);
    else
      noise.change_words(block, block + bytes, distance);
  }
}

// Gives blocks back in another order than they were taken, so that the same requests get other addresses.
void give_back(Noise& noise, bool shuffled) {
  for (unsigned n = found.count; n > 0; --n) {
    const unsigned other = shuffled ? static_cast<unsigned>(noise.next() % n) : n - 1;
    free(found.blocks[other]);
    found.blocks[other] = found.blocks[n - 1];
  }
}

void move_ballast(Noise& noise) {
  for (void*& block : ballast) {
    free(block);
    block = malloc(16 + noise.next() % 4096);
  }
}

// Sets what malloc fills blocks with that it gives out and gets; 0: it leaves them. Never while calls are timed.
void set_filling(int byte) {
  static int present;
  if (byte != present) mallopt(M_PERTURB, byte);
  present = byte;
}

// Where calls are timed, what they free stays with the process. Else chance decides, by what happens to lie behind it,
// whether the next ones find their memory at hand or are given pages by the system: in one of two processes, and not in
// the other.
void keep_memory() {
  static bool kept;
  if (kept) return;
  kept = true;
  mallopt(M_MMAP_THRESHOLD, 32 << 20);  // the largest that is allowed
  mallopt(M_TRIM_THRESHOLD, -1);
}

void renew_heap(Noise& noise, bool thoroughly, bool on_device) {
  if (!thoroughly) keep_memory();
  const uint64_t way = thoroughly ? noise.next() & 7 : 7;
  const bool whole = way < 4;
  set_filling(whole && !on_device ? static_cast<int>(1 + noise.next() % 255) : 0);
  if (way == 0 && !on_device) malloc_trim(0);
  const size_t distance = thoroughly ? noise.some_distance() : usual_distance;
  const struct mallinfo2 info = mallinfo2();
  found.top = end_of_heap() - info.keepcost;
  found.bytes = info.fordblks - info.keepcost;
  take_free_blocks(noise, thoroughly);
  fill(noise, whole, distance);
  // Sometimes a call's blocks come back to it, and sometimes not: both happen.
  give_back(noise, whole);
  if (whole) move_ballast(noise);
  constexpr size_t header = 64;
  char* const heap_end = end_of_heap();
  char* const unused = heap_end - mallinfo2().keepcost + header;
  if (unused < heap_end) change_resident_words(noise, unused, heap_end, distance);
}

// Renews what libc's functions keep between calls: the places that they return, and where they go on.
void renew_libc(Noise& noise) {
  char nothing[1] = "";
  strtok(nothing, " ");
  srandom(static_cast<unsigned>(noise.next()));
  srand48(static_cast<long>(noise.next()));
  signgam = noise.next() & 1 ? 1 : -1;
  tm date{};
  date.tm_mday = static_cast<int>(1 + noise.next() % 28);
  date.tm_year = static_cast<int>(noise.next() % 200);
  asctime(&date);
  int point = 0, sign = 0;
  ecvt(static_cast<double>(noise.next() % 100000), 9, &point, &sign);
  fcvt(static_cast<double>(noise.next() % 100000), 2, &point, &sign);
  l64a(static_cast<long>(noise.next()));
  in_addr address{};
  address.s_addr = static_cast<in_addr_t>(noise.next());
  inet_ntoa(address);
  strerror(static_cast<int>(1000 + noise.next() % 1000));
  mblen(nullptr, 0);
  mbtowc(nullptr, nullptr, 0);
  wctomb(nullptr, 0);
  mbrtowc(nullptr, "", 1, nullptr);
  wcrtomb(nullptr, 0, nullptr);
}

struct OwnVariables {
  uintptr_t of_unit;
  char* here;  // this thread's
  const char* image;
  size_t image_bytes, bytes;
};

int find_own_variables(dl_phdr_info* info, size_t, void* data) {
  auto& wanted = *static_cast<OwnVariables*>(data);
  bool holds = false;
  const ElfW(Phdr)* variables = nullptr;
  for (unsigned i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = info->dlpi_phdr[i];
    const uintptr_t start = info->dlpi_addr + part.p_vaddr;
    if (part.p_type == PT_LOAD && wanted.of_unit >= start && wanted.of_unit - start < part.p_memsz) holds = true;
    if (part.p_type == PT_TLS) variables = &part;
  }
  if (!holds) return 0;
  if (variables)
    wanted = {wanted.of_unit, static_cast<char*>(info->dlpi_tls_data),
              reinterpret_cast<const char*>(info->dlpi_addr + variables->p_vaddr), variables->p_filesz,
              variables->p_memsz};
  return 1;
}

// Resets a thread's variables to what a new thread has. Now and then only: a call may meet either.
void reset_own_variables(Noise& noise, const void* of_unit) {
  static uint64_t at_first;
  if (at_first == 0) at_first = heap_in_use();
  if (noise.next() & 7 || heap_in_use() > at_first + most_lost) return;
  OwnVariables own{reinterpret_cast<uintptr_t>(of_unit), nullptr, nullptr, 0, 0};
  dl_iterate_phdr(find_own_variables, &own);
  if (!own.here) return;
  memcpy(own.here, own.image, own.image_bytes);
  memset(own.here + own.image_bytes, 0, own.bytes - own.image_bytes);
}

}  // namespace

void renew_leftovers(uint64_t key, bool thoroughly, const void* of_unit, bool on_device) {
  Noise noise{key};
  renew_own_stack(noise.next(), thoroughly);
  renew_heap(noise, thoroughly, on_device);
  renew_libc(noise);
  // The CUDA runtime, which is part of a unit there, has variables of its own among them.
  if (thoroughly && !on_device) reset_own_variables(noise, of_unit);
  errno = static_cast<int>(noise.next() & 1 ? noise.next() % 134 : noise.next() >> 33);
}

uint64_t heap_in_use() {
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

}  // namespace hone::runner
