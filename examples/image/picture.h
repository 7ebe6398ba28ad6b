// Gray pictures in PGM files (P5, one byte a pixel).
#pragma once

#include <string>
#include <vector>

struct Picture {
  int width = 0;
  int height = 0;
  std::vector<unsigned char> pixels;
};

// Throws std::runtime_error with the file's name.
Picture read_pgm(const std::string& path);
void write_pgm(const std::string& path, const Picture& picture);
