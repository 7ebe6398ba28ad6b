#include "tool/project/kernels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hone::project {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<ProjectKernel> kernels() {
  std::vector<ProjectKernel> list;
  for (const char* name :
       {"app::blur3x3", "app::unblur3x3", "gpu::saxpy", "cpu::saxpy", "dot", "ring<std::pair<int, float>>::push",
        "ring<float>::pop", "ring<double>::pop", "ring<float>::operator<"}) {
    ProjectKernel kernel;
    kernel.spec.name = name;
    list.push_back(kernel);
  }
  return list;
}

std::vector<std::string> names(const std::vector<std::string>& wanted) {
  std::vector<std::string> found;
  const auto selected = select_kernels(kernels(), wanted);
  if (!selected) return {"error: " + selected.error().message()};
  for (const ProjectKernel& kernel : *selected) found.push_back(kernel.spec.name);
  return found;
}

TEST(SelectKernels, TakesAllWithoutNames) {
  EXPECT_EQ(names({}).size(), 9u);
}

TEST(SelectKernels, TakesExactName) {
  EXPECT_THAT(names({"dot"}), ElementsAre("dot"));
}

TEST(SelectKernels, TakesEndOfName) {
  EXPECT_THAT(names({"blur3x3"}), ElementsAre("app::blur3x3")) << "behind :: before any other end";
  EXPECT_THAT(names({"unblur3x3", "dot"}), ElementsAre("app::unblur3x3", "dot"));
  EXPECT_THAT(names({"u::saxpy"}), ElementsAre(HasSubstr("means several")));
  EXPECT_THAT(names({"gpu::saxpy"}), ElementsAre("gpu::saxpy"));
}

TEST(SelectKernels, TakesInstanceWithoutItsTemplateArguments) {
  EXPECT_THAT(names({"ring::push"}), ElementsAre("ring<std::pair<int, float>>::push"));
  EXPECT_THAT(names({"ring::operator<"}), ElementsAre("ring<float>::operator<"));
  EXPECT_THAT(names({"ring::pop"}), ElementsAre(HasSubstr("say which: ring<double>::pop, ring<float>::pop")));
}

TEST(SelectKernels, RejectsEndOfSeveralNames) {
  EXPECT_THAT(names({"saxpy"}), ElementsAre("error: 'saxpy' means several kernels; say which: cpu::saxpy, gpu::saxpy"));
}

TEST(SelectKernels, SuggestsNameForUnknownOne) {
  EXPECT_THAT(names({"blur3x"}), ElementsAre("error: there is no kernel 'blur3x'; did you mean 'app::blur3x3'?"));
  EXPECT_THAT(names({"fourier"}), ElementsAre(HasSubstr("there are app::blur3x3, ")));
  EXPECT_THAT(names({""}), ElementsAre(HasSubstr("there is no kernel ''")));
}

}  // namespace
}  // namespace hone::project
