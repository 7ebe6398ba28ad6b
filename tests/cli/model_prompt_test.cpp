// What enters prompts besides the search: what the machine can and the compiler did, what other kernels taught, and the
// user's own notes, templates and strategies. By the real program.
#include <algorithm>
#include <fstream>

#include <gmock/gmock.h>

#include "model_bench.h"
#include "tool/judge/count/callgrind.h"

namespace hone {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

struct ModelPrompt : testing::Test {
  ModelBench bench{"g++"};

  Ended tune(const std::string& strategy, const std::vector<std::string>& more = {}, bool really = false) const {
    std::vector<std::string> words{"--strategy", strategy, "--force"};
    words.insert(words.end(), more.begin(), more.end());
    return run(bench.folder(), bench.tune("5 good", words, really));
  }
  std::string first_prompt() const {
    const auto prompts = bench.prompts();
    return prompts.empty() ? "" : prompts.front();
  }
  std::string all_prompts() const {
    std::string all;
    for (const std::string& prompt : bench.prompts()) all += prompt;
    return all;
  }
  // The usage error that a run with these files is.
  std::string complaint(const std::string& strategy = "free") const {
    const Ended ended = tune(strategy);
    EXPECT_EQ(ended.code, 2) << ended.err;
    EXPECT_EQ(std::count(ended.err.begin(), ended.err.end(), '\n'), 1) << ended.err;
    EXPECT_TRUE(bench.calls().empty()) << "said before anything is asked";
    return ended.err;
  }
};

// ---- profile and roofline, by the real compiler and the real judge

TEST_F(ModelPrompt, ReportsRooflineAndMachineRates) {
  const Ended ended = tune("insight", {"--trials", "1"}, true);
  const std::string prompt = first_prompt();
  ASSERT_NE(prompt, "") << ended.err;
  // 20000 floats in and out; eight times a product and a sum for each.
  EXPECT_THAT(
      prompt,
      ContainsRegex("n=20000: at least 160 kB must move, at best at [0-9.]+ [GT]B/s, and the original does "
                    "320 k operations; at these rates that takes [0-9.]+ [^ ]*s, [0-9]+% of the original's time"));
  EXPECT_THAT(prompt, ContainsRegex("Memory bandwidth, measured: [0-9.]+ [GM]B/s"));
  EXPECT_THAT(prompt, ContainsRegex("Peak rate: [0-9.]+ [GT]op/s"));
  EXPECT_THAT(prompt, ContainsRegex("Caches: L1 [0-9]+ KiB"));
}

TEST_F(ModelPrompt, ReportsCompiledLoopsOfOriginal) {
  const Ended ended = tune("insight", {"--trials", "1"}, true);
  const std::string prompt = first_prompt();
  ASSERT_NE(prompt, "") << ended.err;
  const std::size_t at = prompt.find("# Measured on the original");
  ASSERT_NE(at, std::string::npos) << prompt;
  const std::string profile = prompt.substr(at, prompt.find("\n# ", at + 1) - at);
  EXPECT_THAT(profile, HasSubstr("Against the machine (operations are those that the original writes down):"));
  EXPECT_THAT(profile, ContainsRegex("- n=20000: [0-9.]+ [GM]op/s \\([0-9]+% of the machine's [0-9.]+ [GT]\\); [0-9.]+ "
                                     "[GM]B/s; [0-9.]+ times the least time"));
#if defined(__x86_64__)
  EXPECT_THAT(profile, HasSubstr("Its innermost loops as compiled:"));
  EXPECT_THAT(profile, ContainsRegex("- line [0-9]+ `[^`]*(for|sum)[^`]*`: [0-9]+ instructions: "
                                     "[0-9]+ of [0-9]+ floating-point operations packed"));
#endif
}

TEST_F(ModelPrompt, ReportsInstructionCountsOfOriginal) {
  if (!judge::find_valgrind()) GTEST_SKIP() << "valgrind is not installed";
  const Ended ended = tune("insight", {"--trials", "1"}, true);
  const std::string prompt = first_prompt();
  EXPECT_THAT(prompt, HasSubstr("What a call executes, as callgrind counts it")) << ended.err;
  // One load and one store for each element at least, and the lines of the loop.
  EXPECT_THAT(prompt,
              ContainsRegex("- n=20000: [0-9.]+ (thousand|million) instructions; [0-9.]+ (thousand|million) reads "
                            "and writes, of which [0-9.]+% miss the first-level cache and [0-9.]+% the last; "
                            "[0-9.]+ (thousand |million )?conditional branches, [0-9.]+% mispredicted"));
  EXPECT_THAT(prompt,
              ContainsRegex("- line [0-9]+ `[^`]+`: [0-9.]+% of the instructions, [0-9.]+% of the first-level"));
}

TEST_F(ModelPrompt, ProfilesRightCandidatesAndShowsParents) {
  bench.project().write("hone.json", R"({ "concurrency": 1 })");
  const Ended ended =
      tune("cold-start", {"--trials", "10"}, true);  // mutation and crossover show their parents' profile
  std::map<std::string, std::string> profiles;       // by name
  for (const json& line : bench.recording()) {
    if (!line.contains("fingerprint") || line.contains("duplicate_of")) continue;
    const bool right = line["verdict"]["right"];
    EXPECT_EQ(line.contains("profile"), right) << line;
    if (!right) continue;
    EXPECT_THAT(line["profile"].get<std::string>(),
                AllOf(HasSubstr("Against the machine"), HasSubstr("The compiler on its loops:"),
                      HasSubstr("`for (int i = 0; i < n; ++i) {`: loop vectorized")));
    profiles[line["name"]] = line["profile"];
  }
  ASSERT_FALSE(profiles.empty()) << ended.err;
  bool shown = false;
  for (const std::string& prompt : bench.prompts())
    for (const auto& [name, profile] : profiles)
      shown = shown || (prompt.find("Measured on it:") != std::string::npos &&
                        prompt.find(profile.substr(0, profile.find_last_not_of('\n'))) != std::string::npos);
  EXPECT_TRUE(shown);
}

TEST_F(ModelPrompt, OmitsProfileIfStrategyShowsNone) {
  tune("free", {"--trials", "2"}, true);
  EXPECT_THAT(first_prompt(),
              AllOf(HasSubstr("Memory bandwidth, measured"), Not(HasSubstr("Measured on the original"))));
  for (const json& line : bench.recording()) EXPECT_FALSE(line.contains("profile")) << "nor is one paid for";
}

// ---- the memory across kernels

struct Memory : ModelPrompt {
  json memory() const { return json::parse(bench.project().read(bench.memory_file()), nullptr, false); }
  unsigned measured() const {
    unsigned count = 0;
    const json all = memory();
    for (const json& entry : all["entries"]) count += entry["uses"].get<unsigned>();
    return count;
  }
  // Techniques that were applied and found right, by the recording.
  unsigned applied() const {
    unsigned count = 0;
    std::set<unsigned> asked;
    for (const json& line : bench.recording()) {
      if (line.value("operator", "") == "apply-technique") asked.insert(line["ask"].get<unsigned>());
      if (line.contains("fingerprint") && !line.contains("duplicate_of") && line["verdict"]["right"] &&
          asked.contains(line["told"].get<unsigned>()))
        ++count;
    }
    return count;
  }
  // The next kernel of the project: the same in another name.
  void become(const std::string& name) const {
    std::string source = bench.project().read(bench.folder() / "kernel.cpp");
    const std::size_t at = source.find("void ") + 5;
    source.replace(at, source.find('(', at) - at, name);
    bench.project().write("kernel.cpp", source);
    bench.forget_runs();
  }
  // As if some search had found out.
  void teach(const std::string& technique) const {
    json all = memory();
    json entry = all["entries"].at(0);
    entry.update({{"technique", technique}, {"predicted", 50}, {"actual", 50}, {"uses", 7}, {"confidence", 1}});
    all["entries"].push_back(entry);
    bench.project().write("cache/hone/memory.json", all.dump());
  }
};

TEST_F(Memory, TransfersTechniquesToNextKernel) {
  const Ended first = tune("memory", {"--trials", "6"});
  ASSERT_TRUE(memory().is_object()) << first.err;
  ASSERT_GE(memory()["entries"].size(), 1u);
  EXPECT_EQ(measured(), applied()) << first.err;
  EXPECT_GE(measured(), 1u);
  EXPECT_THAT(memory().dump(), Not(HasSubstr("void"))) << "it holds no source";

  teach("sing while you add");
  become("thrice");
  bench.project().write("mine.json", R"({ "name": "mine", "proposer": "model", "population": "single",
    "operators": [ { "name": "init", "ingredients": [ "task", "memory" ] } ] })");
  tune("mine.json", {"--trials", "1"});
  EXPECT_THAT(first_prompt(), HasSubstr("# What worked on other kernels like this one\n"
                                        "- sing while you add: measured 50.0x (7 times)\n"));
  bench.forget_runs();
  const Ended second = tune("memory", {"--trials", "12"});
  EXPECT_THAT(all_prompts(), HasSubstr("sing while you add (expected: 50.0x)")) << second.err;
  unsigned told = 0;  // for each state of a kernel in which it was tried, an entry
  const json all = memory();
  for (const json& entry : all["entries"])
    if (entry["technique"] == "sing while you add")
      told += entry["uses"].get<unsigned>() + entry["failures"].get<unsigned>();
  EXPECT_GT(told, 7u) << "and what it did here counts: " << all;
}

