#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>

#include <nlohmann/json.hpp>

#include "cache/lock_file.h"
#include "cache/store.h"
#include "run_program.h"
#include "small_project.h"

namespace hone {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

cache::LockFile locked(const SmallProject& project) {
  return cache::LockFile::read(project.lock()).value();
}

TEST(Tune, FindsLocksShowsAndVerifiesFasterVariant) {
  const SmallProject project(twice_in_steps);
  const Ended tuned = run(project.folder(), {"tune", "--trials", "2", "--json", "-"});
  ASSERT_EQ(tuned.code, 0) << tuned.err;
  const json kernel = json::parse(tuned.out)["kernels"][0];
  EXPECT_EQ(kernel["name"], "twice");
  EXPECT_EQ(kernel["accepted"], true);
  EXPECT_GT(kernel["speedup"]["low"], 1.02);
  EXPECT_EQ(kernel["trials"]["total"], 2);

  const auto lock = locked(project);
  ASSERT_EQ(lock.entries.size(), 1u);
  const cache::LockEntry entry = lock.entries[0];
  EXPECT_EQ(entry.file, "kernel.cpp");
  ASSERT_TRUE(entry.variant);
  EXPECT_NE(project.read(project.folder() / "hone" / "cas" / *entry.variant), "")
      << "the project has the variant itself";

  const json listed = json::parse(run(project.folder(), {"list", "--json"}).out)["kernels"][0];
  EXPECT_EQ(listed["state"], "tuned");
  EXPECT_EQ(listed["linked"], true);
  EXPECT_EQ(listed["key"], entry.key);

  const Ended shown = run(project.folder(), {"show", "twice"});
  EXPECT_EQ(shown.code, 0) << shown.err;
  EXPECT_THAT(shown.out, HasSubstr("--- original\n+++ variant\n"));
  EXPECT_THAT(shown.out, HasSubstr("lineage\n  trial "));

  const Ended why = run(project.folder(), {"show", "twice", "--why"});
  EXPECT_EQ(why.code, 0) << why.err;
  EXPECT_THAT(why.out, HasSubstr("\nwhy       without each of these the variant is slower\n  "));
  EXPECT_THAT(why.out, HasSubstr(": gains "));
  EXPECT_THAT(why.out, HasSubstr("// Faster: ")) << "in the variant's text";
  EXPECT_THAT(shown.out, HasSubstr("its worst error takes "));
  const json record = json::parse(project.read(project.folder() / "cache" / "hone" / "ac" / entry.key));
  EXPECT_TRUE(record["verdicts"]["final"]["tolerance_used"].is_number());

  const Ended verified = run(project.folder(), {"verify", "--json"});
  EXPECT_EQ(verified.code, 0) << verified.err;
  EXPECT_EQ(json::parse(verified.out)["kernels"][0]["right"], true);

  // What is known is not searched for again.
  const Ended again = run(project.folder(), {"tune", "--json", "-"});
  EXPECT_EQ(again.code, 0);
  EXPECT_EQ(json::parse(again.out)["kernels"][0]["outcome"], "already tuned");

  // A search that is forced, and finds nothing, takes nothing away.
  const Ended forced = run(project.folder(), {"tune", "--force", "--proposer", "command:echo no idea", "--strategy",
                                              "free", "--trials", "1", "--budget", "1m", "--json", "-"});
  EXPECT_EQ(forced.code, 0) << forced.err;
  EXPECT_EQ(json::parse(forced.out)["kernels"][0]["outcome"], "already tuned");
  EXPECT_EQ(json::parse(forced.out)["kernels"][0]["variant"], *entry.variant);
  EXPECT_EQ(locked(project).entries, lock.entries);

  // What only the user's store knows is locked without a search.
  fs::remove(project.lock());
  fs::remove_all(project.folder() / "hone");
  const Ended recalled = run(project.folder(), {"tune", "--json", "-"});
  EXPECT_EQ(recalled.code, 0);
  EXPECT_EQ(json::parse(recalled.out)["kernels"][0]["outcome"], "from the cache");
  EXPECT_EQ(locked(project).entries, lock.entries);

  // An edit of a comment changes nothing, an edit of the code makes the entry stale.
  project.write("kernel.cpp", "// a comment\n" + std::string(twice_in_steps));
  EXPECT_EQ(json::parse(run(project.folder(), {"list", "--json"}).out)["kernels"][0]["state"], "tuned");
  std::string edited = twice_in_steps;
  edited.replace(edited.find("float sum = 0;"), 14, "float sum = 1;");
  project.write("kernel.cpp", edited);
  EXPECT_EQ(json::parse(run(project.folder(), {"list", "--json"}).out)["kernels"][0]["state"], "stale");

  // A variant that was tampered with is not linked, and not verified.
  project.write("kernel.cpp", twice_in_steps);
  project.write("hone/cas/" + *entry.variant, "void twice() {}");
  fs::remove_all(project.folder() / "cache");
  EXPECT_EQ(json::parse(run(project.folder(), {"list", "--json"}).out)["kernels"][0]["linked"], false);
  EXPECT_EQ(run(project.folder(), {"verify"}).code, 1);
}

// What only this file refuses says nothing of the kernel: its key knows no file.
TEST(Tune, LocksNothingWhereWhatIsFasterDoesNotFitIntoItsFile) {
  const std::string clashing = "static float doubled(float v) { return v + v; }\n";
  const SmallProject project(
      std::string(twice_in_steps) + clashing + "float four(float v) { return 2 * doubled(v); }\n", "-O2", UNSANITIZED);
  project.write("model.sh", "cat > prompt\ncat <<'END'\nname: idea\n\n```cpp\n" + clashing +
                                "void twice(const float* x, float* y, int n) {\n"
                                "  for (int i = 0; i < n; ++i) y[i] = doubled(x[i]);\n}\n```\nEND\n");
  const std::vector<std::string> words = {
      "tune",       "--proposer", "command:sh " + (project.folder() / "model.sh").string(),
      "--strategy", "free",       "--trials",
      "1",          "--json",     "-"};
  const Ended refused = run(project.folder(), words);
  EXPECT_EQ(refused.code, 1) << refused.err;
  const json kernel = json::parse(refused.out)["kernels"][0];
  EXPECT_EQ(kernel["outcome"], "refused");
  EXPECT_THAT(kernel["message"].get<std::string>(),
              HasSubstr("none of them fits into its file, and nothing is locked"));
  EXPECT_THAT(kernel["message"].get<std::string>(), HasSubstr("redefinition of 'doubled'"));
  EXPECT_TRUE(!fs::exists(project.lock()) || locked(project).entries.empty());

  project.write("kernel.cpp", twice_in_steps);  // the next tuning goes on from there
  const Ended tuned = run(project.folder(), words);
  EXPECT_EQ(tuned.code, 0) << tuned.err;
  EXPECT_TRUE(locked(project).entries.at(0).variant);
}

TEST(Tune, TunesTemplateInstance) {
  const std::string source = R"(
#pragma hone kernel in(x[0:N]) out(y[0:N]) tolerance(rtol=1e-4) instantiate(T=float, N=20000)
template <class T, int N>
void twice(const T* x, T* y) {
  for (int i = 0; i < N; ++i) {
    T sum = 0;
    for (int k = 0; k < 8; ++k) sum += x[i] * T(0.25);
    y[i] = sum;
  }
}
template void twice<double, 20000>(const double*, double*);
)";
  const SmallProject project(source);
  const Ended tuned = run(project.folder(), {"tune", "--trials", "2", "--json", "-"});
  ASSERT_EQ(tuned.code, 0) << tuned.out << tuned.err;
  EXPECT_EQ(json::parse(tuned.out)["kernels"][0]["name"], "twice<float, 20000>");

