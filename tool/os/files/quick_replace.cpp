#include "tool/os/files/quick_replace.h"

#include <unistd.h>

#include <fstream>
#include <string>

namespace hone::os {

bool replace_quickly(const std::filesystem::path& file, std::string_view text) {
  const std::filesystem::path staged = file.string() + '.' + std::to_string(::getpid());
  std::ofstream stream(staged, std::ios::binary | std::ios::trunc);
  stream << text;
  stream.close();
  std::error_code error;
  if (stream) std::filesystem::rename(staged, file, error);
  if (stream && !error) return true;
  std::filesystem::remove(staged, error);
  return false;
}

}  // namespace hone::os
