// `hone cc` in front of a real compiler, with lock files and variants written by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/projects/project.h"

namespace hone::tests {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kScale = R"(#include <cstdio>
namespace app {
#pragma hone kernel inout(x[0:n]) problem(n=1000)
void scale(float* x, int n) {
  for (int i = 0; i < n; ++i) x[i] *= 2;
}
}
int main() {
  float x[2] = {1, 2};
  app::scale(x, 2);
  std::printf("%g %g line %d\n", x[0], x[1], __LINE__);
}
)";
// Says something else than the original, so that it shows which of them was linked.
constexpr const char* kTriples = "void scale(float* x, int n) {\n  for (int i = 0; i < n; ++i) x[i] *= 3;\n}\n";
constexpr const char* kOriginalSays = "2 4 line 11\n";
constexpr const char* kVariantSays = "3 6 line 11\n";

class Apply : public testing::Test {
 protected:
  void SetUp() override { project.write("scale.cpp", kScale); }

  std::string lock(const std::optional<std::string>& variant) {
    return project.lock_variant("app::scale", "scale.cpp", project.key_of_file("app::scale", "scale.cpp"), variant);
  }
  // The entry of another compiler, beside those of others.
  void lock_for(const std::string& compiler, const std::string& variant) {
    const std::string source = (project.source() / "scale.cpp").string(), object = project.object("scale.cpp").string();
    project.lock_variant("app::scale", "scale.cpp",
                         project.key_of_command("app::scale", "scale.cpp", {compiler, "-c", source, "-o", object}),
                         variant);
  }
  std::string says() { return project.link_and_run({"scale.cpp"}).out; }
  std::string place() { return (project.source() / "scale.cpp").string() + ":3: note: hone: "; }

  Project project;
};

TEST_F(Apply, CompilesLockedVariant) {
  lock(kTriples);
  Outcome compiled = project.compile("scale.cpp");
  ASSERT_TRUE(compiled.ok()) << compiled.all();
  EXPECT_EQ(compiled.all(), "");
  EXPECT_EQ(says(), kVariantSays);
  EXPECT_FALSE(fs::exists(project.object("scale.cpp").string() + ".hone"));
}

// The program calls it with the problem's value, and with another.
TEST_F(Apply, CompilesOriginalNextToVariantForFixedScalar) {
  project.write("power.cpp", R"(#include <cstdio>
#pragma hone kernel inout(x[0:n]) problem(n=1000, a=2) fixed(a)
void power(float* x, int n, float a) {
  for (int i = 0; i < n; ++i) x[i] *= a;
}
int main() {
  for (float a = 2; a < 5; a += 2) {
    float x[1] = {1};
    power(x, 1, a);
    std::printf("%g line %d\n", x[0], __LINE__);
  }
}
)");
  project.lock_variant("power", "power.cpp", project.key_of_file("power", "power.cpp"),
                       "void power(float* x, int n, float) {\n  for (int i = 0; i < n; ++i) x[i] += x[i] + 5;\n}\n");
  const Outcome compiled = project.compile("power.cpp");
  ASSERT_TRUE(compiled.ok()) << compiled.all();
  EXPECT_EQ(compiled.all(), "");
  EXPECT_EQ(project.link_and_run({"power.cpp"}).out, "7 line 10\n4 line 10\n");
}

TEST_F(Apply, CompilesOriginalOfUntunedKernelWithOneNote) {
  Outcome compiled = project.compile("scale.cpp");
  ASSERT_TRUE(compiled.ok()) << compiled.all();
  EXPECT_THAT(compiled.err, HasSubstr(place() + "'app::scale' is not tuned"));
  EXPECT_EQ(count(compiled.err, "hone:"), 1u);
  EXPECT_EQ(says(), kOriginalSays);
}

TEST_F(Apply, IsSilentIfSearchKeptOriginal) {
  lock(std::nullopt);
  Outcome compiled = project.compile("scale.cpp", {"--locked"});
  EXPECT_TRUE(compiled.ok());
  EXPECT_EQ(compiled.all(), "");
  EXPECT_EQ(says(), kOriginalSays);
}