  const auto lock = locked(project);
  ASSERT_EQ(lock.entries.size(), 1u);
  ASSERT_TRUE(lock.entries[0].variant);
  const std::string variant = project.read(project.folder() / "hone" / "cas" / *lock.entries[0].variant);
  EXPECT_THAT(variant, HasSubstr("template <>"));
  const json listed = json::parse(run(project.folder(), {"list", "--json"}).out)["kernels"][0];
  EXPECT_EQ(listed["state"], "tuned");
  EXPECT_EQ(run(project.folder(), {"verify"}).code, 0);
  const Ended shown = run(project.folder(), {"show", "twice<float, 20000>"});
  EXPECT_THAT(shown.out, HasSubstr("--- original\n+++ variant\n")) << shown.err;

  // A build links it: a specialization's symbol is strong, an instance's weak.
  const Ended compiled = run(project.folder(), {"cc", "--lock", project.lock().string(), "--locked", "--", "g++", "-O2",
                                                "-o", "kernel.o", "-c", "kernel.cpp"});
  EXPECT_EQ(compiled.code, 0) << compiled.err;
  const std::string symbols = "nm " + (project.folder() / "kernel.o").string();
  EXPECT_EQ(std::system((symbols + " | grep -q ' T _Z5twiceIfLi20000'").c_str()), 0);
  EXPECT_EQ(std::system((symbols + " | grep -q ' W _Z5twiceIdLi20000'").c_str()), 0) << "the original's";

