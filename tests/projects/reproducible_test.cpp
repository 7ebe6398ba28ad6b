// What a commit makes, it makes anywhere: another folder, another user, another date, no network, no cache and no home.
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <map>

#include "tests/projects/cmake_project.h"

namespace hone::tests {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

constexpr const char* kVariantSays = "3 6\n";
constexpr const char* kFakeTime = "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1";

// Where and by whom a clone is built. What this machine does not let us change stays as it is.
struct Surroundings {
  std::string folder;
  bool stranger = false;  // another user, without a home
  bool later = false;     // years from now
};

class Reproducible : public CMakeProject {
 protected:
  void SetUp() override {
    CMakeProject::SetUp();
    // A name of the file in the object, and debug information: with the option that a plain build takes for it, too.
    project.write("scale.cpp", std::string(kScale) + "const char* place() { return __FILE__; }\n");
    configure(options());
    project.lock_variant("scale", "scale.cpp", project.key("scale"), kTriples);
    fs::permissions(project.folder(), fs::perms(0755));
  }

  static std::vector<std::string> options() {
    return {"-DCMAKE_BUILD_TYPE=RelWithDebInfo", "-DHONE_STRICT=ON",
            "-DCMAKE_PROJECT_INCLUDE=" HONE_SOURCE "/tests/projects/prefix_map.cmake"};
  }

  // The commit as somebody else checks it out.
  fs::path clone(const std::string& name) const {
    const fs::path to = project.folder() / name / "checkout";
    fs::create_directories(to.parent_path());
    fs::copy(project.source(), to, fs::copy_options::recursive);
    return to;
  }

  static bool works(const std::vector<std::string>& wrapper) {
    std::string line;
    for (const std::string& word : wrapper) line += "'" + word + "' ";
    return std::system((line + "true >/dev/null 2>&1").c_str()) == 0;
  }

  // The words in front of a command.
  std::vector<std::string> wrapper(const Surroundings& where, const fs::path& checkout) const {
    std::vector<std::string> words;
    const auto wrap = [&](std::vector<std::string> more) {
      more.insert(more.begin(), words.begin(), words.end());
      if (works(more)) words = std::move(more);
    };
    if (where.later && fs::exists(kFakeTime))
      wrap({"env", std::string("LD_PRELOAD=") + kFakeTime, "FAKETIME=+1700d", "FAKETIME_DONT_FAKE_MONOTONIC=1"});
    if (where.stranger) {
      wrap({"unshare", "--net"});
      std::system(("chown -R 65534:65534 '" + checkout.parent_path().string() + "' 2>/dev/null").c_str());
      wrap({"setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"});
      wrap({"env", "-u", "HOME", "-u", "XDG_CACHE_HOME", "-u", "XDG_CONFIG_HOME", "USER=stranger", "CCACHE_DISABLE=1"});
    }
    return words;
  }

  // As /proc/net/dev lists them: the loopback device alone?
  static bool is_no_network(const std::string& devices) {
    return count(devices, ":") == 1 && count(devices, "lo:") == 1;
  }

  Outcome in(const Surroundings& where, const fs::path& checkout, std::vector<std::string> command) const {
    const std::vector<std::string> words = wrapper(where, checkout);
    command.insert(command.begin(), words.begin(), words.end());
    return project.run(command, checkout);
  }