TEST_F(Apply, CompilesNewTextOfEditedKernel) {
  lock(kTriples);
  std::string edited = kScale;
  edited.replace(edited.find("x[i] *= 2"), 9, "x[i] *= 5");
  project.write("scale.cpp", edited);
  Outcome compiled = project.compile("scale.cpp");
  EXPECT_THAT(compiled.err, HasSubstr("'app::scale' was tuned for another text"));
  EXPECT_EQ(says(), "5 10 line 11\n");
}

TEST_F(Apply, KeepsVariantIfOtherCodeIsEdited) {
  lock(kTriples);
  std::string edited = kScale;
  edited.replace(edited.find("namespace app"), 0, "// a comment\n\nstatic int unrelated = 1;\n");
  edited.replace(edited.find("int main"), 0, "int user() { return unrelated; }\n");
  project.write("scale.cpp", edited);
  Outcome compiled = project.compile("scale.cpp");
  EXPECT_EQ(compiled.all(), "");
  EXPECT_EQ(says(), "3 6 line 15\n");
}

TEST_F(Apply, RefusesTamperedVariant) {
  std::string digest = lock(kTriples);
  fs::permissions(project.blob(digest), fs::perms::owner_write, fs::perm_options::add);
  std::ofstream(project.blob(digest), std::ios::app) << "// tampered\n";
  Outcome compiled = project.compile("scale.cpp");
  ASSERT_TRUE(compiled.ok()) << compiled.all();
  EXPECT_THAT(compiled.err, HasSubstr(place() + "the variant of 'app::scale' that the lock file names"));
  EXPECT_EQ(says(), kOriginalSays);
}

TEST_F(Apply, CompilesOriginalIfVariantIsMissingOrTruncated) {
  std::string digest = lock(kTriples);
  fs::permissions(project.blob(digest), fs::perms::owner_write, fs::perm_options::add);
  fs::resize_file(project.blob(digest), 10);
  EXPECT_THAT(project.compile("scale.cpp").err, HasSubstr("is in no cache"));
  EXPECT_EQ(says(), kOriginalSays);
  fs::remove_all(project.source() / "hone");
  EXPECT_THAT(project.compile("scale.cpp").err, HasSubstr("is in no cache"));
  EXPECT_EQ(says(), kOriginalSays);
}

TEST_F(Apply, CompilesOriginalIfLockFileIsBroken) {
  std::ofstream(project.lock()) << "{ \"version\": 1, \"kern";
  Outcome compiled = project.compile("scale.cpp");
  ASSERT_TRUE(compiled.ok()) << compiled.all();
  EXPECT_THAT(compiled.err, HasSubstr("hone.lock"));
  EXPECT_EQ(count(compiled.err, "note: hone:"), 1u);
  EXPECT_EQ(says(), kOriginalSays);
}

TEST_F(Apply, CompilesOriginalIfVariantDoesNotCompile) {
  lock("void scale(float* x, int n) {\n  __builtin_nontemporal_store(1.0f, x);  // of Clang's\n}\n");
  Outcome compiled = project.compile("scale.cpp");
  ASSERT_TRUE(compiled.ok()) << compiled.all();
  EXPECT_THAT(compiled.err, HasSubstr(place() + "the locked variant of 'app::scale' does not compile here"));
  EXPECT_EQ(count(compiled.err, "\n"), 1u) << compiled.err;
  EXPECT_EQ(says(), kOriginalSays);
}

TEST_F(Apply, FailsOnEveryProblemIfLocked) {
  auto refuses = [&] {
    fs::remove(project.object("scale.cpp"));
    Outcome compiled = project.compile("scale.cpp", {"--locked"});
    EXPECT_EQ(compiled.code, 1) << compiled.all();
    EXPECT_THAT(compiled.err, HasSubstr("error: hone: "));
    EXPECT_FALSE(fs::exists(project.object("scale.cpp")));
  };
  refuses();  // untuned
  std::string digest = lock(kTriples);
  EXPECT_TRUE(project.compile("scale.cpp", {"--locked"}).ok());
  fs::remove(project.blob(digest));
  refuses();  // gone
  lock("void scale(float*, int) { nonsense; }\n");
  refuses();  // does not compile
  std::ofstream(project.lock()) << "{";
  refuses();  // broken
}

