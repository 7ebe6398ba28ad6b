// A project of one library call and one annotated function, which is configured and built as its user would.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "tests/projects/project.h"

namespace hone::tests {

inline constexpr const char* kList = R"(cmake_minimum_required(VERSION 3.25)
project(user CXX)
find_package(Hone REQUIRED)
add_executable(app main.cpp scale.cpp)
hone_target(app)
)";
inline constexpr const char* kMain = R"(#include <cstdio>
#include "scale.h"
int main() {
  float x[2] = {1, 2};
  scale(x, 2);
  std::printf("%g %g\n", x[0], x[1]);
}
)";
inline constexpr const char* kScale = R"(#include "scale.h"
#pragma hone kernel inout(x[0:n]) problem(n=1000)
void scale(float* x, int n) {
  for (int i = 0; i < n; ++i) x[i] *= FACTOR;
}
)";
inline constexpr const char* kTriples = "void scale(float* x, int n) {\n  for (int i = 0; i < n; ++i) x[i] *= 3;\n}\n";

class CMakeProject : public testing::Test {
 protected:
  void SetUp() override {
    project.write("CMakeLists.txt", kList);
    project.write("main.cpp", kMain);
    project.write("scale.cpp", kScale);
    project.write("scale.h", "#define FACTOR 2\nvoid scale(float* x, int n);\n");
  }

  void configure(std::vector<std::string> options = {}, const std::string& generator = "Ninja") {
    Outcome configured = project.configure(generator, std::move(options));
    ASSERT_TRUE(configured.ok()) << configured.all();
  }
  Outcome build(const std::string& target = "all") {
    Outcome built = project.build_target(target);
    EXPECT_TRUE(built.ok()) << built.all();
    return built;
  }
  std::string lock_triples() { return project.lock_variant("scale", "scale.cpp", project.key("scale"), kTriples); }
  std::filesystem::path object(const std::string& file) const {
    return project.build() / "CMakeFiles" / "app.dir" / (file + ".o");
  }
  std::filesystem::file_time_type time_of(const std::string& file) const {
    return std::filesystem::last_write_time(object(file));
  }

  Project project;
};

}  // namespace hone::tests
