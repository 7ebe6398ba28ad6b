// The checksum of Ethernet and zip, half a byte at a time.
#include <cstdint>

static std::uint32_t shifted(std::uint32_t value) {
  for (int bit = 0; bit < 4; ++bit) {
    value = (value >> 1) ^ ((value & 1) ? 0xEDB88320u : 0u);
  }
  return value;
}

#pragma hone kernel in(bytes[0 : n]) problem(n = 20000) problem(n = 9973)
std::uint32_t crc32(const unsigned char* bytes, int n) {
  std::uint32_t table[16];
  for (std::uint32_t i = 0; i < 16; ++i) table[i] = shifted(i);
  std::uint32_t sum = 0xFFFFFFFFu;
  for (int i = 0; i < n; ++i) {
    sum ^= bytes[i];
    sum = (sum >> 4) ^ table[sum & 15];
    sum = (sum >> 4) ^ table[sum & 15];
  }
  return ~sum;
}