// GCC takes 64 MB of stack for such sources.
TEST_F(Apply, ReadsSourcesAsDeepAsGccCompiles) {
  std::string chain = "int chain(int x) {\n  ", minuses = "int minuses(int x) { return ", sum = "int sum() { return 0";
  for (int i = 0; i < 7000; ++i)
    chain += "if (x == " + std::to_string(i) + ") return " + std::to_string(i % 7) + "; else\n";
  for (int i = 0; i < 2000; ++i) minuses += "- ";
  for (int i = 0; i < 5000; ++i) sum += ", 1";
  const std::string deep = chain + " return 1;\n}\n" + minuses + "x; }\n" + sum + "; }\n";
  project.write("deep.cpp", deep + "#pragma hone kernel inout(x[0:1])\nvoid one(float* x) { *x = 1; }\n");
  const Outcome compiled = project.compile("deep.cpp", {}, {"-w"});
  EXPECT_TRUE(compiled.ok()) << compiled.all();
  EXPECT_THAT(compiled.err, HasSubstr("'one' is not tuned"));
}

TEST_F(Apply, CompilesOriginalIfClangCrashes) {
  project.write("scale.cpp", "#pragma clang __debug crash\n" + std::string(kScale));
  const Outcome compiled = project.compile("scale.cpp");
  ASSERT_TRUE(compiled.ok()) << compiled.all();
  EXPECT_THAT(compiled.err,
              HasSubstr("scale.cpp:1: note: hone: Clang, with which Hone reads sources, ends abnormally"));
  EXPECT_EQ(says(), "2 4 line 12\n");
  const Outcome locked = project.compile("scale.cpp", {"--locked"});
  EXPECT_EQ(locked.code, 1);
  EXPECT_THAT(locked.err, HasSubstr("scale.cpp:1: error: hone: Clang"));
  EXPECT_THAT(locked.err, HasSubstr("nothing is compiled"));
}

TEST_F(Apply, PromisesNoOriginalWhereStrictBuildEnds) {
  const Outcome compiled = project.compile("scale.cpp", {"--locked"});
  EXPECT_EQ(compiled.code, 1);
  EXPECT_THAT(compiled.err, HasSubstr("'app::scale' is not tuned; nothing is compiled; "));
  EXPECT_FALSE(fs::exists(project.object("scale.cpp")));
}

TEST_F(Apply, LeavesErrorsInUserCodeToCompiler) {
  project.write("scale.cpp", std::string(kScale) + "int broken( { }\n");
  Outcome compiled = project.compile("scale.cpp");
  Outcome plain = project.run({"g++", "-Wall", "-Wno-unknown-pragmas", "-c", (project.source() / "scale.cpp").string(),
                               "-o", project.object("scale.cpp").string()},
                              project.source());
  EXPECT_EQ(compiled.code, plain.code);
  EXPECT_EQ(compiled.all(), plain.all());
}

TEST_F(Apply, ReportsWrongAnnotationAndCompiles) {
  std::string wrong = kScale;
  wrong.replace(wrong.find("inout"), 5, "inuot");
  project.write("scale.cpp", wrong);
  Outcome compiled = project.compile("scale.cpp");
  ASSERT_TRUE(compiled.ok()) << compiled.all();
  EXPECT_THAT(compiled.err, HasSubstr((project.source() / "scale.cpp").string() + ":3:"));
  EXPECT_THAT(compiled.err, HasSubstr("note: hone:"));
  EXPECT_EQ(says(), kOriginalSays);
}

// But for the note that says what it is.
TEST_F(Apply, GivesSameObjectForVariantEqualToOriginal) {
  std::string text(kScale);
  std::size_t begin = text.find("void scale"), end = text.find("\n}\n") + 3;
  project.lock_variant("app::scale", "scale.cpp", project.key_of_file("app::scale", "scale.cpp", {"-O2"}),
                       text.substr(begin, end - begin));
  const Outcome compiled = project.compile("scale.cpp", {}, {"-O2"});
  ASSERT_TRUE(compiled.ok());
  EXPECT_EQ(compiled.err, "");
  const auto without_notes = [&] {
    const std::string object = project.object("scale.cpp").string();
    EXPECT_TRUE(project.run({"objcopy", "--remove-section", ".note.hone", object}, project.folder()).ok());
    return project.read(object);
  };
  const std::string applied = without_notes();
  ASSERT_TRUE(project.compile("scale.cpp", {"--mode", "off"}, {"-O2"}).ok());
  EXPECT_EQ(applied == without_notes(), true);
}