  // What another candidate comes to, and what is none.
  project.write("candidate.cpp",
                "template <> void twice<float, 20000>(const float* x, float* y) {\n"
                "  for (int i = 0; i < 20000; ++i) y[i] = x[i];\n}\n");
  const Ended wrong = run(project.folder(), {"eval", "--kernel", "twice<float, 20000>", "--json", "candidate.cpp"});
  EXPECT_EQ(json::parse(wrong.out)["stage"], "verify") << wrong.out << wrong.err;
  project.write("candidate.cpp", "void twice(const float* x, float* y) {}\n");
  const Ended plain = run(project.folder(), {"eval", "--kernel", "twice<float, 20000>", "candidate.cpp"});
  EXPECT_THAT(plain.out + plain.err, HasSubstr("explicit specialization 'template <> void twice<float, 20000>("));
}

TEST(Tune, KeepsOriginalWithoutGain) {
  // With these flags most candidates compile to the original's very bytes: they are told as it and cost no trial.
  const SmallProject project(plain_copy, "-O2 -march=native");
  const Ended tuned = run(project.folder(), {"tune", "--trials", "3", "--budget", "30s", "--json", "result.json"});
  EXPECT_EQ(tuned.code, 1) << tuned.err;
  const json kernel = json::parse(project.read(project.folder() / "result.json"))["kernels"][0];
  EXPECT_EQ(kernel["accepted"], false);
  EXPECT_EQ(kernel["outcome"], "original kept");
  ASSERT_EQ(locked(project).entries.size(), 1u);
  EXPECT_FALSE(locked(project).entries[0].variant);
  const json listed = json::parse(run(project.folder(), {"list", "--json"}).out)["kernels"][0];
  EXPECT_EQ(listed["state"], "tuned");
  EXPECT_EQ(listed["linked"], false);
}

// Nothing can be done to it but attributes, which do nothing where a function is always inlined.
TEST(Tune, SaysThatNoCandidateWasProposed) {
  const SmallProject project(R"(#pragma hone kernel in(x[0:n]) problem(n=10000)
__attribute__((always_inline)) inline unsigned mix(const unsigned* x, int n) {
  unsigned s = 0;
  int i = 0;
  while (true) {
    if (i >= n) goto end;
    s = s * 31 + (x[i] & 1 ? x[i] >> 3 : s >> 2);
    i++;
  }
end:
  return s;
}
unsigned use(const unsigned* x, int n) { return mix(x, n); }
)");
  const Ended tuned = run(project.folder(), {"tune", "--trials", "2", "--allow-none"});
  EXPECT_EQ(tuned.code, 0) << tuned.err;
  EXPECT_NE(tuned.err.find("no candidate that differs from the original was proposed"), std::string::npos) << tuned.err;
}

