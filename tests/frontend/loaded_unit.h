// A unit compiled by a real compiler into a shared object, loaded, and called as the runner calls it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tests/frontend/snippet.h"

namespace hone::frontend {

// The unit as the compiler gets it, the original in it.
std::string whole(const KernelSpec& spec);

class LoadedUnit {
 public:
  // `compiler`: a program and its flags. Throws where it cannot be loaded.
  LoadedUnit(const Snippet& snippet, const KernelSpec& spec, const std::string& compiler);
  ~LoadedUnit();
  LoadedUnit(const LoadedUnit&) = delete;
  LoadedUnit& operator=(const LoadedUnit&) = delete;

  void call(std::vector<void*> slots, void* result = nullptr) const;
  void problem(unsigned number, std::vector<void*> slots) const;
  std::pair<std::vector<long long>, std::vector<double>> evaluate(std::vector<void*> slots, unsigned count) const;

 private:
  void* handle_ = nullptr;
};

}  // namespace hone::frontend