  // Every object and the program, by their names in the build folder.
  std::map<std::string, std::string> built(const Surroundings& where) const {
    const fs::path checkout = clone(where.folder), binary = checkout.parent_path() / "out";
    std::vector<std::string> configure = {
        "cmake",         "-S", checkout.string(), "-B",
        binary.string(), "-G", "Ninja",           std::string("-DHone_DIR=") + HONE_PACKAGE};
    for (const std::string& option : options()) configure.push_back(option);
    Outcome done = in(where, checkout, configure);
    if (done.ok()) done = in(where, checkout, {"cmake", "--build", binary.string()});
    EXPECT_TRUE(done.ok()) << done.all();
    std::map<std::string, std::string> files;
    for (const auto& entry : fs::recursive_directory_iterator(binary))
      if (entry.path().extension() == ".o" || entry.path().filename() == "app")
        files[entry.path().lexically_relative(binary).string()] = project.read(entry.path());
    return files;
  }
  void expect_same(const Surroundings& where) {
    const auto here = built({"here"}), there = built(where);
    ASSERT_EQ(here.size(), 3u);
    for (const auto& [name, bytes] : here) {
      ASSERT_TRUE(there.contains(name)) << name;
      EXPECT_TRUE(bytes == there.at(name)) << name << " has other bytes";
    }
    EXPECT_EQ(project.run({(project.folder() / where.folder / "out/app").string()}, project.folder()).out,
              kVariantSays);
  }
};

TEST_F(Reproducible, InAnotherFolder) {
  expect_same({"somewhere else, and much deeper/than the first"});
}

TEST_F(Reproducible, ByAnotherUserWithoutHomeCacheAndNetwork) {
  const Surroundings stranger{"theirs", true};
  const fs::path probe = project.folder() / "probe/checkout";
  fs::create_directories(probe);
  if (in(stranger, probe, {"id", "-u"}).out != "65534\n") GTEST_SKIP() << "this user may not act as another";
  if (!is_no_network(in(stranger, probe, {"cat", "/proc/net/dev"}).out))
    GTEST_SKIP() << "`unshare --net` does not work here, so there is a network";
  expect_same(stranger);
}

TEST_F(Reproducible, AtAnotherDate) {
  const Surroundings later{"later", false, true};
  if (in(later, project.folder(), {"date", "+%Y"}).out == in({}, project.folder(), {"date", "+%Y"}).out)
    GTEST_SKIP() << "Debian's package faketime is not here";
  expect_same(later);
}

// What is not committed yet is in the user's store alone: vendor completes the commit.
TEST_F(Reproducible, OnceVendored) {
  fs::create_directories(project.folder() / "user cache");
  fs::rename(project.source() / "hone", project.folder() / "user cache" / "hone");
  const Outcome vendored =
      project.run({HONE_PROGRAM, "cache", "vendor", "-p", project.build().string()}, project.folder());
  EXPECT_THAT(vendored.out, HasSubstr("in hone/: 1 of 1 variants; commit it"));
  fs::remove_all(project.folder() / "user cache");
  expect_same({"clone"});
}

TEST_F(Reproducible, OrStrictBuildSaysWhatIsMissing) {
  fs::remove_all(project.source() / "hone");
  const Outcome built = project.build_target();
  EXPECT_FALSE(built.ok());
  EXPECT_THAT(built.all(),
              AllOf(HasSubstr("scale.cpp:2: error: hone: the variant of 'scale' that the lock file names ("),
                    HasSubstr("is in no cache"), HasSubstr("restore it or build hone-tune")));
}

TEST_F(Reproducible, OrStrictBuildSaysWhatIsStale) {
  project.write("scale.cpp", std::string(kScale).replace(std::string(kScale).find("*="), 2, "+="));
  const Outcome built = project.build_target();
  EXPECT_FALSE(built.ok());
  EXPECT_THAT(built.all(), AllOf(HasSubstr("scale.cpp:2: error: hone: 'scale' "), HasSubstr("hone-tune")));
}

TEST_F(Reproducible, OrStrictBuildSaysWhatDoesNotFitItsSeal) {
  std::string lock = project.read(project.lock());
  const std::size_t at = lock.find("\"seal\": \"") + 9;
  lock[at] = lock[at] == 'a' ? 'b' : 'a';
  project.write("hone.lock", lock);
  const Outcome built = project.build_target();
  EXPECT_FALSE(built.ok());
  EXPECT_THAT(built.all(), AllOf(HasSubstr("scale.cpp:2: error: hone: "), HasSubstr("does not fit its seal")));
}

}  // namespace
}  // namespace hone::tests