TEST_F(Apply, KeepsLocationsOfDiagnostics) {
  project.write("scale.cpp", std::string(kScale) + "#include \"helper.h\"\nint f() { int unused; return helper(); }\n");
  project.write("helper.h", "static int unused_helper() { return 1; }\ninline int helper() { return 2; }\n");
  lock(kTriples);
  Outcome compiled = project.compile("scale.cpp");
  ASSERT_TRUE(compiled.ok()) << compiled.all();
  EXPECT_THAT(compiled.err, HasSubstr((project.source() / "scale.cpp").string() + ":14:15: warning: unused variable"));
  EXPECT_THAT(compiled.err, HasSubstr((project.source() / "helper.h").string() + ":1:12: warning:"));
  EXPECT_THAT(compiled.err, Not(HasSubstr(".o.hone")));
  Outcome plain = project.compile("scale.cpp", {"--mode", "off"});
  EXPECT_EQ(compiled.err, plain.err);
}

TEST_F(Apply, AppliesStrictWarningsOnlyToUserCode) {
  const char* sloppy =
      "void scale(float* x, int n) {\n  int unused, n2 = n;\n  double big = 3;\n  for (unsigned i = 0; i < n2; ++i) "
      "x[i] = "
      "(float)(x[i] * big);\n}\n";
  std::vector<std::string> strict = {"-Wextra",  "-Wpedantic",       "-Wconversion",
                                     "-Wshadow", "-Wold-style-cast", "-Werror"};
  project.write("scale.cpp", std::string(kScale) + "int f(int n) { return n; }\n");
  for (const char* compiler : {"g++", "clang++-19"}) {
    if (!project.run({compiler, "--version"}, project.source()).ok()) continue;
    lock_for(compiler, sloppy);
    std::vector<std::string> command = {HONE_PROGRAM, "cc", "--", compiler, "-Wall", "-Wno-unknown-pragmas"};
    command.insert(command.end(), strict.begin(), strict.end());
    command.insert(command.end(),
                   {"-c", (project.source() / "scale.cpp").string(), "-o", project.object("scale.cpp").string()});
    EXPECT_EQ(project.run(command, project.source()).all(), "") << compiler;
    EXPECT_EQ(says(), kVariantSays) << compiler;
  }
  // The user's own code is still held to them.
  project.write("scale.cpp", std::string(kScale) + "int f(int n) { int mine; return n; }\n");
  Outcome refused = project.compile("scale.cpp", {}, strict);
  EXPECT_FALSE(refused.ok());
  EXPECT_THAT(refused.err, HasSubstr("mine"));
}

TEST_F(Apply, KeepsFileNamesThatProgramSees) {
  project.write("scale.cpp", std::string(kScale) +
                                 "#include \"helper.h\"\n"
                                 "static int shown = std::printf(\"%s|%s|%s\\n\", __FILE__, "
                                 "__BASE_FILE__, helper());\n");
  project.write("helper.h", "inline const char* helper() { return __FILE__; }\n");
  lock(kTriples);
  ASSERT_TRUE(project.compile("scale.cpp").ok());
  std::string source = (project.source() / "scale.cpp").string(), header = (project.source() / "helper.h").string();
  EXPECT_EQ(says(), source + "|" + source + "|" + header + "\n" + kVariantSays);
}

TEST_F(Apply, NamesOriginalInDebugInformation) {
  lock(kTriples);
  ASSERT_TRUE(project.compile("scale.cpp", {}, {"-g"}).ok());
  Outcome dumped = project.run({"objdump", "--dwarf=info", project.object("scale.cpp").string()}, project.source());
  EXPECT_THAT(dumped.out, HasSubstr((project.source() / "scale.cpp").string()));
  EXPECT_THAT(dumped.out, Not(HasSubstr(".o.hone")));
}

