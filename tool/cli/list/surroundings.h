// What this machine would measure a kernel with: its compiler and its device, each asked once.
//
// One thread.
#pragma once

#include <map>
#include <string>

#include "tool/lock/other_evidence.h"
#include "tool/project/kernels.h"

namespace hone::cli {

class ThisMachine {
 public:
  lock::Surroundings around(const project::ProjectKernel& kernel);

 private:
  std::map<std::string, std::string> compilers_;  // identities, by what names them
};

}  // namespace hone::cli