TEST(Tune, ReportsWrongClauseAndTunesOtherKernels) {
  const SmallProject project(std::string(plain_copy) + R"(
#pragma hone kernel inn(x[0:n]) problem(n=64)
void wrong(float* x, int n) { x[n - 1] = 0; }
)");
  const Ended tuned = run(project.folder(), {"tune", "--trials", "1", "--json", "-"});
  EXPECT_EQ(tuned.code, 1);
  EXPECT_THAT(tuned.err, HasSubstr("kernel.cpp:7:21: error: "));
  EXPECT_EQ(tuned.err.find("inn"), tuned.err.find("'inn'") + 1) << tuned.err;
  const json kernels = json::parse(tuned.out)["kernels"];
  ASSERT_EQ(kernels.size(), 1u);
  EXPECT_EQ(kernels[0]["name"], "copy");
}

TEST(Tune, ReportsInvalidExpressionAtPragma) {
  const SmallProject project(R"(
#pragma hone kernel inout(x[0:m]) problem(n=64)
void wrong(float* x, int n) { x[n - 1] = 0; }
)");
  const Ended tuned = run(project.folder(), {"tune", "--trials", "1"});
  EXPECT_EQ(tuned.code, 1);
  EXPECT_THAT(tuned.err, HasSubstr("kernel.cpp:2:"));
  EXPECT_THAT(tuned.err, HasSubstr("'m'"));
  EXPECT_TRUE(locked(project).entries.empty());
}

TEST(Tune, RejectsOriginalThatWritesOutOfBounds) {
  const SmallProject project(R"(
#pragma hone kernel inout(x[0:n]) problem(n=64)
void beyond(float* x, int n) { for (int i = 0; i <= n; ++i) x[i] = 2 * x[i]; }
)");
  const Ended tuned = run(project.folder(), {"tune", "--trials", "3", "--json", "-"});
  EXPECT_EQ(tuned.code, 1);
  const json kernel = json::parse(tuned.out)["kernels"][0];
  EXPECT_EQ(kernel["outcome"], "refused");
  EXPECT_EQ(kernel["trials"]["total"], 0);
  EXPECT_THAT(kernel["message"].get<std::string>(), HasSubstr("original"));
  EXPECT_TRUE(locked(project).entries.empty());
}

TEST(Tune, EndsWhenBudgetIsSpent) {
  const SmallProject project(slow_product);
  const Ended tuned = run(project.folder(), {"tune", "--trials", "100000", "--budget", "5s", "--json", "-"});
  EXPECT_TRUE(tuned.code == 0 || tuned.code == 1) << tuned.err;
  const json kernel = json::parse(tuned.out)["kernels"][0];
  EXPECT_LT(kernel["trials"]["total"], 1000);
  EXPECT_LT(kernel["spent"]["seconds"], 60) << "it ends by itself, not by its trials";
}