TEST_F(Apply, WritesDependenciesOfOriginalLockFileAndVariant) {
  std::string digest = lock(kTriples);
  std::string depfile = (project.build() / "deps.d").string();
  ASSERT_TRUE(project.compile("scale.cpp", {}, {"-MD", "-MT", "target", "-MF", depfile}).ok());
  std::string escaped = project.read(depfile), rules;
  for (std::size_t i = 0; i < escaped.size(); ++i)
    if (!(escaped[i] == '\\' && escaped[i + 1] == ' ')) rules += escaped[i];
  EXPECT_THAT(rules, HasSubstr("target: " + (project.source() / "scale.cpp").string()));
  EXPECT_THAT(rules, HasSubstr(project.lock().string()));
  EXPECT_THAT(rules, HasSubstr(project.blob(digest).string()));
  EXPECT_THAT(rules, Not(HasSubstr(".o.hone")));
  // An untuned kernel's object depends on the lock file too.
  std::ofstream(project.lock()) << "{\"version\": 1, \"kernels\": []}\n";
  ASSERT_TRUE(project.compile("scale.cpp", {}, {"-MD", "-MT", "target", "-MF", depfile}).ok());
  EXPECT_THAT(project.read(depfile), HasSubstr("hone.lock"));
}

TEST_F(Apply, WorksWithClang) {
  if (!project.run({"clang++-19", "--version"}, project.source()).ok()) GTEST_SKIP() << "there is no clang++-19";
  lock_for("clang++-19", kTriples);
  Outcome compiled =
      project.run({HONE_PROGRAM, "cc", "--", "clang++-19", "-Wall", "-Wno-unknown-pragmas", "-g", "-c",
                   (project.source() / "scale.cpp").string(), "-o", project.object("scale.cpp").string()},
                  project.source());
  EXPECT_TRUE(compiled.ok());
  EXPECT_EQ(compiled.all(), "");
  EXPECT_EQ(says(), kVariantSays);
}

TEST_F(Apply, WorksWithRelativePathsAndResponseFile) {
  lock(kTriples);
  project.write("words.rsp", "-c scale.cpp\n");
  Outcome compiled =
      project.run({HONE_PROGRAM, "cc", "--", "g++", "-Wno-unknown-pragmas", "@words.rsp"}, project.source());
  EXPECT_EQ(compiled.all(), "");
  ASSERT_TRUE(fs::exists(project.source() / "scale.o"));
  Outcome linked = project.run({"g++", "scale.o", "-o", "program"}, project.source());
  EXPECT_EQ(project.run({"./program"}, project.source()).out, kVariantSays);
}

TEST_F(Apply, WorksWithPrecompiledHeader) {
  project.write("pch.h", "#include <cstdio>\n#include <vector>\n");
  ASSERT_TRUE(project.run({"g++", "-x", "c++-header", "pch.h", "-o", "pch.h.gch"}, project.source()).ok());
  std::string header = (project.source() / "pch.h").string();
  project.lock_variant("app::scale", "scale.cpp",
                       project.key_of_file("app::scale", "scale.cpp", {"-Winvalid-pch", "-include", header}), kTriples);
  Outcome compiled = project.compile("scale.cpp", {}, {"-Winvalid-pch", "-include", header});
  EXPECT_EQ(compiled.all(), "");
  EXPECT_EQ(says(), kVariantSays);
}

TEST_F(Apply, ReplacesEachOfSeveralKernels) {
  project.write("scale.cpp", R"(#include <cstdio>
static int twice(int x) { return 2 * x; }
namespace { namespace deep {
#pragma hone kernel out(y[0:n]) problem(n=100)
static void first(int* y, int n) { for (int i = 0; i < n; ++i) y[i] = twice(i); }
}}
#pragma hone kernel out(y[0:n]) problem(n=100)
static void second(int* y, int n) { for (int i = 0; i < n; ++i) y[i] = i; }
int main() { int y[3]; deep::first(y, 3); std::printf("%d ", y[2]); second(y, 3); std::printf("%d %d\n", y[2], __LINE__); }
)");
  auto key = [&](const std::string& name) { return project.key_of_file(name, "scale.cpp"); };
  Outcome listed = project.compile("scale.cpp");
  EXPECT_EQ(count(listed.err, "is not tuned"), 2u) << listed.err;
  project.lock_variant(
      "second", "scale.cpp", key("second"),
      "#include <cstring>\nstatic void second(int* y, int n) {\n  std::memset(y, 0, n * sizeof *y);\n}\n");
  EXPECT_EQ(count(project.compile("scale.cpp").err, "is not tuned"), 1u);
  EXPECT_EQ(says(), "4 0 9\n");
}

