#include "tool/llm/settings/model_settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tool/llm/settings/key.h"
#include "tool/os/files/files.h"

namespace hone::llm {
namespace {
using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Settings settled(const std::string& json, const Overrides& said = {}, const Environment& environment = {}) {
  const Result<Settings> settings = settle(said, environment, {json, "project/hone.json"});
  EXPECT_TRUE(settings) << settings.error().message();
  return settings.value_or(Settings{});
}

std::string mistake(const std::string& json, const Overrides& said = {}, const Environment& environment = {}) {
  const Result<Settings> settings = settle(said, environment, {json, "project/hone.json"});
  return settings ? "no mistake" : settings.error().message();
}

TEST(Settings, UseNoModelByDefault) {
  EXPECT_EQ(settle({}, {{"OPENAI_API_KEY", "sk-somebodys-own-key"}}).value(), Settings{});
  EXPECT_EQ(describe(Settings{}), "");
}

TEST(Settings, ReadEveryFieldFromFile) {
  const Settings got = settled(R"({
    "proposer": "openai", "endpoint": "http://localhost:8000/v1", "model": "qwen", "key_env": "MY_KEY",
    "temperature": 0.8, "max_tokens": 4096, "price": {"input": 3, "output": 15.5}, "connect_timeout": 2.5, "timeout": 60,
    "concurrency": 4, "attempts": 2, "reply_bytes": 1000, "allow_plain_http": true, "extra": {"top_p": 0.9},
    "api": "responses", "effort": "low", "cache": false, "headers": {"a": "b", "api-key": "$GATE_KEY"},
    "parameters": {"seed": null, "max_tokens": "limit"}})");
  ModelSettings expected;
  expected.endpoint = "http://localhost:8000/v1";
  expected.model = "qwen";
  expected.key_env = "MY_KEY";
  expected.key_required = true;
  expected.temperature = 0.8;
  expected.max_tokens = 4096;
  expected.price = Price{3, 15.5};
  expected.connect_timeout = 2500ms;
  expected.timeout = 60s;
  expected.concurrency = 4;
  expected.attempts = 2;
  expected.reply_bytes = 1000;
  expected.allow_plain_http = true;
  expected.extra = R"({"top_p":0.9})";
  expected.api = Api::responses;
  expected.effort = "low";
  expected.cache = false;
  expected.headers = {{"a", "b", ""}, {"api-key", "", "GATE_KEY"}};
  expected.parameters = {{"seed", std::nullopt}, {"max_tokens", "limit"}};
  expected.named_by_project = true;
  EXPECT_EQ(got, (Settings{"openai", {expected}}));
}

TEST(Settings, PreferCommandLineToEnvironmentToFile) {
  const std::string file = R"({"proposer": "openai", "model": "from-file", "timeout": 1, "concurrency": 1})";
  const Environment environment{{"HONE_MODEL", "from-environment"}, {"HONE_TIMEOUT", "2"}, {"HONE_CONCURRENCY", ""}};
  Overrides said;
  said.model = "from-command-line";
  const ModelSettings got = settled(file, said, environment).models.at(0);
  EXPECT_EQ(got.model, "from-command-line");
  EXPECT_EQ(got.timeout, 2s);
  EXPECT_EQ(got.concurrency, 1);
}

TEST(Settings, DoNotApplyFileToOtherProvider) {
  Overrides said;
  said.proposer = "anthropic";
  said.model = "m";
  const auto got =
      settled(R"({"proposer": "openai", "endpoint": "https://gateway.example.com", "key_env": "GATE_KEY"})", said);
  EXPECT_EQ(got.models.at(0).endpoint, "https://api.anthropic.com/v1");
  EXPECT_EQ(got.models.at(0).key_env, "ANTHROPIC_API_KEY");
}

TEST(Settings, SplitCommandLikeShell) {
  const Settings got = settled(R"({"proposer": "command:my-llm --system 'be terse'", "concurrency": 2})");
  EXPECT_THAT(got.models.at(0).command, ElementsAre("my-llm", "--system", "be terse"));
  EXPECT_EQ(describe(got),
            "sends the source of annotated kernels and what it reaches to the command 'my-llm --system be terse' (2 at "
            "once)");
}

TEST(Settings, OverrideSharedValuesForEnsembleMember) {
  const Settings got = settled(R"({
    "proposer": "ensemble", "temperature": 0.7,
    "ensemble": [ {"proposer": "openai", "model": "a", "endpoint": "https://api.example.com", "weight": 3},
                  {"proposer": "anthropic", "model": "b", "temperature": 0.2, "price": {"input": 1, "output": 2}} ]})");
  ASSERT_EQ(got.models.size(), 2);
  EXPECT_EQ(got.models[0].weight, 3);
  EXPECT_EQ(got.models[0].temperature, 0.7);
  EXPECT_EQ(got.models[1].temperature, 0.2);
  EXPECT_EQ(got.models[1].price, (Price{1, 2}));
  EXPECT_EQ(
      describe(got),
      "sends the source of annotated kernels and what it reaches to https://api.example.com (model a, 8 at once) and "
      "https://api.anthropic.com (model b, 8 at once)");
}

TEST(Settings, KeepProposerWithoutModel) {
  Overrides said;
  said.proposer = "replay:recorded.jsonl";
  EXPECT_EQ(settled(R"({"proposer": "openai", "model": "m"})", said), (Settings{"replay:recorded.jsonl", {}}));
}

TEST(Settings, UseProviderKeyOnlyForItsOwnEndpoint) {
  const Environment environment{{"OPENAI_API_KEY", "sk-somebodys-own-key"}};
  EXPECT_EQ(settled(R"({"proposer": "openai", "model": "m"})", {}, environment).models.at(0).key_env, "OPENAI_API_KEY");
  const std::string elsewhere = R"({"proposer": "openai", "model": "m", "endpoint": "https://evil.example.com/v1"})";
  EXPECT_EQ(settled(elsewhere, {}, environment).models.at(0).key_env, "");
  EXPECT_EQ(settled(elsewhere, {}, {{"HONE_API_KEY", "x"}}).models.at(0).key_env, "HONE_API_KEY");
}

// They are the build's to read, and stand in the same file.
TEST(Settings, LeaveProjectsMachinesAlone) {
  EXPECT_EQ(settled(R"({"proposer": "openai", "model": "m", "machines": ["AMD EPYC 9V74"]})"),
            settled(R"({"proposer": "openai", "model": "m"})"));
  EXPECT_THAT(mistake("{\n\"machines\": \"AMD EPYC 9V74\"}"), HasSubstr("hone.json:2: \"machines\" must be a list"));
}

TEST(Settings, ShowKernelsOfOtherProjectsOnTheUsersWordAlone) {
  const std::string model = R"("proposer": "openai", "model": "m")";
  EXPECT_EQ(settled("{" + model + "}").examples, Examples::project);
  const SettingsText user{R"({"examples": "all"})", "own/hone.json"};
  EXPECT_EQ(settle({}, {}, {"{" + model + "}"}, user)->examples, Examples::all);
  EXPECT_THAT(describe(*settle({}, {}, {"{" + model + "}"}, user)),
              HasSubstr(", and kernels of other projects that were tuned here, to"));
  EXPECT_EQ(settle({}, {}, {"{" + model + R"(, "examples": "project"})"}, user)->examples, Examples::project)
      << "a project may keep to its own";
  EXPECT_THAT(mistake("{" + model + R"(, "examples": "all"})"), HasSubstr("write it into your own hone.json"));
  EXPECT_THAT(mistake("{\n\"examples\": \"none\"}"), HasSubstr("hone.json:2: \"examples\" must be"));
}

TEST(Settings, ReportMistakeWithLine) {
  EXPECT_THAT(mistake("{\n  \"proposer\": \"openai\",\n  \"modell\": \"m\"\n}"),
              HasSubstr("project/hone.json:3: \"modell\" must be left out: it is none of proposer, endpoint, model"));
  EXPECT_THAT(mistake("{\n\"ensemble\": [\n{\"model\": \"a\"},\n{\"wieght\": 2}]}"),
              HasSubstr("hone.json:4: \"wieght\""));
  EXPECT_THAT(mistake("{\n\"timeout\": \"long\"}"), HasSubstr("hone.json:2: \"timeout\" must be a number"));
  EXPECT_THAT(mistake("{\n\n\"model\": \"a\",\n\"model\": \"b\"}"), HasSubstr("hone.json:4: \"model\" is given twice"));
  EXPECT_THAT(mistake("{\n\"model\": }"), HasSubstr("hone.json:2: this is not JSON"));
  EXPECT_THAT(mistake("{\n\"extra\": {\"a\": " + std::string(40, '[') + std::string(40, ']') + "}}"),
              HasSubstr("hone.json:2: this is nested more than 32 deep"));
  EXPECT_THAT(mistake("[]"), HasSubstr("hone.json:1: the settings must be a JSON object"));
  EXPECT_THAT(mistake("{\"price\": {\"input\": 1}}"), HasSubstr("\"price\" must be"));
  EXPECT_THAT(mistake("{\"concurrency\": 0}"), HasSubstr("whole number from 1"));
  EXPECT_THAT(mistake("{\"concurrency\": 1.5}"), HasSubstr("whole number from 1"));
  EXPECT_THAT(mistake("{\"max_tokens\": -1}"), HasSubstr("whole number from 1"));
  EXPECT_THAT(mistake("{\"ensemble\": []}"), HasSubstr("\"ensemble\" must be"));
  EXPECT_THAT(mistake("{\"ensemble\": [1]}"), HasSubstr("\"ensemble\" must be"));
  EXPECT_THAT(mistake("{\"extra\": {\"messages\": []}}"), HasSubstr("without \"messages\""));
  EXPECT_THAT(mistake("{\n\"parameters\": {\"messages\": null}}"),
              HasSubstr("hone.json:2: \"parameters\" must be without"));
  EXPECT_THAT(mistake(R"({"parameters": {"seed": 7}})"), HasSubstr("an object of names or null"));
  EXPECT_THAT(mistake(R"({"api": "chats"})"), HasSubstr("\"chat\" or \"responses\""));
  EXPECT_THAT(mistake(R"({"thinking": 12})"), HasSubstr("from 1024"));
  EXPECT_THAT(mistake(R"({"price": {"input": 1, "output": 2, "cached": 1}})"), HasSubstr("cached_input"));
}

TEST(Settings, KeepKeysOutOfHeadersInTheFile) {
  const auto headers = [](const std::string& text) { return mistake(R"({"headers": {)" + text + "}}"); };
  EXPECT_THAT(headers(R"("api-key": "sk-123")"), HasSubstr("\"api-key\" is $ and the name of a variable"));
  EXPECT_THAT(headers(R"("Authorization": "Bearer sk-123")"), HasSubstr("keys do not belong here"));
  EXPECT_THAT(headers(R"("x": "$LOGIN")"), HasSubstr("ends in _KEY"));
  EXPECT_THAT(headers(R"("x": "$MY_KEY and more")"), HasSubstr("ends in _KEY"));
  EXPECT_THAT(headers(R"("Host": "h")"), HasSubstr("Hone sends it"));
  EXPECT_THAT(headers(R"("a b": "h")"), HasSubstr("the name of a header"));
  EXPECT_THAT(headers(R"("a": "h\r\nb: c")"), HasSubstr("printable"));
  EXPECT_THAT(headers(R"("a": 7)"), HasSubstr("a text"));
}

TEST(Settings, SendNoKeyOfTheProviderBesideHeaderWithKey) {
  const std::string file =
      R"({"proposer": "anthropic", "model": "m", "headers": {"Authorization": "Bearer $MY_TOKEN"}})";
  const ModelSettings got = settled(file, {}, {{"ANTHROPIC_API_KEY", "x"}, {"HONE_API_KEY", "y"}}).models.at(0);
  EXPECT_EQ(got.key_env, "");
  EXPECT_FALSE(got.key_required);
}

TEST(Settings, LeaveRoomForThinking) {
  const auto model = [](const std::string& more) {
    return settled(R"({"proposer": "anthropic", "model": "claude")" + more + "}").models.at(0);
  };
  EXPECT_EQ(model("").max_tokens, 8192);
  EXPECT_EQ(model(R"(, "effort": "high")").max_tokens, 32768);
  EXPECT_EQ(model(R"(, "effort": "high")").timeout, 900s);
  EXPECT_EQ(model(R"(, "effort": "none")").max_tokens, 8192);
  EXPECT_EQ(model(R"(, "thinking": 50000)").max_tokens, 58192);
  EXPECT_EQ(model(R"(, "thinking": "adaptive", "max_tokens": 5000, "timeout": 7)").max_tokens, 5000);
  EXPECT_EQ(settled(R"({"proposer": "openai", "model": "o3"})").models.at(0).max_tokens, 32768);
  EXPECT_THAT(mistake(R"({"proposer": "anthropic", "model": "c", "thinking": 5000, "max_tokens": 5000})"),
              HasSubstr("max_tokens (5000) leaves nothing behind 5000 tokens of thinking"));
  EXPECT_THAT(mistake(R"({"proposer": "openai", "model": "c", "thinking": 5000})"), HasSubstr("anthropic alone"));
}

TEST(Settings, UseNewerApiIfEndpointNamesIt) {
  const ModelSettings got =
      settled(R"({"proposer": "openai", "model": "m", "endpoint": "https://h.example/v1/responses"})").models.at(0);
  EXPECT_EQ(got.api, Api::responses);
}

TEST(Settings, PreferUsersFileToProjects) {
  const SettingsText project{
      R"({"proposer": "openai", "model": "theirs", "timeout": 5, "endpoint": "https://p.example"})"};
  const auto settle_with = [&](const std::string& user) {
    return settle({}, {}, project, {user, "home/hone.json"}).value().models.at(0);
  };
  EXPECT_EQ(settle_with("").model, "theirs");
  const ModelSettings mixed = settle_with(R"({"model": "mine", "concurrency": 2})");
  EXPECT_EQ(mixed.model, "mine");
  EXPECT_EQ(mixed.timeout, 5s);
  EXPECT_EQ(mixed.concurrency, 2);
  EXPECT_TRUE(mixed.named_by_project) << "its endpoint is";
  const ModelSettings own = settle_with(R"({"proposer": "anthropic", "model": "mine"})");
  EXPECT_EQ(own.endpoint, "https://api.anthropic.com/v1");
  EXPECT_FALSE(own.named_by_project);
  EXPECT_THAT(settle({}, {}, project, {R"({"modell": 1})", "home/hone.json"}).error().message(),
              HasSubstr("home/hone.json:1: \"modell\""));
}

TEST(Settings, TakePricesFromTable) {
  const auto folder = os::TemporaryFolder::create("hone-settings-test").value();
  const auto price = [&](const std::string& table, const std::string& model) -> std::string {
    EXPECT_TRUE(os::write_file_atomically(folder.path() / "prices.json", table));
    EXPECT_TRUE(os::write_file_atomically(folder.path() / "hone.json", R"({"prices": "prices.json"})"));
    const auto settings = settle_in(folder.path(), {.proposer = "openai", .model = model}, {{"OPENAI_API_KEY", "k"}});
    if (!settings) return settings.error().message();
    const Price& found = *settings->models.at(0).price;
    return std::to_string(found.input) + " " + std::to_string(found.output);
  };
  EXPECT_EQ(price(R"({"m": {"input": 3, "output": 15}})", "m"), "3.000000 15.000000");
  EXPECT_EQ(price(R"({"openai/m": {"input_cost_per_token": 1.5e-6, "output_cost_per_token": 6e-6}})", "m"),
            "1.500000 6.000000");
  EXPECT_EQ(price(R"({"m": {"input": 3, "output": 15}})", "vendor/m"), "3.000000 15.000000");
  EXPECT_THAT(price(R"({"m": {"input": -3, "output": 15}})", "m"),
              HasSubstr("prices.json: it has no price of the model m"));
  EXPECT_THAT(price("[]", "m"), HasSubstr("no table of prices"));
}

TEST(Settings, RejectImpossibleValues) {
  EXPECT_THAT(mistake("", {.proposer = "gpt"}), HasSubstr("no language model called 'gpt'"));
  EXPECT_THAT(mistake("", {.proposer = "openai"}), HasSubstr("no model is named"));
  EXPECT_THAT(mistake("", {.proposer = "command:"}), HasSubstr("the command is empty"));
  EXPECT_THAT(mistake("", {.proposer = "ensemble"}), HasSubstr("no \"ensemble\""));
  EXPECT_THAT(mistake("", {.proposer = "openai", .endpoint = "ftp://x", .model = "m"}),
              HasSubstr("neither http nor https"));
  EXPECT_THAT(mistake("", {.proposer = "openai", .endpoint = "https://me:pw@x.example", .model = "m"}),
              HasSubstr("holds a user or password"));
  EXPECT_THAT(mistake("", {.proposer = "openai", .model = "m", .key_env = "MY_LOGIN"}), HasSubstr("ends in _KEY"));
  EXPECT_THAT(mistake("", {}, {{"HONE_CONCURRENCY", "many"}}), HasSubstr("HONE_CONCURRENCY: it must be a number"));
}

TEST(Settings, ReadFileNextToLockFile) {
  const auto folder = os::TemporaryFolder::create("hone-settings-test").value();
  EXPECT_EQ(settle_in(folder.path(), {}, {}).value(), Settings{});
  ASSERT_TRUE(os::write_file_atomically(folder.path() / "hone.json", R"({"model": "mine"})"));
  EXPECT_EQ(settle_in(folder.path(), {.proposer = "openai"}, {{"OPENAI_API_KEY", "k"}}).value().models.at(0).model,
            "mine");
  ASSERT_TRUE(os::write_file_atomically(folder.path() / "hone.json", "\n"));
  EXPECT_THAT(settle_in(folder.path(), {}, {}).error().message(), HasSubstr("hone.json: the file is empty"));
}

TEST(Key, IsReadOnlyFromItsVariable) {
  ModelSettings model;
  model.key_env = "MY_KEY";
  model.key_required = true;
  EXPECT_EQ(read_key(model, {{"MY_KEY", " sk-1 \n"}}).value(), "sk-1");
  EXPECT_THAT(read_key(model, {{"OTHER_KEY", "x"}}).error().message(), HasSubstr("MY_KEY: the key is not set"));
  const Error broken = read_key(model, {{"MY_KEY", "sk-sec\r\nret"}}).error();
  EXPECT_THAT(broken.message(), testing::Not(HasSubstr("sk-sec")));
}

TEST(Key, IsRemovedFromCommandEnvironment) {
  Settings settings;
  settings.models.resize(2);
  settings.models[0].key_env = "MY_KEY";
  EXPECT_THAT(without_keys({{"MY_KEY", "a"}, {"HONE_API_KEY", "b"}}, settings), IsEmpty());
  EXPECT_EQ(without_keys({{"THEIR_KEY", "c"}}, settings), (Environment{{"THEIR_KEY", "c"}}));
}

}  // namespace
}  // namespace hone::llm
