// A variant stands in for the kernel that it was judged for, or for none: lock files as merges and hands leave them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cache/lock_file.h"
#include "cache/store.h"
#include "tests/projects/project.h"

namespace hone::tests {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

std::string scale_by(const std::string& factor) {
  return "void scale(float* x, int n) {\n  for (int i = 0; i < n; ++i) x[i] *= " + factor + ";\n}\n";
}
std::string shift_by(const std::string& step) {
  return "void shift(float* x, int n) {\n  for (int i = 0; i < n; ++i) x[i] += " + step + ";\n}\n";
}

// Two kernels; what the program prints shows which text of each was linked.
std::string program_with(const std::string& factor) {
  return "#include <cstdio>\n#pragma hone kernel inout(x[0:n]) problem(n=1000)\n" + scale_by(factor) +
         "#pragma hone kernel inout(x[0:n]) problem(n=1000)\n" + shift_by("1000") +
         "int main() {\n  float x[1] = {1};\n  scale(x, 1);\n  shift(x, 1);\n  std::printf(\"%g\\n\", x[0]);\n}\n";
}

class BoundVariant : public testing::Test {
 protected:
  void SetUp() override { project.write("scale.cpp", program_with("2")); }

  std::string lock(const std::string& kernel, const std::string& variant) {
    return project.lock_variant(kernel, "scale.cpp", project.key_of_file(kernel, "scale.cpp"), variant);
  }
  std::string says() {
    const Outcome compiled = project.compile("scale.cpp");
    said = compiled.err;
    EXPECT_TRUE(compiled.ok()) << compiled.all();
    return project.link_and_run({"scale.cpp"}).out;
  }
  bool builds_strictly() { return project.compile("scale.cpp", {"--locked"}).ok(); }
  void write_lock(const std::string& text) { project.write("hone.lock", text); }
  std::string lock_text() { return project.read(project.lock()); }
  // Of a kernel, by hone list.
  std::string state(const std::string& kernel) {
    project.write_database(
        "scale.cpp", {"g++", "-Wall", "-Wno-unknown-pragmas", "-c", (project.source() / "scale.cpp").string(), "-o",
                      project.object("scale.cpp").string()});
    const Outcome listed =
        project.run({HONE_PROGRAM, "list", "-p", project.build().string(), "--json"}, project.folder());
    const auto kernels = nlohmann::json::parse(listed.out);
    for (const auto& one : kernels["kernels"])
      if (one["name"] == kernel)
        return one["state"].get<std::string>() + (one["linked"].get<bool>() ? ", linked" : ", not linked");
    return listed.all();
  }