TEST(Eval, JudgesRightWrongForbiddenAndBrokenCandidates) {
  const SmallProject project(slow_product);
  auto eval = [&](const std::string& source) {
    return run(project.folder(), {"eval", "--kernel", "product", "-", "--json"}, source);
  };
  const std::string head = "void product(const float* a, const float* b, float* c, int n) {\n";
  const Ended right = eval(head + R"(
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) c[i * n + j] = 0;
    for (int k = n - 1; k >= 0; --k)
      for (int j = 0; j < n; ++j) c[i * n + j] += a[i * n + k] * b[k * n + j];
  }
})");
  EXPECT_EQ(right.code, 0) << right.err << right.out;
  json verdict = json::parse(right.out);
  EXPECT_EQ(verdict["right"], true);
  // Whether a busy machine sees the gain is no matter of pass or fail; that the two agree is.
  EXPECT_EQ(verdict["stage"], verdict["faster"] ? "done" : "time") << verdict["reason"];
  EXPECT_TRUE(verdict["speedup"].contains("median"));
  // Another order of summation: not bit for bit, but well within the tolerance.
  EXPECT_GT(verdict["tolerance_used"], 0);
  EXPECT_LE(verdict["tolerance_used"], 1);
  EXPECT_EQ(verdict["problems"].size(), 1u);

  const Ended zeros = eval(head + "for (int i = 0; i < n * n; ++i) c[i] = 0;\n}");
  EXPECT_EQ(zeros.code, 1);
  verdict = json::parse(zeros.out);
  EXPECT_EQ(verdict["right"], false);
  EXPECT_EQ(verdict["stage"], "verify");
  EXPECT_EQ(verdict["tolerance_used"], nullptr);

  const Ended broken = eval(head + "c[0] = nothing;\n}");
  EXPECT_EQ(broken.code, 1);
  EXPECT_THAT(json::parse(broken.out)["reason"].get<std::string>(), HasSubstr("2"));

  const Ended other = eval("void quotient() {}");
  EXPECT_EQ(other.code, 1);
  EXPECT_EQ(json::parse(other.out)["stage"], "gate");
  EXPECT_EQ(project.read(project.lock()), "{ \"version\": 1, \"kernels\": [] }\n") << "eval changes nothing";
}

TEST(Eval, JudgesOriginalBuiltByOtherCompiler) {
  const SmallProject project(slow_product);
  if (access("/usr/bin/clang++-19", X_OK) != 0) GTEST_SKIP() << "there is no clang++-19";
  const Ended ended =
      run(project.folder(), {"eval", "--kernel", "product", "--with", "clang++-19 -O2", "--original", "--json"});
  ASSERT_EQ(ended.code, 0) << ended.err << ended.out;
  const json verdict = json::parse(ended.out);
  EXPECT_EQ(verdict["right"], true) << verdict;  // sanitizers included, each with its own compiler's runtime
}

TEST(Commands, ExitWithTwoOnUsageErrors) {
  const SmallProject project(slow_product);
  EXPECT_EQ(run(project.folder(), {}).code, 2);
  EXPECT_EQ(run(project.folder(), {"tunee"}).code, 2);
  EXPECT_EQ(run(project.folder(), {"tune", "--trials", "many"}).code, 2);
  EXPECT_EQ(run(project.folder(), {"tune", "--trials", "0"}).code, 2);
  EXPECT_EQ(run(project.folder(), {"tune", "--budget", "soon"}).code, 2);
  for (const char* wrong : {"0", "soon", "-5s"}) {
    const Ended ended = run(project.folder(), {"tune", std::string("--budget-total=") + wrong});
    EXPECT_EQ(ended.code, 2) << wrong;
    EXPECT_THAT(ended.err, HasSubstr("write 90s, 10m or 1h30m")) << wrong;
  }
  EXPECT_THAT(run(project.folder(), {"tune", "--budget-total", "5s"}).err,
              HasSubstr("--budget-total 5s is less than measuring one winner afresh may take (8 s)"));
  EXPECT_THAT(run(project.folder(), {"tune", "--seed", "-1"}).err,
              HasSubstr("a seed is a whole number from 0 on, and not -1"));
  EXPECT_EQ(run(project.folder(), {"eval", "-"}).code, 2);
  EXPECT_EQ(run(project.folder(), {"eval", "--kernel", "product", "no such file"}).code, 2);
  EXPECT_THAT(run(project.folder(), {"tune", "--proposer", "oracle"}).err,
              HasSubstr("choose openai, anthropic or command"));
  const Ended unknown = run(project.folder(), {"show", "prodcut"});
  EXPECT_EQ(unknown.code, 2);
  EXPECT_THAT(unknown.err, HasSubstr("did you mean 'product'?"));
  const Ended target = run(project.folder(), {"list", "--target", "app"});
  EXPECT_EQ(target.code, 2);
}

