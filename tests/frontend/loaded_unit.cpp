#include "tests/frontend/loaded_unit.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <stdexcept>

#include "tool/model/kernel_language.h"
#include "tool/runner/abi.h"

namespace hone::frontend {

std::string whole(const KernelSpec& spec) {
  const KernelUnit& unit = spec.unit;
  return unit.prologue + unit.opening + "#line " + std::to_string(unit.definition_line) + " \"main.cpp\"\n" +
         unit.definition + "\n" + unit.closing + unit.harness;
}

LoadedUnit::LoadedUnit(const Snippet& snippet, const KernelSpec& spec, const std::string& compiler) {
  const std::string base = snippet.folder().string() + "/unit";
  const std::string file = base + (is_c(spec) ? ".c" : ".cpp");
  EXPECT_TRUE(os::write_file_atomically(file, whole(spec)));
  const std::string command = compiler + " -I" + snippet.folder().string() + " -shared -fPIC -o " + base + ".so " +
                              file + " -lm > " + base + ".log 2>&1";
  EXPECT_EQ(std::system(command.c_str()), 0) << command << "\n"
                                             << os::read_file(base + ".log").value_or("") << whole(spec);
  handle_ = dlopen((base + ".so").c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle_) throw std::runtime_error(dlerror());
}

LoadedUnit::~LoadedUnit() {
  if (handle_) dlclose(handle_);
}

void LoadedUnit::call(std::vector<void*> slots, void* result) const {
  reinterpret_cast<decltype(&hone_call)>(dlsym(handle_, "hone_call"))(slots.data(), result);
}

void LoadedUnit::problem(unsigned number, std::vector<void*> slots) const {
  reinterpret_cast<decltype(&hone_problem)>(dlsym(handle_, "hone_problem"))(number, slots.data());
}

std::pair<std::vector<long long>, std::vector<double>> LoadedUnit::evaluate(std::vector<void*> slots,
                                                                            unsigned count) const {
  std::vector<long long> integers(count);
  std::vector<double> reals(count);
  reinterpret_cast<decltype(&hone_evaluate)>(dlsym(handle_, "hone_evaluate"))(slots.data(), integers.data(),
                                                                              reals.data());
  return {integers, reals};
}

}  // namespace hone::frontend
