// The checksum CRC-32C of bytes, going on from the checksum of those in front of them.
#pragma hone kernel in(data[0:n]) problem(n = 60000) problem(n = 2000) init(crc: uniform(0, 4294967295))
unsigned crc32c(const unsigned char* data, int n, unsigned crc) {
  crc = ~crc;
  for (int i = 0; i < n; ++i) {
    crc ^= data[i];
    for (int bit = 0; bit < 8; ++bit) crc = crc & 1 ? crc >> 1 ^ 0x82F63B78u : crc >> 1;
  }
  return ~crc;
}
