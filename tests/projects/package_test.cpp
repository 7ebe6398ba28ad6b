// What cpack makes of this build: a tree that runs wherever it is unpacked, and a .deb of the same tree.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <sstream>

#include "tests/projects/cmake_project.h"

namespace hone::tests {
namespace {

namespace fs = std::filesystem;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

// Packed once for all tests here: cpack strips and compresses a hundred megabytes.
class Package : public CMakeProject {
 protected:
  static void SetUpTestSuite() {
    packed = std::make_unique<Project>();
    pack();
    const fs::path tree = packed->folder() / "any where";
    fs::create_directories(tree);
    ASSERT_TRUE(packed->run({"tar", "xzf", file(".gz").string(), "--strip-components=1"}, tree).ok());
  }
  static void TearDownTestSuite() { packed.reset(); }

  // As packages are made, but compressed in a hurry.
  static void pack() {
    const Outcome outcome = packed->run({"cpack", "--config", HONE_PACKAGE "/CPackConfig.cmake", "-B", "packed", "-D",
                                         "CPACK_DEBIAN_COMPRESSION_TYPE=zstd", "-D", "CPACK_HONE_GZIP_LEVEL=1"},
                                        packed->folder(), {"SOURCE_DATE_EPOCH=1700000000"});
    ASSERT_TRUE(outcome.ok()) << outcome.all();
  }
  static fs::path file(const std::string& extension) {
    for (const fs::directory_entry& entry : fs::directory_iterator(packed->folder() / "packed"))
      if (entry.path().extension() == extension) return entry.path();
    return {};
  }
  static fs::path tree() { return packed->folder() / "any where"; }

