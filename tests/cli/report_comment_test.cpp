// `hone report --markdown` on a small repository, whose lock file is written by hand: nothing is tuned.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include <nlohmann/json.hpp>

#include "cache/bound_source.h"
#include "cache/lock_file.h"
#include "cache/store.h"
#include "run_program.h"
#include "small_project.h"

namespace hone {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

class ReportComment : public testing::Test {
 protected:
  void SetUp() override {
    if (!git("init -q")) GTEST_SKIP() << "git is not here";
    project_.write(".gitignore", "build\ncache\n*.out\n*.err\n");
  }
  fs::path folder() const { return project_.folder(); }
  bool git(const std::string& words) const {
    const std::string line = "git -c user.name=n -c user.email=e -c init.defaultBranch=main -C '" + folder().string() +
                             "' " + words + " >/dev/null 2>&1";
    return std::system(line.c_str()) == 0;
  }
  void commit() const { ASSERT_TRUE(git("add -A") && git("commit -q -m m")); }
  Ended report(std::vector<std::string> words) const {
    words.insert(words.begin(), {"report", "--markdown"});
    return run(folder(), words);
  }
  std::string key() const { return json::parse(run(folder(), {"list", "--json"}).out).at("kernels").at(0).at("key"); }
  // The variant is the original with `n` for its first constant.
  void lock(double speedup, const std::string& body) const {
    const std::string key = this->key();
    cache::Store store({{folder() / "hone", true}}, [](const std::string&) {});
    cache::LockEntry entry;
    entry.name = "copy";
    entry.file = "kernel.cpp";
    entry.target = "x86_64";
    entry.compiled_with = "gcc -O2";
    entry.key = key;
    entry.evidence = "cpu: g++ 12.2, 428 pairs";
    entry.tried = {{"sizes", "n 0 to 200000; 412 cases"}};
    entry.speedup = speedup;
    entry.speedup_low = speedup - 0.1;
    entry.speedup_high = speedup + 0.1;
    entry.variant =
        store.put_blob(cache::bound_blob("void copy(const float* from, float* to, int n) {\n  " + body + "\n}\n", key))
            .value();
    cache::put_figure(entry.held_on, "AMD EPYC 9V74", cache::figure_of(*entry.variant, speedup, speedup, speedup));
    entry.held_on.begin()->second.tuned = true;
    ASSERT_TRUE(cache::LockFile::update(project_.lock(), [&](cache::LockFile& lock) { lock.put(entry); }));
  }

  SmallProject project_{plain_copy};
};

TEST_F(ReportComment, ShowsAllThatIsLocked) {
  lock(3, "for (int i = 0; i < n; ++i) to[i] = from[i];");
  const Ended ended = report({});
  EXPECT_EQ(ended.code, 0) << ended.err;
  for (const char* part :
       {"### Hone: 1 locked\n", "`hone.lock`.\n",
        "| `copy` | `kernel.cpp:2` | – | 3.00x [2.90, 3.10] | `AMD EPYC 9V74` | locked |",
        "-  __builtin_memcpy(to, from, sizeof(float) * n);", "+  for (int i = 0; i < n; ++i) to[i] = from[i];",
        "n 0 to 200000; 412 cases", "hone verify -p build copy"})
    EXPECT_THAT(ended.out, HasSubstr(part));
  EXPECT_THAT(ended.out, Not(HasSubstr(folder().string()))) << "paths of this machine are nobody's business";
}

TEST_F(ReportComment, ShowsWhatChangedSinceARevision) {
  commit();
  lock(3, "for (int i = 0; i < n; ++i) to[i] = from[i];");
  EXPECT_THAT(report({"--since", "HEAD"}).out, HasSubstr("### Hone: 1 new, 0 unchanged"));
  commit();
  EXPECT_THAT(report({"--since", "HEAD"}).out, HasSubstr("### Hone: 1 unchanged"));
  lock(4, "int i = 0; for (; i < n; ++i) to[i] = from[i];");
  const Ended replaced = report({"--since", "HEAD"});
  EXPECT_THAT(replaced.out, HasSubstr("| 3.00x [2.90, 3.10] | 4.00x [3.90, 4.10] | `AMD EPYC 9V74` | replaced |"));
  project_.write("hone.lock", "{ \"version\": 1, \"kernels\": [] }\n");
  EXPECT_THAT(report({"--since", "HEAD"}).out, HasSubstr("| 3.00x [2.90, 3.10] | – | – | dropped |"));
  const json text = json::parse(report({"--since", "HEAD", "--json"}).out);
  EXPECT_EQ(text["locks"][0]["kernels"][0]["outcome"], "dropped");
  EXPECT_EQ(text["locks"][0]["lock"], "hone.lock");
}

TEST_F(ReportComment, TakesALockFileThatWasNotThereForNew) {
  const std::string lock_text = project_.read(project_.lock());
  fs::remove(project_.lock());
  commit();
  project_.write("hone.lock", lock_text);
  lock(3, "for (int i = 0; i < n; ++i) to[i] = from[i];");
  const Ended ended = report({"--since", "HEAD"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("it is not in that revision, so all that is locked is new"));
  EXPECT_THAT(ended.out, HasSubstr("### Hone: 1 new"));
}

TEST_F(ReportComment, SaysWhatToDoWhereNothingIsLocked) {
  const Ended none = report({});
  EXPECT_EQ(none.code, 0) << none.err;
  EXPECT_THAT(none.out, HasSubstr("Build hone-tune, and commit"));
  EXPECT_THAT(none.out, Not(HasSubstr("lock check"))) << "which fails, as there is nothing to check";
}

TEST_F(ReportComment, NeedsNoBuildFolder) {
  lock(3, "for (int i = 0; i < n; ++i) to[i] = from[i];");
  fs::remove_all(folder() / "build");
  const Ended ended = report({"-o", "comment.md"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  const std::string text = project_.read(folder() / "comment.md");
  EXPECT_THAT(text, HasSubstr("no build folder says where the original is"));
  EXPECT_THAT(text, HasSubstr("for (int i = 0; i < n; ++i) to[i] = from[i];"));
}

TEST_F(ReportComment, NamesWhatIsWrongOnce) {
  project_.write("hone.lock", "{ \"version\": 1, \"kernels\": [ }\n");
  commit();
  EXPECT_EQ(report({}).code, 3) << "a broken lock file";
  project_.write("hone.lock", "{ \"version\": 1, \"kernels\": [] }\n");
  const Ended broken = report({"--since", "HEAD"});
  EXPECT_EQ(broken.code, 3);
  EXPECT_THAT(broken.err, HasSubstr("hone.lock at HEAD:1:"));
  const Ended unknown = report({"--since", "gone"});
  EXPECT_EQ(unknown.code, 3);
  EXPECT_THAT(unknown.err, HasSubstr("git knows no revision 'gone'"));
  EXPECT_EQ(report({"--since", ""}).code, 2);
  EXPECT_EQ(report({"-p", "nowhere"}).code, 3);
  EXPECT_EQ(report({"-o", "/proc/comment.md"}).code, 3);
  project_.write("hone.lock", "{ \"version\": 1, \"kernels\": [] }\n");
  fs::create_symlink("/dev/full", folder() / "full");
  EXPECT_THAT(report({"-o", "full"}).err, HasSubstr("No space left"));
  EXPECT_TRUE(fs::is_symlink(folder() / "full")) << "what is no file is written into, not replaced";
}

}  // namespace
}  // namespace hone
