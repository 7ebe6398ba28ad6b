// Halves, quarters and eighths change places.
void bit_transpose(const std::uint64_t* from, std::uint64_t* to, int n) {
  for (int i = 0; i < n; ++i) {
    std::uint64_t word = from[i];
    std::uint64_t moved = (word ^ (word >> 7)) & 0x00AA00AA00AA00AAull;
    word ^= moved ^ (moved << 7);
    moved = (word ^ (word >> 14)) & 0x0000CCCC0000CCCCull;
    word ^= moved ^ (moved << 14);
    moved = (word ^ (word >> 28)) & 0x00000000F0F0F0F0ull;
    word ^= moved ^ (moved << 28);
    to[i] = word;
  }
}