TEST_F(Memory, IsUnusedWithNoMemoryOption) {
  tune("memory", {"--trials", "4"});
  teach("sing while you add");
  const std::string before = bench.project().read(bench.memory_file());
  become("thrice");
  const Ended ended = tune("memory", {"--trials", "6", "--no-memory"});
  EXPECT_EQ(kernel_of(ended)["trials"]["total"], 6) << ended.err;
  EXPECT_THAT(all_prompts(), Not(HasSubstr("sing while you add")));
  EXPECT_EQ(bench.project().read(bench.memory_file()), before);
}

TEST_F(Memory, AddsOnlyNewResultsOnResume) {
  tune("memory", {"--trials", "4"});
  EXPECT_EQ(measured(), applied());
  const unsigned before = measured();
  const Ended resumed = tune("memory", {"--trials", "9", "--resume"});
  EXPECT_EQ(kernel_of(resumed)["trials"]["total"], 9) << resumed.err;
  EXPECT_GT(measured(), before);
  EXPECT_EQ(measured(), applied());
}

TEST_F(Memory, IsReportedAndSetAsideIfUnreadable) {
  bench.project().write("cache/hone/memory.json", "{ half");
  const Ended ended = tune("memory", {"--trials", "4"});
  EXPECT_THAT(ended.err, HasSubstr("searching without a memory"));
  EXPECT_EQ(kernel_of(ended)["trials"]["total"], 4) << ended.err;
  EXPECT_EQ(bench.project().read(bench.memory_file().string() + ".corrupt"), "{ half");
  EXPECT_EQ(measured(), applied());
}

