// A byte at a time, by a table that is made first.
std::uint32_t crc32(const unsigned char* bytes, int n) {
  std::uint32_t table[256];
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t value = i;
    for (int bit = 0; bit < 8; ++bit) value = (value >> 1) ^ (0xEDB88320u & (0u - (value & 1)));
    table[i] = value;
  }
  std::uint32_t sum = 0xFFFFFFFFu;
  for (int i = 0; i < n; ++i) sum = (sum >> 8) ^ table[(sum ^ bytes[i]) & 255];
  return ~sum;
}
