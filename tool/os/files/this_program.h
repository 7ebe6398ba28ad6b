// Which build of this program is running: what it concluded, another build may not believe.
#pragma once

#include <string>

namespace hone::os {

// Size, time and inode of the executable; "" where /proc does not tell.
std::string this_program();

}  // namespace hone::os