// ---- the user's own notes, templates and strategies

TEST_F(ModelPrompt, IncludesUserNotesWithMatchingTags) {
  bench.project().write("hone-knowledge/our-adder.md",
                        "---\ntitle: Our adder likes eights\ntags: reduction latency unroll vectorisation\n---\n"
                        "Never sum nine.\n");
  bench.project().write("hone-knowledge/elsewhere.md",
                        "---\ntitle: Of other machines\ntags: neon cuda\n---\nNothing.\n");
  bench.project().write("hone-knowledge/README.txt", "not a note");
  const Ended ended = tune("memory", {"--trials", "1"});  // asks for techniques first, with notes
  EXPECT_THAT(first_prompt(), HasSubstr("## Our adder likes eights\n\nNever sum nine.")) << ended.err;
  EXPECT_THAT(first_prompt(), Not(HasSubstr("Of other machines")));
}

TEST_F(ModelPrompt, UsesUserTemplate) {
  bench.project().write("hone-prompts/init.mustache",
                        "{{! system }}\nBe brief.\n{{! user }}\nMake {{function}} sing.\n{{> _reply}}\n");
  const Ended ended = tune("free", {"--trials", "2"});
  EXPECT_THAT(first_prompt(), testing::StartsWith("Be brief.\n\nMake twice sing.\n")) << ended.err;
  EXPECT_THAT(first_prompt(), HasSubstr("then the complete definition of twice")) << "shared parts are there";
}

