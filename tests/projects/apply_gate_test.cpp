// What a build does with lock files and variants from people whom nobody knows.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "cache/digest.h"
#include "tests/projects/project.h"

namespace hone::tests {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

constexpr const char* kScale = R"(#include <cstdio>
#include <cstdlib>
#pragma hone kernel inout(x[0:n]) problem(n=1000)
void scale(float* x, int n) {
  for (int i = 0; i < n; ++i) x[i] *= 2;
}
static double size_of(double v) { return abs(v); }
int main() {
  float x[1] = {1};
  scale(x, 1);
  std::printf("%g %g\n", x[0], size_of(-1.5));
}
)";
constexpr const char* kBody = "void scale(float* x, int n) {\n  for (int i = 0; i < n; ++i) x[i] *= 3;\n}\n";

class ApplyGate : public testing::Test {
 protected:
  void SetUp() override {
    project.write("scale.cpp", kScale);
    key_ = project.key_of_file("scale", "scale.cpp");
  }

  Outcome compile_with(const std::string& variant, std::vector<std::string> options = {}) {
    digest_ = project.lock_variant("scale", "scale.cpp", key_, variant);
    return project.compile("scale.cpp", std::move(options));
  }
  // The original is compiled, and it is said once why.
  void expect_refused(const std::string& variant, const std::string& why) {
    const Outcome compiled = compile_with(variant);
    EXPECT_TRUE(compiled.ok()) << compiled.all();
    EXPECT_THAT(compiled.err, AllOf(HasSubstr("scale.cpp:3: note: hone: the locked variant of 'scale' is refused: "),
                                    HasSubstr(why)));
    EXPECT_EQ(count(compiled.err, "note: hone:"), 1u) << compiled.err;
    EXPECT_EQ(project.link_and_run({"scale.cpp"}).out, "2 1\n");
  }
  fs::path answers() const { return project.folder() / "user cache" / "hone" / "ac"; }

  Project project;
  std::string key_, digest_;
};

TEST_F(ApplyGate, AcceptsPlainKernel) {
  EXPECT_EQ(compile_with(kBody).all(), "");
  EXPECT_EQ(project.link_and_run({"scale.cpp"}).out, "3 1\n");
}

TEST_F(ApplyGate, RefusesConstructor) {
  expect_refused(std::string("__attribute__((constructor)) static void early() {}\n") + kBody, "hone/cas/");
  EXPECT_FALSE(digest_.empty());
}

TEST_F(ApplyGate, RefusesPragmaThatAffectsCodeBelow) {
  expect_refused(std::string("#pragma GCC optimize(\"Ofast\")\n") + kBody,
                 "could change code outside of the candidate");
}

TEST_F(ApplyGate, RefusesIncludeOfProjectFile) {
  project.write("secret", "static const char secret[] = \"x\";\n");
  expect_refused(std::string("#include \"secret\"\n") + kBody, "#include \"secret\" is not allowed");
}

// <math.h> brings overloads of abs into the global namespace.
TEST_F(ApplyGate, RefusesIncludeThatChangesCodeBelow) {
  expect_refused(std::string("#include <math.h>\n") + kBody, "scale.cpp:7 means 'std::abs");
}

TEST_F(ApplyGate, FailsStrictBuild) {
  const Outcome compiled = compile_with(std::string("static int calls;\n") + kBody, {"--locked"});
  EXPECT_EQ(compiled.code, 1);
  EXPECT_THAT(compiled.err, HasSubstr("scale.cpp:3: error: hone: the locked variant of 'scale' is refused"));
}

// Asked once for each variant, file and command; what was damaged is asked again.
TEST_F(ApplyGate, CachesItsAnswer) {
  ASSERT_EQ(compile_with(kBody).all(), "");
  ASSERT_EQ(std::distance(fs::directory_iterator(answers()), fs::directory_iterator()), 1);
  const fs::path answer = *fs::directory_iterator(answers());
  const auto say = [&](const std::string& refused, const std::string& seal) {
    fs::remove(answer);
    std::ofstream(answer) << "{\"refused\": \"" << refused << "\", \"seal\": \"" << seal << "\"}\n";
  };
  say("of the moon", cache::sha256(answer.filename().string() + "\nof the moon"));
  EXPECT_THAT(project.compile("scale.cpp").err, HasSubstr("is refused: of the moon"));
  say("of the moon", "damaged");
  EXPECT_EQ(project.compile("scale.cpp").all(), "");
  project.write("scale.cpp", std::string(kScale) + "int more;\n");
  EXPECT_EQ(project.compile("scale.cpp").all(), "");
  EXPECT_EQ(std::distance(fs::directory_iterator(answers()), fs::directory_iterator()), 2);
}

}  // namespace
}  // namespace hone::tests
