#include "tool/os/files/this_program.h"

#include <sys/stat.h>

namespace hone::os {

std::string this_program() {
  struct stat status {};
  if (::stat("/proc/self/exe", &status) != 0) return "";
  return std::to_string(status.st_size) + ' ' + std::to_string(status.st_mtim.tv_sec) + ' ' +
         std::to_string(status.st_mtim.tv_nsec) + ' ' + std::to_string(status.st_ino);
}

}  // namespace hone::os