TEST_F(ModelPrompt, ReportsInvalidNotesAndTemplatesAtOnce) {
  bench.project().write("hone-knowledge/half.md", "---\ntitle: Half\n---\ntext\n");
  EXPECT_THAT(complaint(), AllOf(HasSubstr("hone-knowledge/half.md:3"), HasSubstr("tags")));
  fs::remove_all(bench.folder() / "hone-knowledge");
  bench.project().write("hone-prompts/initt.mustache", "x");
  EXPECT_THAT(complaint(), AllOf(HasSubstr("initt.mustache"), HasSubstr("no prompt uses"), HasSubstr("init")));
  fs::remove_all(bench.folder() / "hone-prompts");
  bench.project().write("hone-prompts/init.mustache", "one\ntwo {{#open}}\nthree");
  EXPECT_THAT(complaint(), AllOf(HasSubstr("init.mustache:2"), HasSubstr("mustache")));
  const Ended offline = run(bench.folder(), {"tune", "--trials", "1", "--executor", "command:" PRETEND_WORKER});
  EXPECT_NE(offline.code, 2) << "no prompt, no matter: " << offline.err;
}

TEST_F(ModelPrompt, AcceptsEditedPresetAsStrategyFile) {
  // free, with the thoughts of others.
  std::string text = bench.project().read(fs::path(PRESETS) / "free.json");
  const std::string whole = R"([ "task", "hardware", "best" ])";
  ASSERT_NE(text.find(whole), std::string::npos);
  text.replace(text.find(whole), whole.size(), R"([ "task", "best", "insights" ], "insights": 2)");
  text.replace(text.find("\"free\""), 6, "\"mine\"");
  bench.project().write("mine.json", text);
  bench.project().write("hone.json", R"({ "concurrency": 1 })");
  const Ended ended = tune("mine.json", {"--trials", "4"});
  EXPECT_EQ(kernel_of(ended)["trials"]["total"], 4) << ended.err;
  EXPECT_THAT(first_prompt(), Not(HasSubstr("- Caches: ")));
  EXPECT_THAT(all_prompts(), HasSubstr("# What was learned\n- "));
  const Ended unknown = tune("thine.json", {"--trials", "1"});
  EXPECT_EQ(unknown.code, 2);
  EXPECT_THAT(unknown.err, HasSubstr("thine.json"));
}

TEST_F(ModelPrompt, ReportsPlaceOfStrategyFileError) {
  bench.project().write("mine.json",
                        "{ \"name\": \"mine\", \"proposer\": \"model\",\n  \"population\": \"forest\",\n"
                        "  \"operators\": [ { \"name\": \"init\", \"ingredients\": [ \"task\" ] } ] }");
  EXPECT_THAT(complaint("mine.json"), AllOf(HasSubstr("mine.json: line 2"), HasSubstr("one of single, elite")));
  bench.project().write("mine.json", "{ \"name\": ");
  EXPECT_THAT(complaint("mine.json"), HasSubstr("mine.json: line 1: the strategy is not JSON"));
}

}  // namespace
}  // namespace hone
