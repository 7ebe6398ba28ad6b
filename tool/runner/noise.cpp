#include "tool/runner/noise.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

namespace hone::runner {
namespace {

constexpr size_t most_pages = 16384;  // asked about at once

char* aligned(char* at, size_t to) {
  return reinterpret_cast<char*>((reinterpret_cast<uintptr_t>(at) + to - 1) / to * to);
}

size_t page_size() {
  return static_cast<size_t>(getpagesize());
}

// For each page, whether there is memory for it; nullptr: the system does not say.
const unsigned char* residence(char* from, size_t bytes) {
  static unsigned char pages[most_pages];
  const size_t count = bytes / page_size();
  return count <= most_pages && mincore(from, bytes, pages) == 0 ? pages : nullptr;
}

}  // namespace

void Noise::fill(char* from, char* to) {
  uint64_t word = next();
  for (; from + 8 <= to; from += 8) {
    word += 0x9e3779b97f4a7c15u;
    const uint64_t mixed = word ^ (word >> 29);
    memcpy(from, &mixed, 8);
  }
}

void Noise::change_words(char* from, char* to, size_t distance) {
  for (from = aligned(from, 8); from + 8 <= to; from += distance) {
    const size_t room = static_cast<size_t>(to - from) < distance ? static_cast<size_t>(to - from) : distance;
    const uint64_t word = next();
    memcpy(from + 8 * (word % (room / 8)), &word, 8);
  }
}

char* first_resident(char* from, char* to) {
  const size_t bytes = static_cast<size_t>(to - from), page = page_size();
  const unsigned char* pages = residence(from, bytes);
  if (!pages) return from;
  size_t n = 0;
  while (n < bytes / page && !(pages[n] & 1)) ++n;
  return from + n * page;
}

void change_resident_words(Noise& noise, char* from, char* to, size_t distance) {
  const size_t page = page_size();
  char* const whole = aligned(from, page);
  if (whole >= to) return noise.change_words(from, to, distance);
  noise.change_words(from, whole, distance);
  size_t bytes = static_cast<size_t>(aligned(to, page) - whole);
  if (bytes > most_pages * page) bytes = most_pages * page;
  const unsigned char* pages = residence(whole, bytes);
  for (size_t n = 0; pages && n < bytes / page; ++n) {
    char* const at = whole + n * page;
    if (pages[n] & 1) noise.change_words(at, at + page < to ? at + page : to, distance);
  }
}

}  // namespace hone::runner