TEST_F(Apply, TellsStaticKernelsOfSameNameApart) {
  auto unit = [](const std::string& factor) {
    return "#pragma hone kernel inout(x[0:n]) problem(n=1000)\n"
           "static void work(float* x, int n) { for (int i = 0; i < n; ++i) x[i] *= " +
           factor + "; }\n";
  };
  project.write("a.cpp", unit("2") + "void a(float* x) { work(x, 1); }\n");
  project.write("b.cpp", unit("3") + "void b(float* x) { work(x, 1); }\n");
  project.write("m.cpp",
                "#include <cstdio>\nvoid a(float*);\nvoid b(float*);\n"
                "int main() { float x = 1, y = 1; a(&x); b(&y); std::printf(\"%g %g\\n\", x, y); }\n");
  std::string key_a = project.key_of_file("work", "a.cpp"), key_b = project.key_of_file("work", "b.cpp");
  EXPECT_NE(key_a, key_b);
  project.lock_variant("work", "a.cpp", key_a, "static void work(float* x, int n) { while (n--) *x++ = 20; }\n");
  project.lock_variant("work", "b.cpp", key_b, "static void work(float* x, int n) { while (n--) *x++ = 30; }\n");
  for (const char* file : {"a.cpp", "b.cpp", "m.cpp"}) EXPECT_EQ(project.compile(file).all(), "");
  EXPECT_EQ(project.link_and_run({"a.cpp", "b.cpp", "m.cpp"}).out, "20 30\n");
}

TEST_F(Apply, PassesExitCodeAndOutputOfCompiler) {
  project.write("plain.cpp", "int main() { return 0 }\n");
  Outcome compiled = project.compile("plain.cpp");
  EXPECT_EQ(compiled.code, 1);
  EXPECT_THAT(compiled.err, HasSubstr("plain.cpp:1:"));
  EXPECT_EQ(project.run({HONE_PROGRAM, "cc", "--", "no-such-compiler", "-c", "x.cpp"}, project.source()).code, 127);
  const Outcome missing = project.run({HONE_PROGRAM, "cc", "--", "no-such-g++", "-c", "scale.cpp"}, project.source());
  EXPECT_EQ(missing.code, 127);
  EXPECT_THAT(missing.err, testing::HasSubstr("hone: cannot start no-such-g++: No such file or directory"));
  EXPECT_EQ(project.run({HONE_PROGRAM, "cc", "--", "g++", "--version"}, project.source()).out,
            project.run({"g++", "--version"}, project.source()).out);
}

TEST_F(Apply, CompilesOriginalWithNoteIfToolIsMissing) {
  lock(kTriples);
  Outcome compiled = project.compile("scale.cpp", {}, {}, {"HONE_TOOL=/no/such/hone-tool"});
  // HONE_TOOL is a hint: the tool beside the launcher is taken where the hint is wrong.
  EXPECT_TRUE(compiled.ok());
  fs::path lonely = project.folder() / "hone";
  fs::copy_file(HONE_PROGRAM, lonely);
  compiled = project.run({lonely.string(), "cc", "--", "g++", "-Wno-unknown-pragmas", "-c", "scale.cpp", "-o",
                          project.object("scale.cpp").string()},
                         project.source());
  EXPECT_TRUE(compiled.ok());
  EXPECT_THAT(compiled.err, HasSubstr("the original is compiled"));
  EXPECT_EQ(says(), kOriginalSays);
  EXPECT_EQ(project.run({lonely.string(), "cc", "--locked", "--", "g++", "-c", "scale.cpp"}, project.source()).code, 1);
  EXPECT_EQ(project.run({lonely.string(), "list"}, project.source()).code, 3);
}

TEST_F(Apply, IsSwitchedOffByEnvironment) {
  lock(kTriples);
  EXPECT_EQ(project.compile("scale.cpp", {}, {}, {"HONE_MODE=off"}).all(), "");
  EXPECT_EQ(says(), kOriginalSays);
}

TEST_F(Apply, RejectsWrongCommandLine) {
  EXPECT_EQ(project.run({HONE_PROGRAM, "cc"}, project.source()).code, 2);
  EXPECT_EQ(project.run({HONE_PROGRAM, "cc", "--"}, project.source()).code, 2);
  Outcome wrong = project.run({HONE_PROGRAM, "cc", "--mood", "x", "--", "g++", "-c", "scale.cpp"}, project.source());
  EXPECT_EQ(wrong.code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("not expected: --mood"));
}

}  // namespace
}  // namespace hone::tests
