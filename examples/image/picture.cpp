#include "picture.h"

#include <fstream>
#include <limits>
#include <stdexcept>

namespace {

// The next number of the header; comments run from # to the end of their line.
int header_number(std::istream& file) {
  while ((file >> std::ws) && file.peek() == '#') file.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  int number = 0;
  file >> number;
  return number;
}

}  // namespace

Picture read_pgm(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  char magic[2] = {};
  file.read(magic, 2);
  Picture picture;
  picture.width = header_number(file);
  picture.height = header_number(file);
  int maximum = header_number(file);
  file.get();  // the one blank behind the header
  if (!file || magic[0] != 'P' || magic[1] != '5' || picture.width < 1 || picture.height < 1 || maximum != 255 ||
      picture.width > 1 << 14 || picture.height > 1 << 14)
    throw std::runtime_error(path + ": not a PGM file of one byte a pixel");
  picture.pixels.resize(static_cast<std::size_t>(picture.width) * static_cast<std::size_t>(picture.height));
  if (!file.read(reinterpret_cast<char*>(picture.pixels.data()), static_cast<std::streamsize>(picture.pixels.size())))
    throw std::runtime_error(path + ": shorter than its header says");
  return picture;
}

void write_pgm(const std::string& path, const Picture& picture) {
  std::ofstream file(path, std::ios::binary);
  file << "P5\n" << picture.width << ' ' << picture.height << "\n255\n";
  file.write(reinterpret_cast<const char*>(picture.pixels.data()), static_cast<std::streamsize>(picture.pixels.size()));
  if (!file) throw std::runtime_error(path + ": cannot be written");
}