// Beside kernel.cpp, compiled as it is.
void add_other_file(const SmallProject& project, const std::string& text, const std::string& flags = "") {
  project.write("other.cpp", text);
  std::string commands = project.read(project.folder() / "build/compile_commands.json"), other = commands;
  for (std::size_t at; (at = other.find("kernel.")) != std::string::npos;) other.replace(at, 7, "other.");
  other.insert(other.find(" -o "), " " + flags);
  commands.replace(commands.rfind(']'), 1, "," + other.substr(1));
  project.write("build/compile_commands.json", commands);
}

const std::string wrong_annotation =
    "#pragma hone kernel in(x[0:m]) problem(k=64)\nint wrong(const int* x, int n) { return x[n - 1]; }\n";

TEST(Commands, CountErrorsOfFilesThatNobodyNamed) {
  const SmallProject project(slow_product);
  add_other_file(project, wrong_annotation);
  const std::string place = "other.cpp:1:", count = "in annotations of other files (other.cpp); hone list shows ";
  const Ended named = run(project.folder(), {"show", "product"}), refused = run(project.folder(), {"show", "wrong"});
  EXPECT_EQ(named.code, 1);
  EXPECT_THAT(named.out, HasSubstr("product"));
  EXPECT_THAT(named.err, AllOf(HasSubstr(count), Not(HasSubstr(place))));
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.err, AllOf(HasSubstr(place), Not(HasSubstr(count))));
  EXPECT_THAT(run(project.folder(), {"list", "product"}).err, AllOf(HasSubstr(place), Not(HasSubstr(count))));
}

TEST(Commands, CountWarningsOfFilesThatNobodyNamedApartFromErrors) {
  for (const bool is_wrong : {false, true}) {
    const SmallProject project(slow_product);
    project.write("forced.h", "#pragma hone kernel in(x[0:n]) problem(n=64)\nint last(const int* x, int n);\n");
    add_other_file(project, is_wrong ? wrong_annotation : "", "-include ../forced.h");
    const std::string told = run(project.folder(), {"show", "product"}).err;
    EXPECT_EQ(
        told,
        is_wrong
            ? "hone: 1 error and 1 warning in annotations of other files (forced.h and 1 more); hone list shows them\n"
            : "hone: 1 warning in annotations of other files (forced.h); hone list shows it\n");
  }
}

TEST(Commands, AdviseWhenCompileDatabaseIsMissing) {
  const SmallProject project(slow_product);
  fs::remove_all(project.folder() / "build");
  const Ended listed = run(project.folder(), {"list"});
  EXPECT_EQ(listed.code, 3);
  EXPECT_THAT(listed.err, HasSubstr("CMAKE_EXPORT_COMPILE_COMMANDS"));
}

TEST(Commands, FailWithoutKernel) {
  const SmallProject project("// hone is not used here\nvoid nothing() {}\n");
  const Ended listed = run(project.folder(), {"list"});
  EXPECT_EQ(listed.code, 1);
  EXPECT_THAT(listed.err, HasSubstr("no annotated kernel was found"));
  EXPECT_EQ(run(project.folder(), {"tune"}).code, 1);
}

TEST(Commands, LeaveBrokenLockFileUnchanged) {
  const SmallProject project(slow_product);
  project.write("hone.lock", "{ half");
  EXPECT_EQ(run(project.folder(), {"list"}).code, 3);
  const Ended tuned = run(project.folder(), {"tune", "--trials", "1"});
  EXPECT_EQ(tuned.code, 3);
  EXPECT_EQ(project.read(project.lock()), "{ half");
}

