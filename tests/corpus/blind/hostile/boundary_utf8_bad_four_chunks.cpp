// kernel: utf8_bad
// verdict: verify
// tries: four chunks side by side whose starts go back to a character's start, by up to two bytes: a chunk that starts at the last byte of four is split
#include <cstdint>
namespace {
// State: 0 between characters, 1..3 so many to come, 4..7 behind E0, ED, F0, F4. A byte's word has eight bits for each
// state: eight times the next one, and the errors above.
struct Automaton {
  std::uint64_t word[256];
  constexpr Automaton() : word() {
    for (int b = 0; b < 256; ++b) {
      int start = 0x40;
      if (b < 0x80) start = 0;
      else if (b >= 0xC2 && b <= 0xDF) start = 8;
      else if (b == 0xE0) start = 32;
      else if (b == 0xED) start = 40;
      else if (b >= 0xE1 && b <= 0xEF) start = 16;
      else if (b == 0xF0) start = 48;
      else if (b >= 0xF1 && b <= 0xF3) start = 24;
      else if (b == 0xF4) start = 56;
      const bool more = b >= 0x80 && b <= 0xBF;
      const int broken = start + 0x40;
      const int next[8] = {start, more ? 0 : broken, more ? 8 : broken, more ? 16 : broken, more && b >= 0xA0 ? 8 : broken,
                           more && b <= 0x9F ? 8 : broken, more && b >= 0x90 ? 16 : broken, more && b <= 0x8F ? 16 : broken};
      for (int s = 0; s < 8; ++s) word[b] |= static_cast<std::uint64_t>(next[s]) << (8 * s);
    }
  }
};
constexpr Automaton automaton;
}  // namespace
int utf8_bad(const unsigned char* s, int n) {
  int from[5] = {0, 0, 0, 0, n};
  int bad = 0;
  if (n < 256) {
    std::uint64_t state = 0;
    for (int i = 0; i < n; ++i) {
      state = automaton.word[s[i]] >> (state & 63);
      bad += static_cast<int>(state >> 6 & 3);
    }
    return bad + ((state & 63) != 0);
  }
  int shortest = n;
  for (int c = 1; c < 4; ++c) {
    int p = n / 4 * c;
    for (int back = 0; back <= 2; ++back)
      if ((s[p - back] & 0xC0) != 0x80) {
        p -= back;
        break;
      }
    from[c] = p;
  }
  for (int c = 0; c < 4; ++c)
    if (from[c + 1] - from[c] < shortest) shortest = from[c + 1] - from[c];
  std::uint64_t state[4] = {};
  for (int i = 0; i < shortest; ++i)
    for (int c = 0; c < 4; ++c) {
      state[c] = automaton.word[s[from[c] + i]] >> (state[c] & 63);
      bad += static_cast<int>(state[c] >> 6 & 3);
    }
  for (int c = 0; c < 4; ++c) {
    for (int i = from[c] + shortest; i < from[c + 1]; ++i) {
      state[c] = automaton.word[s[i]] >> (state[c] & 63);
      bad += static_cast<int>(state[c] >> 6 & 3);
    }
    bad += (state[c] & 63) != 0;
  }
  return bad;
}
