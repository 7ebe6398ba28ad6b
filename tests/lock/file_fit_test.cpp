// Variants that are right by themselves and clash with the file they go into.

#include <unistd.h>

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tool/frontend/find/kernel_finder.h"
#include "tool/lock/file_fit.h"
#include "tool/os/files/files.h"

namespace hone::lock {
namespace {

using ::testing::HasSubstr;

constexpr const char* source = R"(static int twice(int x) { return 2 * x; }
#pragma hone kernel in(x[0:n]) out(y[0:n]) problem(n = 64)
void copy(const float* x, float* y, int n) {
  for (int i = 0; i < n; ++i) y[i] = x[i];
}
int main() { return twice(0); }
)";

class FileFit : public ::testing::Test {
 protected:
  FileFit() : folder_(std::move(*os::TemporaryFolder::create("hone-file-fit"))) {
    const std::string file = (folder_.path() / "copy.cpp").string();
    std::ofstream(file) << source;
    unit_.command = {folder_.path().string(), file, "copy.o", {"g++", "-O1", "-c", file, "-o", "copy.o"}};
    unit_.settings.lock = folder_.path() / "hone.lock";
    spec_ = frontend::find_kernels(unit_.command, {})->kernels.at(0).spec;
  }

  std::string misfit_of(const std::string& helper) {
    return misfit(unit_, spec_, helper + "void copy(const float* x, float* y, int n) { y[0] = x[n - n]; }\n", {});
  }

  os::TemporaryFolder folder_;
  project::ProjectUnit unit_;
  KernelSpec spec_;
};

TEST_F(FileFit, AcceptsVariantWithOwnHelper) {
  EXPECT_EQ(misfit_of("static float once(float v) { return v; }\n"), "");
}

TEST_F(FileFit, RefusesHelperWhoseNameFileAlreadyDefines) {
  EXPECT_THAT(misfit_of("static int twice(int v) { return v; }\n"), HasSubstr("redefinition of 'twice'"));
}

// Of an object for two families of architectures both the variant and the original must be to be had.
TEST_F(FileFit, RefusesVariantThatCannotBeChosenByFamily) {
  if (::access("/usr/local/cuda/bin/nvcc", X_OK) != 0) GTEST_SKIP() << "there is no nvcc";
  const std::string file = (folder_.path() / "copy.cu").string();
  const auto written = [&](const std::string& parameters) {
    std::ofstream(file) << "__global__ void all(const float* x, float* y) { y[threadIdx.x] = x[threadIdx.x]; }\n"
                           "#pragma hone kernel in(x[0:n]) out(y[0:n]) problem(n = 64)\n"
                           "void copy(" +
                               parameters + ") { all<<<1, 64>>>(x, y); }\n";
    unit_.command = {folder_.path().string(),
                     file,
                     "copy.o",
                     {"/usr/local/cuda/bin/nvcc", "-gencode=arch=compute_80,code=sm_80",
                      "-gencode=arch=compute_90,code=sm_90", "-c", file, "-o", "copy.o"}};
    spec_ = frontend::find_kernels(unit_.command, {})->kernels.at(0).spec;
    return misfit(unit_, spec_, "void copy(" + parameters + ") { all<<<1, 64>>>(x, y); }\n", {});
  };
  EXPECT_EQ(written("const float* x, float* y, int n"), "");
  EXPECT_THAT(written("const float* x, float* y, int n, int"), HasSubstr("a parameter of it has no name"));
}

}  // namespace
}  // namespace hone::lock
