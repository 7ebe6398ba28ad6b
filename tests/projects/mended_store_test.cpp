// What the lock file names and hone/ has lost: forgotten in a commit, damaged, or come back.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/projects/project.h"

namespace hone::tests {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

constexpr const char* kSource = R"(#include <cstdio>
#pragma hone kernel inout(x[0:n]) problem(n=1000)
void scale(float* x, int n) {
  for (int i = 0; i < n; ++i) x[i] *= 2;
}
int main() {
  float x[1] = {1};
  scale(x, 1);
  std::printf("%g\n", x[0]);
}
)";
// As if it were a variant: what the program prints shows which text was linked.
constexpr const char* kVariant = "void scale(float* x, int n) {\n  for (int i = 0; i < n; ++i) x[i] *= 20;\n}\n";

class MendedStore : public testing::Test {
 protected:
  void SetUp() override {
    project.write("scale.cpp", kSource);
    blob =
        project.blob(project.lock_variant("scale", "scale.cpp", project.key_of_file("scale", "scale.cpp"), kVariant));
    whole = project.read(blob);
    ASSERT_NE(whole, "");
  }

  void put_into_user_store() {
    const fs::path there = project.folder() / "user cache/hone/cas" / blob.filename();
    fs::create_directories(there.parent_path());
    std::ofstream(there, std::ios::binary) << whole;
  }
  std::string printed() {
    const Outcome compiled = project.compile("scale.cpp");
    said = compiled.err;
    EXPECT_TRUE(compiled.ok()) << compiled.all();
    return project.link_and_run({"scale.cpp"}).out;
  }
  Outcome tune() {
    project.write_database(
        "scale.cpp", {"g++", "-Wall", "-Wno-unknown-pragmas", "-c", (project.source() / "scale.cpp").string(), "-o",
                      project.object("scale.cpp").string()});
    return project.run({HONE_PROGRAM, "tune", "-p", project.build().string()}, project.folder());
  }

  Project project;
  fs::path blob;
  std::string whole, said;
};

TEST_F(MendedStore, IsFilledFromUserStoreByTuning) {
  put_into_user_store();
  fs::remove_all(project.source() / "hone");
  const Outcome tuned = tune();
  EXPECT_TRUE(tuned.ok()) << tuned.all();
  EXPECT_THAT(tuned.all(), HasSubstr("already tuned"));
  EXPECT_EQ(project.read(blob), whole);
  EXPECT_EQ(printed(), "20\n");
  EXPECT_EQ(said, "");
}

TEST_F(MendedStore, IsRepairedFromUserStore) {
  put_into_user_store();
  std::ofstream(blob, std::ios::binary) << whole.substr(0, whole.size() / 2);
  EXPECT_EQ(printed(), "20\n");
  EXPECT_EQ(said, "");  // nothing was lost
  EXPECT_EQ(project.read(blob), whole);
  EXPECT_EQ(printed(), "20\n");
  EXPECT_EQ(said, "");
}

TEST_F(MendedStore, CostsVariantIfNothingElseHasIt) {
  std::ofstream(blob, std::ios::binary) << whole.substr(0, whole.size() / 2);
  EXPECT_EQ(printed(), "2\n");
  EXPECT_THAT(said, HasSubstr("is in no cache"));
  fs::create_directories(blob.parent_path());
  std::ofstream(blob, std::ios::binary) << whole;
  EXPECT_EQ(printed(), "20\n");
}

// A search in which nothing can be run knows nothing: neither a variant nor that the original is the best.
TEST(SearchWithoutCandidates, SaysSoAndLocksNothing) {
  Project project;
  project.write("scale.cpp", kSource);
  project.write("reply.sh",
                "cat > /dev/null\nprintf 'name: loud\\n```cpp\\n#include <cstdio>\\nvoid scale(float* x, int n) {\\n  "
                "std::puts(\"!\");\\n}\\n```\\nthought: none\\n'\n");
  project.write_database("scale.cpp",
                         {"g++", "-Wno-unknown-pragmas", "-O2", "-c", (project.source() / "scale.cpp").string(), "-o",
                          project.object("scale.cpp").string()});
  const Outcome tuned = project.run({HONE_PROGRAM, "tune", "-p", project.build().string(), "--strategy", "free",
                                     "--proposer", "command:sh ./reply.sh", "--trials", "2"},
                                    project.source());
  EXPECT_EQ(tuned.code, 1) << tuned.all();
  EXPECT_THAT(tuned.all(), HasSubstr("the only candidate could not be run, so nothing is known"));
  EXPECT_THAT(tuned.all(), HasSubstr("#include <cstdio> is not allowed"));
  EXPECT_FALSE(fs::exists(project.lock()));
}

}  // namespace
}  // namespace hone::tests
