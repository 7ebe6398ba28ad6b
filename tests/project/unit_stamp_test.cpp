// What is left beside an object is believed as long as nothing that Clang read, or missed, has changed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tool/os/files/files.h"
#include "tool/project/kernels.h"
#include "tool/project/unit_stamp.h"

namespace hone::project {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::SizeIs;

class UnitStamp : public testing::Test {
 protected:
  os::TemporaryFolder folder_ = *os::TemporaryFolder::create("hone-stamp");
  fs::path root_ = folder_.path();

  UnitStamp() {
    write("first/nothing.txt", "");
    write("second/factor.h", "#define FACTOR 2\n");
    write("a.cpp", kernel("scale"));
    write_database("-O2");
  }
  void write(const fs::path& path, const std::string& text) {
    ASSERT_TRUE(os::write_file_atomically(root_ / path, text));
  }
  static std::string kernel(const std::string& name) {
    return "#include <factor.h>\n#pragma hone kernel inout(x[0:n]) problem(n=1000)\nvoid " + name +
           "(float* x, int n) { for (int i = 0; i < n; ++i) x[i] *= FACTOR; }\n";
  }
  void write_database(const std::string& flags) {
    const nlohmann::json entry = {{"directory", (root_ / "build").string()},
                                  {"command", "g++ " + flags + " -I../first -I../second -o a.o -c ../a.cpp"},
                                  {"file", "../a.cpp"}};
    write("build/compile_commands.json", nlohmann::json::array({entry}).dump());
  }
  ProjectKernels look() { return find_kernels(*open_project(root_ / "build"), {}); }
  std::string key() { return look().kernels.at(0).spec.key; }
};

TEST_F(UnitStamp, SparesParseWhileNothingChanged) {
  const ProjectKernels first = look();
  ASSERT_THAT(first.kernels, SizeIs(1));
  EXPECT_TRUE(first.kernels[0].whole);
  ProjectKernels second = look();
  ASSERT_THAT(second.kernels, SizeIs(1));
  EXPECT_FALSE(second.kernels[0].whole);
  EXPECT_EQ(second.kernels[0].spec.key, first.kernels[0].spec.key);
  EXPECT_EQ(second.kernels[0].spec.signature, first.kernels[0].spec.signature);
  EXPECT_EQ(second.kernels[0].spec.key_dump, first.kernels[0].spec.key_dump);

  ASSERT_TRUE(make_whole({&second.kernels[0]}, {}));
  EXPECT_TRUE(second.kernels[0].whole);
  EXPECT_EQ(second.kernels[0].spec.unit.definition, first.kernels[0].spec.unit.definition);
}

TEST_F(UnitStamp, EndsWithWhateverClangRead) {
  const std::string before = key();
  write("second/factor.h", "#define FACTOR 3\n");
  EXPECT_NE(key(), before) << "a header";
  EXPECT_FALSE(look().kernels.at(0).whole);
  write("a.cpp", "// a comment\n" + kernel("scale"));
  EXPECT_TRUE(look().kernels.at(0).whole) << "the source";
  EXPECT_EQ(look().kernels.at(0).spec.line, 3u);
  write_database("-O2 -DFACTOR_IS=3");
  EXPECT_TRUE(look().kernels.at(0).whole) << "the command";
}

// The definition that was missing may come to any source, so no stamp says that it is missing.
TEST_F(UnitStamp, SaysNothingOfMissingDefinitions) {
  write("a.cpp",
        "int far(int);\n#pragma hone kernel inout(x[0:n]) problem(n=9)\n"
        "void scale(float* x, int n) { for (int i = 0; i < n; ++i) x[i] *= far(i); }\n");
  write("b.cpp", "int near(int x) { return x; }\n");
  nlohmann::json entries = nlohmann::json::parse(os::read_file(root_ / "build/compile_commands.json").value());
  entries.push_back(
      {{"directory", (root_ / "build").string()}, {"command", "g++ -o b.o -c ../b.cpp"}, {"file", "../b.cpp"}});
  write("build/compile_commands.json", entries.dump());
  EXPECT_THAT(look().diagnostics, SizeIs(1));
  write("b.cpp", "int far(int x) { return x; }\n");
  const std::string first = key();
  EXPECT_FALSE(look().kernels[0].whole) << "what was found is remembered";
  write("b.cpp", "int far(int x) { return 2 * x; }\n");
  EXPECT_NE(key(), first);
}

TEST_F(UnitStamp, EndsWithHeaderThatComesInFront) {
  const std::string before = key();
  EXPECT_FALSE(look().kernels.at(0).whole);
  write("first/factor.h", "#define FACTOR 5\n");
  EXPECT_NE(key(), before);
}

TEST_F(UnitStamp, RepeatsDiagnostics) {
  write("a.cpp", kernel("scale") + "#pragma hone kernel inn(x[0:n])\nvoid f(float* x, int n) { x[n - 1] = 0; }\n");
  const ProjectKernels first = look(), second = look();
  ASSERT_THAT(first.diagnostics, SizeIs(1));
  ASSERT_THAT(second.diagnostics, SizeIs(1));
  EXPECT_EQ(second.diagnostics[0].rendered, first.diagnostics[0].rendered);
}

TEST_F(UnitStamp, IsNotMissedIfDamaged) {
  const std::string before = key();
  for (const char* text : {"", "{", "[]", "{\"stamp\": 1}", "{\"stamp\": 1, \"of\": 3}"}) {
    write("build/a.o.hone.json", text);
    EXPECT_EQ(key(), before) << text;
  }
  fs::remove(root_ / "build/a.o.hone.json");
  fs::create_directory(root_ / "build/a.o.hone.json");
  EXPECT_EQ(key(), before);
}

// Only the kernel that is made whole has its clauses checked, and keeps its name.
TEST_F(UnitStamp, MakesKernelWholeBesideNamesakeThatIsRefused) {
  write("a.cpp", kernel("scale") +
                     "#pragma hone kernel inout(x[0:n]) problem(n=undeclared)\n"
                     "void scale(double* x, int n) { for (int i = 0; i < n; ++i) x[i] *= 2; }\n");
  const ProjectKernels first = look();
  ASSERT_THAT(first.kernels, SizeIs(1));
  ASSERT_THAT(first.diagnostics, SizeIs(1));
  ProjectKernels known = look();
  ASSERT_THAT(known.kernels, SizeIs(1));
  ASSERT_TRUE(make_whole({&known.kernels[0]}, {}));
  EXPECT_EQ(known.kernels[0].spec.name, first.kernels[0].spec.name);
  EXPECT_EQ(known.kernels[0].spec.unit.definition, first.kernels[0].spec.unit.definition);
}

TEST_F(UnitStamp, OfAnotherKernelMakesNoneWhole) {
  look();
  ProjectKernels known = look();
  write("a.cpp", kernel("other"));
  const auto made = make_whole({&known.kernels.at(0)}, {});
  ASSERT_FALSE(made);
  EXPECT_THAT(made.error().message(), HasSubstr("'scale' has changed"));
}

}  // namespace
}  // namespace hone::project
