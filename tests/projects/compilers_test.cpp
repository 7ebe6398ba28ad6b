// A variant is linked only into builds of the compiler and the options that it was measured with.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cache/bound_source.h"
#include "cache/lock_file.h"
#include "cache/store.h"
#include "tests/projects/project.h"

namespace hone::tests {
namespace {

using testing::HasSubstr;

std::string scale_by(const std::string& factor) {
  return "void scale(float* x, int n) {\n  for (int i = 0; i < n; ++i) x[i] *= " + factor + ";\n}\n";
}

const std::vector<std::string> levels{"-O0", "-O1", "-O2", "-O3"};

class Compilers : public testing::Test {
 protected:
  void SetUp() override {
    if (!project.run({"clang++", "--version"}, project.folder()).ok()) GTEST_SKIP() << "there is no clang++";
    project.write("scale.cpp",
                  "#include <cstdio>\n#pragma hone kernel inout(x[0:n]) problem(n=1000)\n" + scale_by("1") +
                      "int main() {\n  float x[1] = {1};\n  scale(x, 1);\n  std::printf(\"%g\\n\", x[0]);\n}\n");
  }

  std::vector<std::string> command(const std::string& compiler, const std::string& level) const {
    return {compiler,
            level,
            "-Wno-unknown-pragmas",
            "-c",
            (project.source() / "scale.cpp").string(),
            "-o",
            project.object("scale.cpp").string()};
  }

  nlohmann::json listed(const std::string& compiler, const std::string& level) const {
    project.write_database("scale.cpp", command(compiler, level));
    const Outcome list =
        project.run({HONE_PROGRAM, "list", "-p", project.build().string(), "--json"}, project.folder());
    return nlohmann::json::parse(list.out)["kernels"].at(0);
  }

  void lock(const std::string& compiler, const std::string& level, const std::string& factor) const {
    const nlohmann::json kernel = listed(compiler, level);
    cache::LockEntry entry;
    entry.name = "scale", entry.file = "scale.cpp", entry.target = "x86_64";
    entry.key = kernel["key"], entry.compiled_with = kernel["compiled_with"];
    cache::Store store({{project.source() / "hone", true}}, [](const std::string& warning) { FAIL() << warning; });
    entry.variant = *store.put_blob(cache::bound_blob(scale_by(factor), entry.key));
    ASSERT_TRUE(cache::LockFile::update(project.lock(), [&](cache::LockFile& file) { file.put(entry); }));
  }

  Outcome compile(const std::string& compiler, const std::string& level, bool strict = false) const {
    std::vector<std::string> words{HONE_PROGRAM, "cc"};
    if (strict) words.push_back("--locked");
    words.push_back("--");
    for (const std::string& word : command(compiler, level)) words.push_back(word);
    return project.run(words, project.source());
  }

  // The factor that is linked.
  std::string linked(const std::string& compiler, const std::string& level) const {
    const Outcome compiled = compile(compiler, level);
    return compiled.ok() ? project.link_and_run({"scale.cpp"}).out : compiled.all();
  }

  Project project;
};

TEST_F(Compilers, LinkOwnVariantAlone) {
  lock("g++", "-O3", "7");
  for (const std::string compiler : {"g++", "clang++"})
    for (const std::string& level : levels)
      EXPECT_EQ(linked(compiler, level), compiler == "g++" && level == "-O3" ? "7\n" : "1\n") << compiler << level;
}

TEST_F(Compilers, HaveEntriesBesideEachOther) {
  int factor = 2;
  for (const std::string compiler : {"g++", "clang++"})
    for (const std::string& level : levels) lock(compiler, level, std::to_string(factor++));
  EXPECT_EQ(cache::LockFile::read(project.lock())->entries.size(), 8u);
  factor = 2;
  for (const std::string compiler : {"g++", "clang++"})
    for (const std::string& level : levels)
      EXPECT_EQ(linked(compiler, level), std::to_string(factor++) + "\n") << compiler << level;
}

TEST_F(Compilers, AreNamedWhereKernelIsTunedForAnother) {
  lock("g++", "-O3", "7");
  EXPECT_THAT(compile("clang++", "-O2").err,
              HasSubstr("scale.cpp:2: note: hone: 'scale' is tuned for gcc -O3, and this is clang -O2; the original is "
                        "compiled; run hone tune"));
  EXPECT_FALSE(compile("clang++", "-O2", true).ok());
  const nlohmann::json kernel = listed("clang++", "-O2");
  EXPECT_EQ(kernel["state"], "untuned");
  EXPECT_EQ(kernel["linked"], false);
  EXPECT_EQ(kernel["elsewhere"], nlohmann::json({"gcc -O3"}));
  const Outcome list = project.run({HONE_PROGRAM, "list", "-p", project.build().string()}, project.folder());
  EXPECT_THAT(list.out, HasSubstr("tuned elsewhere"));
}

// As Hone wrote entries before keys knew the compiler (schema 2).
TEST_F(Compilers, AreAskedForWhereEntryNamesNone) {
  project.lock_variant("scale", "scale.cpp", std::string(64, 'a'), scale_by("7"));
  const Outcome compiled = compile("g++", "-O3");
  EXPECT_TRUE(compiled.ok());
  EXPECT_THAT(compiled.err, HasSubstr("'scale' was tuned by an earlier Hone, which did not note for which compiler"));
  EXPECT_EQ(linked("g++", "-O3"), "1\n");
  EXPECT_EQ(listed("g++", "-O3")["state"], "stale");
}

}  // namespace
}  // namespace hone::tests