TEST(Commands, PrintHelpAndVersion) {
  const SmallProject project(slow_product);
  for (const char* command : {"list", "tune", "eval", "show", "verify", "export", "doctor", "cache", "cc"}) {
    const Ended help = run(project.folder(), {command, "--help"});
    EXPECT_EQ(help.code, 0) << command;
    EXPECT_NE(help.out, "") << command;
    EXPECT_THAT(run(project.folder(), {"--help"}).out, HasSubstr(command));
  }
  EXPECT_THAT(run(project.folder(), {"--version"}).out, testing::MatchesRegex("hone [0-9.]+\n"));
}

TEST(Commands, ExplainKeyInList) {
  const SmallProject project(slow_product);
  const Ended listed = run(project.folder(), {"list", "--explain"});
  EXPECT_EQ(listed.code, 0) << listed.err;
  EXPECT_THAT(listed.out, HasSubstr("untuned"));
  EXPECT_THAT(listed.out, HasSubstr("language"));
  EXPECT_THAT(listed.out, Not(HasSubstr(project.folder().filename().string() + "/build")));
}

TEST(Cache, AnswersStatsVerifyAndPrune) {
  const SmallProject project(plain_copy);
  EXPECT_EQ(run(project.folder(), {"cache", "stats"}).code, 0);
  EXPECT_EQ(run(project.folder(), {"cache", "verify"}).code, 0);
  EXPECT_EQ(run(project.folder(), {"cache", "prune", "--size", "10M"}).code, 0);
  EXPECT_EQ(run(project.folder(), {"cache", "prune", "--size", "much"}).code, 2);
  EXPECT_EQ(run(project.folder(), {"cache"}).code, 2);
}

TEST(Cache, PrunesWhatNoLockFileNamesAfterListingIt) {
  const SmallProject project(plain_copy);
  const fs::path lock = project.folder() / "hone.lock", cas = project.folder() / "hone" / "cas";
  const std::vector<std::string> prune = {"cache", "prune", "--unused", "--lock", lock.string()};
  const auto dry = [&] {
    std::vector<std::string> words = prune;
    words.push_back("--dry-run");
    return run(project.folder(), words);
  };
  EXPECT_THAT(run(project.folder(), {"cache", "prune", "--unused", "--lock", "nowhere.lock"}).err,
              HasSubstr("there is no lock file"));
  cache::Store store({{project.folder() / "hone", true}}, [](const std::string&) {});
  const cache::Digest kept = *store.put_blob("kept"), old = *store.put_blob("old"), young = *store.put_blob("young");
  cache::LockEntry entry;
  entry.name = "copy", entry.file = "kernel.cpp", entry.key = cache::sha256("key"), entry.variant = kept;
  ASSERT_TRUE(cache::LockFile::update(lock, [&](cache::LockFile& file) { file.put(entry); }));
  fs::last_write_time(cas / old, fs::file_time_type::clock::now() - std::chrono::hours(1));
  EXPECT_EQ(dry().out,
            (cas / old).string() + "\n" + (project.folder() / "hone").string() +
                ": would remove 1 of 3 files, 3 B; named by lock files: 1; too young to tell: 1; damaged: 0\n");
  EXPECT_TRUE(fs::exists(cas / old));
  const Ended pruned = run(project.folder(), prune);
  EXPECT_EQ(pruned.code, 0) << pruned.err;
  EXPECT_THAT(pruned.out, HasSubstr("removed 1 of 3 files"));
  EXPECT_FALSE(fs::exists(cas / old));
  EXPECT_TRUE(fs::exists(cas / kept) && fs::exists(cas / young));
  EXPECT_EQ(run(project.folder(), {"cache", "prune", "--unused", "--size", "1M"}).code, 2);
  EXPECT_EQ(run(project.folder(), {"cache", "prune", "--dry-run"}).code, 2);
}

}  // namespace
}  // namespace hone