  Project project;
  std::string said;
};

void swap_in(std::string& text, const std::string& one, const std::string& other) {
  const std::size_t a = text.find(one), b = text.find(other);
  ASSERT_NE(a, std::string::npos);
  ASSERT_NE(b, std::string::npos);
  text.replace(a, one.size(), other);
  text.replace(b, other.size(), one);
}

TEST_F(BoundVariant, IsLinkedIfLockFileIsIntact) {
  lock("scale", scale_by("20"));
  lock("shift", shift_by("3000"));
  EXPECT_EQ(says(), "3020\n");
  EXPECT_EQ(said, "");
  EXPECT_TRUE(builds_strictly());
  EXPECT_EQ(state("scale"), "tuned, linked");
}

TEST_F(BoundVariant, IsNotLinkedIfDigestsAreSwapped) {
  const std::string one = lock("scale", scale_by("20")), other = lock("shift", shift_by("3000"));
  std::string text = lock_text();
  swap_in(text, one, other);
  write_lock(text);
  EXPECT_EQ(says(), "1002\n");
  EXPECT_THAT(said, HasSubstr("scale.cpp:2: note: hone: 'scale' has no variant that holds"));
  EXPECT_FALSE(builds_strictly());
  EXPECT_EQ(state("scale"), "stale, not linked");
}

TEST_F(BoundVariant, IsNotLinkedIfKeysOrLinesAreSwapped) {
  lock("scale", scale_by("20"));
  lock("shift", shift_by("3000"));
  const std::string good = lock_text();
  const auto line_of = [&](const std::string& name) {
    const std::size_t at = good.find("\"key\"", good.find("\"" + name + "\""));
    return good.substr(at, good.find('\n', at) - at);
  };
  std::string keys = good, lines = good;
  swap_in(keys, line_of("scale").substr(0, 74), line_of("shift").substr(0, 74));
  swap_in(lines, line_of("scale"), line_of("shift"));
  for (const std::string& text : {keys, lines}) {
    write_lock(text);
    EXPECT_EQ(says(), "1002\n") << text;
    EXPECT_FALSE(builds_strictly());
  }
}

TEST_F(BoundVariant, IsNotLinkedIfMemberIsDuplicated) {
  const std::string digest = lock("scale", scale_by("20"));
  const std::string good = lock_text();
  std::string twice = good;
  twice.insert(twice.find("\"variant\""), "\"variant\": \"" + digest + "\", ");
  write_lock(twice);
  EXPECT_EQ(says(), "1002\n");
  EXPECT_THAT(said, HasSubstr("hone.lock:9:161: note: hone: the lock file has a member twice"));
  EXPECT_FALSE(builds_strictly());
}

// A seal can be made by anybody; a blob says by itself whose it is.
TEST_F(BoundVariant, IsRefusedForOtherKeyEvenIfSealed) {
  const std::string other = lock("shift", shift_by("3000"));
  cache::LockEntry entry;
  entry.name = "scale", entry.file = "scale.cpp", entry.key = project.key_of_file("scale", "scale.cpp");
  entry.variant = other;
  ASSERT_TRUE(cache::LockFile::update(project.lock(), [&](cache::LockFile& file) { file.put(entry); }));
  EXPECT_EQ(says(), "3002\n");
  EXPECT_THAT(said, HasSubstr("was judged for another kernel"));
  EXPECT_FALSE(builds_strictly());
  EXPECT_EQ(state("scale"), "stale, not linked");
}

TEST_F(BoundVariant, IsRefusedIfItDefinesOtherFunction) {
  lock("scale", "void scala(float* x, int n) {\n  x[n - 1] = 7;\n}\n");
  EXPECT_EQ(says(), "1002\n");
  EXPECT_THAT(said, HasSubstr("does not define that function"));
}

// hone.lock and blobs as Hone 0.1 wrote them: no seals, and sources without their key.
TEST_F(BoundVariant, IsLinkedFromLockFileOfHone01) {
  cache::Store store({{project.source() / "hone", true}}, [](const std::string&) {});
  const std::string digest = *store.put_blob(scale_by("20")), key = project.key_of_file("scale", "scale.cpp");
  write_lock(
      "{\n  \"version\": 1,\n  \"kernels\": [\n    {\n      \"name\": \"scale\",\n      \"file\": \"scale.cpp\",\n"
      "      \"key\": \"" +
      key + "\",\n      \"target\": \"x86_64\",\n      \"variant\": \"" + digest +
      "\",\n      \"speedup\": { \"median\": 2.0, \"low\": 1.9, \"high\": 2.1 },\n      \"verified\": \"cpu\"\n"
      "    }\n  ]\n}\n");
  EXPECT_EQ(says(), "1020\n");
  EXPECT_EQ(state("scale"), "tuned, linked");
  lock("shift", shift_by("3000"));
  EXPECT_EQ(says(), "3020\n") << "and after another kernel was tuned by this version";
}

// Of a text with conflicts: one side of each.
std::string keep(const std::string& text, bool first) {
  std::string kept;
  int side = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at) + 1;
    const std::string line = text.substr(at, end - at);
    at = end;
    if (line.starts_with("<<<<<<<"))
      side = 1;
    else if (line.starts_with("======="))
      side = 2;
    else if (line.starts_with(">>>>>>>"))
      side = 0;
    else if (side == 0 || (side == 1) == first)
      kept += line;
  }
  return kept;
}

// One branch edits the kernel and tunes it, another only tunes it again.
TEST_F(BoundVariant, IsLinkedOnlyForItsTextAfterMergeConflict) {
  const auto git = [&](std::vector<std::string> words) {
    words.insert(words.begin(),
                 {"git", "-c", "user.name=a", "-c", "user.email=a@b", "-c", "merge.conflictStyle=merge"});
    return project.run(words, project.source());
  };
  if (!git({"init", "-q"}).ok()) GTEST_SKIP() << "there is no git";
  lock("scale", scale_by("20"));
  const auto commit = [&](const char* what) {
    return git({"add", "."}).ok() && git({"commit", "-q", "-m", what}).ok();
  };
  ASSERT_TRUE(commit("base") && git({"branch", "again"}).ok() && git({"checkout", "-q", "-b", "edited"}).ok());
  project.write("scale.cpp", program_with("5"));
  lock("scale", scale_by("50"));
  ASSERT_TRUE(commit("edited and tuned") && git({"checkout", "-q", "again"}).ok());
  lock("scale", scale_by("30"));
  ASSERT_TRUE(commit("tuned again") && git({"checkout", "-q", "edited"}).ok());
  EXPECT_FALSE(git({"merge", "again"}).ok());
  const std::string conflicted = lock_text();
  EXPECT_THAT(conflicted, HasSubstr("<<<<<<<"));

  write_lock(keep(conflicted, true));
  EXPECT_EQ(says(), "1050\n") << "the edited text's own";
  write_lock(keep(conflicted, false));
  EXPECT_EQ(says(), "1005\n") << "the original, as edited";
  EXPECT_FALSE(builds_strictly());
  EXPECT_EQ(state("scale"), "stale, not linked");
}

}  // namespace
}  // namespace hone::tests
