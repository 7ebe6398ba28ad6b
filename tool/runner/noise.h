// What memory is filled with between calls: words that follow from a key and mean nothing. Not for secrets.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace hone::runner {

constexpr size_t usual_distance = 512;  // bytes, from one changed word to the next

struct Noise {
  uint64_t state;

  uint64_t next() {  // SplitMix64
    uint64_t z = state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }

  // 64 to 4096 bytes: few changes let most of a memo stand, many leave none whole.
  size_t some_distance() { return size_t{64} << (2 * (next() & 3)); }

  void fill(char* from, char* to);

  // Changes one word somewhere in each stretch of `distance` bytes, which is a power of two; the others stay.
  void change_words(char* from, char* to, size_t distance);
};

// The lowest page of whole pages that the process has memory for; `to` where there is none.
char* first_resident(char* from, char* to);

// change_words() in the pages that the process has memory for; no others come to life.
void change_resident_words(Noise& noise, char* from, char* to, size_t distance);

}  // namespace hone::runner