  static std::unique_ptr<Project> packed;
};
std::unique_ptr<Project> Package::packed;

TEST_F(Package, BringsLibrariesWhoseNamesChange) {
  unsigned carried = 0;
  for (const char* program : {"hone-tool", "hone-worker", "hone-runner", "hone-nvrtc", "hone-prove"}) {
    const fs::path path = tree() / "libexec" / "hone" / program;
    if (!fs::exists(path)) continue;
    const Outcome needs = project.run({"ldd", path.string()}, tree());
    EXPECT_THAT(needs.out, Not(HasSubstr("not found"))) << program;
    EXPECT_THAT(needs.out, Not(ContainsRegex("lib(LLVM|clang|cpp-httplib|fmt|hwloc|simdjson|z3)[^ ]* => /(usr/)?lib"))) << program;
    carried += count(needs.out, " => " + (tree() / "lib").string());
  }
  EXPECT_GE(carried, 3u);
}

TEST_F(Package, NamesNothingOfTheBuild) {
  unsigned files = 0;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(tree())) {
    if (!entry.is_regular_file()) continue;
    const std::string text = project.read(entry.path());
    for (const char* place : {HONE_PACKAGE, HONE_SOURCE})
      EXPECT_EQ(text.find(place), std::string::npos) << entry.path() << " names " << place;
    ++files;
  }
  EXPECT_GT(files, 100u);
  for (const char* notice : {"LICENSE", "copyright"}) EXPECT_NE(project.read(tree() / "share/doc/hone" / notice), "");
}

TEST_F(Package, IsFoundListsJudgesAndLinksWhereItIsUnpacked) {
  project.write("CMakeLists.txt", std::string(kList) + "target_link_libraries(app PRIVATE Hone::annotations)\n");
  project.write("scale.cpp", std::string("#include <hone/hone.h>\n") + kScale);
  const Outcome configured = project.run({"cmake", "-S", project.source().string(), "-B", project.build().string(),
                                          "-G", "Ninja", "-DCMAKE_PREFIX_PATH=" + tree().string()},
                                         project.folder());
  ASSERT_TRUE(configured.ok()) << configured.all();
  EXPECT_THAT(project.read(project.build() / "CMakeFiles" / "rules.ninja"), HasSubstr(packed->folder().string()));
  const auto hone = [&](std::vector<std::string> words) {
    words.insert(words.begin(), (tree() / "bin" / "hone").string());
    return project.run(std::move(words), project.source());
  };
  project.write("candidate.cpp", kTriples);
  const Outcome judged = hone(
      {"eval", "-p", project.build().string(), "--kernel", "scale", (project.source() / "candidate.cpp").string()});
  EXPECT_THAT(judged.all(), HasSubstr("wrong")) << "3x is not FACTOR";
  lock_triples();
  EXPECT_THAT(build().all(), Not(HasSubstr("note: hone")));
  EXPECT_THAT(hone({"list", "-p", project.build().string()}).out, ContainsRegex("scale +tuned +variant +variant"));
  EXPECT_EQ(project.program("app").out, "3 6\n");
}

// As Debian's: /lib is a link to /usr/lib, and /libexec is not there.
TEST_F(Package, IsFoundThroughLinkedFolder) {
  const fs::path root = project.folder() / "root";
  fs::create_directories(root);
  fs::create_directory_symlink(tree(), root / "usr");
  fs::create_directory_symlink("usr/lib", root / "lib");
  project.write("CMakeLists.txt", R"(cmake_minimum_required(VERSION 3.25)
project(user CXX)
find_package(Hone REQUIRED)
get_property(recorder GLOBAL PROPERTY HONE_RECORDER)
if(NOT EXISTS "${recorder}")
  message(FATAL_ERROR "${recorder} is missing")
endif()
)");
  const Outcome configured = project.run({"cmake", "-S", project.source().string(), "-B", project.build().string(),
                                          "-G", "Ninja", "-DHone_DIR=" + (root / "lib" / "cmake" / "Hone").string()},
                                         project.folder());
  EXPECT_TRUE(configured.ok()) << configured.all();
}

TEST_F(Package, IsADebianPackageWithWhatItNeeds) {
  const fs::path deb = file(".deb");
  if (deb.empty()) GTEST_SKIP() << "there is no dpkg-deb";
  const auto field = [&](const char* name) { return project.run({"dpkg-deb", "-f", deb.string(), name}, tree()).out; };
  EXPECT_EQ(field("Package"), "hone\n");
  EXPECT_THAT(deb.filename().string(), StartsWith("hone_" + field("Version").substr(0, 5)));
  EXPECT_THAT(field("Depends"), HasSubstr("libcurl4"));
  EXPECT_THAT(field("Depends"), Not(ContainsRegex("lib(llvm|clang|cpp-httplib|fmt|hwloc|simdjson|z3)")));
  EXPECT_THAT(field("Recommends"), HasSubstr("g++ | c++-compiler"));
  const std::string content = project.run({"dpkg-deb", "-c", deb.string()}, tree()).out;
  for (const char* path : {"./usr/bin/hone", "./usr/libexec/hone/hone-tool", "./usr/lib/cmake/Hone/HoneConfig.cmake",
                           "./usr/share/doc/hone/copyright", "./usr/share/doc/hone/changelog.gz"})
    EXPECT_NE(content.find(std::string(" ") + path + "\n"), std::string::npos) << path;
  // Nothing runs as root when it is installed.
  const std::string control = project.run({"dpkg-deb", "-I", deb.string()}, tree()).out;
  EXPECT_THAT(control, Not(ContainsRegex("(pre|post)(inst|rm)")));
}

// So that two packings of one build have the same bytes.
TEST_F(Package, HasOneTimeOneOwnerAndOneOrder) {
  std::vector<std::string> lists = {
      project.run({"tar", "tvzf", file(".gz").string(), "--full-time", "--utc"}, tree()).out};
  if (!file(".deb").empty())
    lists.push_back(project.run({"dpkg-deb", "-c", file(".deb").string()}, tree(), {"TZ=UTC"}).out);
  for (const std::string& list : lists) {
    std::istringstream lines(list);
    std::vector<std::string> names;
    for (std::string line; std::getline(lines, line);) {
      ASSERT_THAT(line, ContainsRegex("root/root +[0-9]+ 2023-11-14 22:13(:20)? "));
      names.push_back(line.substr(line.find(":13") + 3));
      names.back() = names.back().substr(names.back().find(' ') + 1);
      if (const std::size_t arrow = names.back().find(" -> "); arrow != std::string::npos) names.back().resize(arrow);
      while (names.back().back() == '/') names.back().pop_back();
    }
    EXPECT_GT(names.size(), 100u);
    std::vector<std::string> sorted = names;
    // Folder by folder, as both tools walk.
    std::ranges::sort(sorted, {}, [](std::string name) {
      std::ranges::replace(name, '/', '\1');
      return name;
    });
    EXPECT_TRUE(names == sorted) << list.substr(0, 200);
  }
}

}  // namespace
}  // namespace hone::tests
