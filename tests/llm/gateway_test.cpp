// Servers and types that nobody here wrote: LiteLLM's proxy, which refuses for each model what that model's provider
// refuses, and the request types of the SDKs of OpenAI and Anthropic. tests/llm/gateways installs them from PyPI;
// without them these tests skip.
#include <signal.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "loopback_port.h"
#include "prompts.h"
#include "tool/llm/make_client.h"
#include "tool/llm/provider_protocol.h"
#include "tool/os/files/files.h"
#include "tool/os/process/process_runner.h"

namespace hone::llm {
namespace {
namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;

constexpr char gateway_key[] = "sk-gateway-4f9c1d2e7ab8";

// LiteLLM reads which models it has; what it would get from their providers stands there, too.
constexpr char gateway_models[] = R"(model_list:
  - model_name: claude
    litellm_params: {model: anthropic/claude-3-5-sonnet-20241022, api_key: none, mock_response: "ready"}
  - model_name: plain
    litellm_params: {model: openai/gpt-4o, api_key: none, mock_response: "ready"}
  - model_name: thinker
    litellm_params: {model: openai/o3-mini, api_key: none, mock_response: "ready"}
  - model_name: mistral
    litellm_params: {model: mistral/mistral-large-latest, api_key: none, mock_response: "ready"}
  - model_name: gemini
    litellm_params: {model: gemini/gemini-2.0-flash, api_key: none, mock_response: "ready"}
general_settings: {master_key: sk-gateway-4f9c1d2e7ab8}
)";

struct Gateway : testing::Test {
  static void SetUpTestSuite() {
    if (!fs::exists(GATEWAYS "/bin/litellm")) return;
    folder = std::make_unique<os::TemporaryFolder>(os::TemporaryFolder::create("hone-gateway-test").value());
    const std::string models = folder->path() / "models.yaml", log = folder->path() / "log";
    std::ofstream(models) << gateway_models;
    port = free_port();
    process = ::fork();
    if (process != 0) return;
    ::setenv("LITELLM_LOCAL_MODEL_COST_MAP", "True", 1);  // there is no network
    (void)!::freopen(log.c_str(), "w", stdout);
    (void)!::freopen(log.c_str(), "a", stderr);
    const std::string number = std::to_string(port);
    ::execl(GATEWAYS "/bin/litellm", "litellm", "--config", models.c_str(), "--port", number.c_str(), "--host",
            "127.0.0.1", nullptr);
    ::_exit(127);
  }
  static void TearDownTestSuite() {
    if (process > 0) ::kill(process, SIGKILL);
    folder.reset();
  }
  void SetUp() override {
    if (process <= 0) GTEST_SKIP() << "LiteLLM is not here: tests/llm/gateways installs it";
    ASSERT_TRUE(answers()) << os::read_file(folder->path() / "log").value_or("");
  }
  static bool answers() {
    for (int look = 0; look < 600; ++look) {
      if (is_answering(port)) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(200));
    }
    return false;
  }

  Outcome ask(ModelSettings model, const std::string& key = gateway_key) {
    model.endpoint = "http://127.0.0.1:" + std::to_string(port) + "/v1";
    if (model.headers.empty()) model.key_env = "HONE_API_KEY";
    model.temperature = 0.5;
    Settings settings;
    settings.models = {std::move(model)};
    const auto client =
        make_client(settings, {http, processes, clock}, {{"HONE_API_KEY", key}, {"MY_TOKEN", key}}).value();
    Prompt prompt = asking(std::string(4000, 'x') + "\nFaster, please.");
    prompt.messages.back().stable = 4001;
    prompt.seed = 7;
    return client->submit(std::move(prompt)).get();
  }
  Reply reply(ModelSettings model) {
    Outcome got = ask(std::move(model));
    if (const auto* failure = std::get_if<Failure>(&got)) ADD_FAILURE() << failure->what;
    const auto* reply = std::get_if<Reply>(&got);
    return reply ? *reply : Reply{};
  }

  static inline std::unique_ptr<os::TemporaryFolder> folder;
  static inline pid_t process = 0;
  static inline int port = 0;
  os::CurlHttpTransport http;
  os::PosixProcessRunner processes;
  os::SteadyClock clock;
};

