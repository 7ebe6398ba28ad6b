// `hone export` and `hone show --prompt`, `--call` by the real program, on runs with a language model that is none.
#include <cmath>
#include <set>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model_bench.h"
#include "tests/llm/loopback_server.h"

namespace hone {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

std::vector<json> lines_of(const std::string& text) {
  std::vector<json> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(json::parse(line));
  return lines;
}

// The recorded lines of one kind by their request.
std::map<unsigned, json> by_request(const ModelBench& bench, const char* kind) {
  std::map<unsigned, json> found;
  for (const json& line : bench.recording())
    if (line.contains(kind)) found[line[kind].get<unsigned>()] = line;
  return found;
}

std::string as_printed(const json& recorded_prompt) {
  std::string text;
  for (const json& message : recorded_prompt)
    text += (text.empty() ? "" : "\n") + ("[" + message["role"].get<std::string>() + "]\n") +
            message["text"].get<std::string>();
  return text;
}

TEST(ModelExport, WritesOneLinePerJudgedReply) {
  const ModelBench bench;
  ASSERT_EQ(run(bench.folder(), bench.tune("5", {"--strategy", "full", "--trials", "14"})).code, 0);
  const Ended exported = run(bench.folder(), {"export"});
  ASSERT_EQ(exported.code, 0) << exported.err;
  const auto lines = lines_of(exported.out);
  const auto asked = by_request(bench, "ask"), replies = by_request(bench, "reply"), told = by_request(bench, "told");
  ASSERT_EQ(lines.size(), told.size());
  std::set<double> rewards;
  for (const json& line : lines) {
    const unsigned call = line["call"];
    const json& messages = line["messages"];
    ASSERT_EQ(messages.size(), asked.at(call)["prompt"].size() + 1);
    for (std::size_t i = 0; i + 1 < messages.size(); ++i) {
      EXPECT_EQ(messages[i]["role"], asked.at(call)["prompt"][i]["role"]);
      EXPECT_EQ(messages[i]["content"], asked.at(call)["prompt"][i]["text"]);
    }
    EXPECT_EQ(messages.back(), (json{{"role", "assistant"}, {"content", replies.at(call)["text"]}}));
    EXPECT_EQ(line["verdict"]["reason"], told.at(call)["verdict"]["reason"]);
    EXPECT_EQ(line["verdict"]["right"], told.at(call)["verdict"]["right"]);
    EXPECT_EQ(line["kernel"], "twice");
    EXPECT_EQ(line["strategy"], "full");
    EXPECT_EQ(line["seed"], 1);
    EXPECT_EQ(line["model"], "pretend_model");
    const json& verdict = line["verdict"];
    const bool compiled = verdict["stage"] != "gate" && verdict["stage"] != "compile";
    const double gain = verdict["faster"] ? std::log(verdict["speedup"]["median"].get<double>()) : 0;
    EXPECT_DOUBLE_EQ(line["reward"], verdict["right"] ? 0.3 + gain : compiled ? 0.1 : 0);
    rewards.insert(line["reward"].get<double>());
  }
  EXPECT_TRUE(rewards.contains(0.0)) << "the pretended model errs at times";
  EXPECT_GT(*rewards.rbegin(), 0.3);
  EXPECT_THAT(exported.out, Not(HasSubstr(bench.folder().string()))) << "no paths";
}

TEST(ModelExport, WritesPreferencePairsForRepeatedPrompts) {
  const ModelBench bench;
  ASSERT_EQ(run(bench.folder(), bench.tune("5", {"--strategy", "free", "--trials", "10"})).code, 0);
  const Ended exported = run(bench.folder(), {"export", "--format", "preference"});
  ASSERT_EQ(exported.code, 0) << exported.err;
  for (const json& line : lines_of(exported.out)) {
    EXPECT_GE(line["score_chosen"], 0.3);
    EXPECT_NE(line["chosen"], line["rejected"]);
    EXPECT_EQ(line["prompt"].back()["role"], "user");
  }
}

TEST(ModelExport, AcceptsKernelsRecordingsAndOutputFile) {
  const ModelBench bench;
  ASSERT_TRUE(bench.record());
  ASSERT_TRUE(bench.record({"--seed", "2", "--force"}));
  const auto all = run(bench.folder(), {"export", "twice"});
  EXPECT_EQ(all.code, 0) << all.err;
  EXPECT_THAT(all.err, HasSubstr("from 2 recordings"));
  const Ended other = run(bench.folder(), {"export", "thrice"});
  EXPECT_EQ(other.code, 2);
  EXPECT_THAT(other.err, HasSubstr("did you mean 'twice'?"));

  // A recording says all by itself: no project is needed.
  const os::TemporaryFolder elsewhere = *os::TemporaryFolder::create("hone-export");
  fs::copy_file(bench.recording_file(), elsewhere.path() / "kept.calls.jsonl");
  const Ended named =
      run(elsewhere.path(), {"export", "kept.calls.jsonl", "--format", "prompt-completion", "-o", "out.jsonl"});
  EXPECT_EQ(named.code, 0) << named.err;
  EXPECT_EQ(named.out, "");
  const auto lines = lines_of(bench.project().read(elsewhere.path() / "out.jsonl"));
  ASSERT_GE(lines.size(), 3u);
  EXPECT_EQ(lines[0]["completion"][0]["role"], "assistant");
  EXPECT_EQ(run(elsewhere.path(), {"export", "kept.calls.jsonl", "--min-reward", "99"}).code, 1);
}

TEST(ModelExport, NamesBrokenRecordingAndExportsTheRest) {
  const ModelBench bench;
  ASSERT_TRUE(bench.record());
  bench.project().write("build/hone/runs/broken.calls.jsonl", "no recording\n");
  const Ended exported = run(bench.folder(), {"export"});
  EXPECT_EQ(exported.code, 3);
  EXPECT_THAT(exported.err, HasSubstr("broken.calls.jsonl:1: this is no recording"));
  EXPECT_GE(lines_of(exported.out).size(), 3u);
}

TEST(ModelExport, FailsWithoutRecordedRun) {
  const ModelBench bench;
  const Ended exported = run(bench.folder(), {"export"});
  EXPECT_EQ(exported.code, 1);
  EXPECT_THAT(exported.err, HasSubstr("no search with a language model was recorded here"));
  EXPECT_EQ(run(bench.folder(), {"export", "--format", "csv"}).code, 2);
}

// ---- prompts

std::vector<std::string> show(const std::vector<std::string>& more) {
  std::vector<std::string> words{"show", "twice", "--executor", "command:" PRETEND_WORKER};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

TEST(ShownPrompt, EqualsFirstPromptOfSearch) {
  const ModelBench bench;
  for (const char* strategy : {"full", "judge"}) {
    const Ended shown = run(bench.folder(), show({"--prompt", "--strategy", strategy}));
    ASSERT_EQ(shown.code, 0) << shown.err;
    run(bench.folder(), bench.tune("5", {"--strategy", strategy, "--trials", "1", "--force"}));
    EXPECT_EQ(shown.out, as_printed(by_request(bench, "ask").at(1)["prompt"])) << strategy;
    EXPECT_THAT(shown.err, AllOf(HasSubstr("init of the strategy"), HasSubstr("nothing is sent")));
  }
}

TEST(ShownPrompt, EqualsNextPromptOfResumedRun) {
  const ModelBench bench;
  const std::vector<std::string> more{"--strategy", "full", "--resume", "--force", "--trials"};
  const auto so_many = [&](const char* trials) {
    auto words = more;
    words.push_back(trials);
    return run(bench.folder(), bench.tune("5 good", words));
  };
  bench.project().write("hone.json", R"({ "concurrency": 1 })");
  so_many("5");
  const unsigned last = by_request(bench, "ask").rbegin()->first;
  const Ended shown = run(bench.folder(), show({"--prompt", "--resume"}));
  ASSERT_EQ(shown.code, 0) << shown.err;
  so_many("9");
  const auto asked = by_request(bench, "ask");
  ASSERT_TRUE(asked.contains(last + 1));
  EXPECT_EQ(shown.out, as_printed(asked.at(last + 1)["prompt"]));

  const Ended crossover = run(bench.folder(), show({"--prompt", "crossover", "--resume"}));
  EXPECT_EQ(crossover.code, 0) << crossover.err;
  EXPECT_THAT(crossover.out, HasSubstr("way ")) << "parents are programs of the run";
}

TEST(ShownPrompt, UsesUserTemplateOfOperator) {
  const ModelBench bench;
  bench.project().write("hone-prompts/mutation.mustache", "{{! user }}\nChange {{{function}}} a little.\n");
  const Ended shown = run(bench.folder(), show({"--prompt", "mutation", "--strategy", "full"}));
  EXPECT_EQ(shown.code, 0) << shown.err;
  EXPECT_THAT(shown.out, HasSubstr("[user]\nChange twice a little."));
}

TEST(ShownPrompt, IsShownWithoutCallingModel) {
  const llm::LoopbackServer server({llm::answer(200, llm::openai_reply("hello"))});
  const ModelBench bench;
  bench.project().write("hone.json",
                        json{{"proposer", "openai"}, {"endpoint", server.url("/v1")}, {"model", "m"}}.dump());
  const Ended shown = run(bench.folder(), show({"--prompt"}));
  EXPECT_EQ(shown.code, 0) << shown.err;
  EXPECT_THAT(shown.out, HasSubstr("void twice(const float* x, float* y, int n)"));
  EXPECT_THAT(shown.err, HasSubstr("of the strategy auto"));
  EXPECT_TRUE(server.received().empty());
}

TEST(ShownPrompt, ReportsWhyItCannotBeShownBeforeTiming) {
  const ModelBench bench;
  const auto complaint = [&](const std::vector<std::string>& more, int code) {
    const Ended ended = run(bench.folder(), show(more));
    EXPECT_EQ(ended.code, code) << ended.err;
    EXPECT_EQ(ended.out, "");
    return ended.err;
  };
  EXPECT_THAT(complaint({"--prompt", "plan", "--strategy", "full"}, 2), HasSubstr("has no operator 'plan'"));
  EXPECT_THAT(complaint({"--prompt", "crossover", "--strategy", "full"}, 2), HasSubstr("--resume shows it"));
  EXPECT_THAT(complaint({"--prompt", "--strategy", "builtin"}, 2), HasSubstr("built-in proposer's"));
  EXPECT_THAT(complaint({"--prompt", "--resume"}, 1), HasSubstr("no run of twice with seed 1 was recorded"));
  EXPECT_EQ(run(bench.folder(), {"show", "twice", "--resume"}).code, 2) << "of which prompt?";
}

TEST(ShownCall, HoldsPromptReplyAndVerdict) {
  const ModelBench bench;
  ASSERT_TRUE(bench.record({"--seed", "4"}));
  const Ended shown = run(bench.folder(), {"show", "twice", "--call", "2", "--seed", "4"});
  ASSERT_EQ(shown.code, 0) << shown.err;
  EXPECT_EQ(shown.out, as_printed(by_request(bench, "ask").at(2)["prompt"]) + "\n[assistant]\n" +
                           by_request(bench, "reply").at(2)["text"].get<std::string>());
  EXPECT_THAT(shown.err, HasSubstr("call 2, init: "));
  const Ended beyond = run(bench.folder(), {"show", "twice", "--call", "99", "--seed", "4"});
  EXPECT_EQ(beyond.code, 1);
  EXPECT_THAT(beyond.err, HasSubstr("calls 1 to "));
}

// ---- memory

TEST(ShownMemory, IsPrintedAsTableAndJson) {
  const ModelBench bench;
  const auto memory = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words{"cache", "memory"};
    words.insert(words.end(), more.begin(), more.end());
    return run(bench.folder(), words);
  };
  EXPECT_THAT(memory({}).out, HasSubstr("nothing is remembered yet"));
  EXPECT_EQ(json::parse(memory({"--json"}).out)["entries"], json::array());

  const json entry{{"bottleneck", "memory"},
                   {"axes", {{"locality", 1}}},
                   {"technique", "tile"},
                   {"predicted", 1.5},
                   {"actual", 1.25},
                   {"confidence", 0.5},
                   {"uses", 3},
                   {"failures", 1},
                   {"note", "the tail \x1b[31mcost more"}};
  const json document{{"memory", 1}, {"entries", {entry}}};
  bench.project().write("cache/hone/memory.json", document.dump());
  const Ended table = memory({});
  EXPECT_EQ(table.code, 0) << table.err;
  EXPECT_THAT(table.out, AllOf(HasSubstr("memory; locality 1"), HasSubstr("tile"), HasSubstr("1.50x"),
                               HasSubstr("1.25x"), HasSubstr("0.50")));
  EXPECT_THAT(table.out, Not(HasSubstr("\x1b"))) << "a model wrote the note";
  EXPECT_EQ(json::parse(memory({"--json"}).out), document);

  bench.project().write("cache/hone/memory.json", "{ half");
  const Ended broken = memory({});
  EXPECT_EQ(broken.code, 3);
  EXPECT_THAT(broken.err, HasSubstr("memory.json"));
}

}  // namespace
}  // namespace hone