ModelSettings named(const char* name) {
  ModelSettings model;
  model.model = name;
  return model;
}

TEST_F(Gateway, AnswersOnChatForModelsOfAllProviders) {
  EXPECT_EQ(reply(named("plain")).text, "ready");
  EXPECT_EQ(reply(named("gemini")).text, "ready");
  EXPECT_EQ(reply(named("mistral")).text, "ready");
  const Reply claude = reply(named("claude"));
  EXPECT_EQ(claude.text, "ready");
  EXPECT_THAT(claude.news, HasSubstr("takes no \"seed\""));
  const Reply thinker = reply(named("thinker"));
  EXPECT_EQ(thinker.text, "ready");
  EXPECT_THAT(thinker.news, HasSubstr("takes no \"temperature\""));
}

TEST_F(Gateway, AnswersOnMessagesWithMarksForTheCache) {
  ModelSettings model = named("claude");
  model.provider = Provider::anthropic;
  EXPECT_EQ(reply(model).text, "ready");
  model.headers = {{"Authorization", "Bearer ", "MY_TOKEN"}};
  EXPECT_EQ(reply(model).text, "ready");
}

TEST_F(Gateway, AnswersOnResponses) {
  ModelSettings model = named("plain");
  model.api = Api::responses;
  const Reply got = reply(model);
  EXPECT_EQ(got.text, "ready");
  EXPECT_FALSE(got.usage.estimated);
}

TEST_F(Gateway, RefusesForeignKeyAndUnknownModelForGood) {
  const Outcome stranger = ask(named("plain"), "sk-of-somebody-else-0123");
  ASSERT_TRUE(std::holds_alternative<Failure>(stranger));
  EXPECT_TRUE(std::get<Failure>(stranger).ends_the_run) << std::get<Failure>(stranger).what;
  const Outcome unknown = ask(named("no-such-model"));
  ASSERT_TRUE(std::holds_alternative<Failure>(unknown));
  EXPECT_TRUE(std::get<Failure>(unknown).ends_the_run) << std::get<Failure>(unknown).what;
}

struct Sdk : testing::Test {
  void SetUp() override {
    if (!fs::exists(GATEWAYS "/bin/python")) GTEST_SKIP() << "the SDKs are not here: tests/llm/gateways installs them";
  }
  // What the SDK finds wrong; "" for nothing.
  static std::string complaint(const char* kind, const json& body) {
    os::Process process;
    process.arguments = {GATEWAYS "/bin/python", VALIDATE_REQUEST, kind};
    process.input = body.dump();
    process.timeout = std::chrono::minutes(2);
    const auto exit = os::PosixProcessRunner().run(process);
    return !exit ? exit.error().message() : exit->ok() ? "" : exit->err;
  }
  static Prompt prompt() {
    Prompt prompt = asking(std::string(4000, 'x') + "Faster, please.");
    prompt.messages.push_back({Role::assistant, "like this"});
    prompt.messages.push_back({Role::user, "no"});
    prompt.messages[1].stable = 4000;
    prompt.seed = 7;
    return prompt;
  }
};

TEST_F(Sdk, KnowsEveryRequest) {
  ModelSettings model = named("m");
  model.temperature = 0.5;
  EXPECT_EQ(complaint("chat", openai_protocol.request(model, prompt())), "");
  model.temperature.reset();  // Anthropic's SDK knows none any more; its servers do for older models
  EXPECT_EQ(complaint("messages", anthropic_protocol.request(model, prompt())), "");
  model.effort = "high";
  EXPECT_EQ(complaint("chat", openai_protocol.request(model, prompt())), "");
  EXPECT_EQ(complaint("responses", responses_protocol.request(model, prompt())), "");
  model.thinking = 2048;
  EXPECT_EQ(complaint("messages", anthropic_protocol.request(model, prompt())), "");
  model.thinking = ModelSettings::adaptive_thinking;
  EXPECT_EQ(complaint("messages", anthropic_protocol.request(model, prompt())), "");
}

TEST_F(Sdk, RefusesWhatIsNoRequest) {
  json body = openai_protocol.request(named("m"), prompt());
  body["sead"] = 7;
  EXPECT_THAT(complaint("chat", body), HasSubstr("sead"));
}

}  // namespace
}  // namespace hone::llm
