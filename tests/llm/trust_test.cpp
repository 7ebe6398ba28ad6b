#include "tool/llm/settings/trust.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <filesystem>

#include "tool/os/files/files.h"

namespace hone::llm {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;

// A cloned project, and a user's settings elsewhere.
struct Trust : testing::Test {
  os::TemporaryFolder project = os::TemporaryFolder::create("hone-trust-test").value();
  os::TemporaryFolder home = os::TemporaryFolder::create("hone-trust-test").value();
  Environment environment{{"XDG_CONFIG_HOME", home.path().string()}, {"GITHUB_TOKEN", "secret"}, {"MY_KEY", "mine"}};

  void hone_json(const std::string& text) {
    ASSERT_TRUE(os::write_file_atomically(project.path() / "hone.json", text));
  }
  std::string refusal(const Overrides& said = {}) {
    const auto settings = settle_in(project.path(), said, environment);
    return settings ? "" : settings.error().message();
  }
};

constexpr const char* stranger =
    R"({"proposer": "openai", "model": "m", "endpoint": "https://llm.example/v1", "key_env": "GITHUB_TOKEN"})";

TEST_F(Trust, RefusesEndpointAndKeyNamedByProject) {
  hone_json(stranger);
  EXPECT_THAT(refusal(), AllOf(HasSubstr("openai at https://llm.example/v1 with the key in GITHUB_TOKEN"),
                               HasSubstr("nothing was sent"), HasSubstr("--trust-project")));
}

TEST_F(Trust, StoresConsentOutsideProject) {
  hone_json(stranger);
  EXPECT_EQ(refusal({.trust_project = true}), "");
  EXPECT_EQ(refusal(), "") << "asked once";
  EXPECT_TRUE(fs::exists(home.path() / "hone" / "trusted.json"));
}

TEST_F(Trust, AsksAgainIfProjectChangesEndpoint) {
  hone_json(stranger);
  EXPECT_EQ(refusal({.trust_project = true}), "");
  hone_json(
      R"({"proposer": "openai", "model": "m", "endpoint": "https://other.example/v1", "key_env": "GITHUB_TOKEN"})");
  EXPECT_THAT(refusal(), HasSubstr("other.example"));
}

TEST_F(Trust, DoesNotExtendToCopyOfProject) {
  hone_json(stranger);
  EXPECT_EQ(refusal({.trust_project = true}), "");
  const auto copy = os::TemporaryFolder::create("hone-trust-test").value();
  ASSERT_TRUE(os::write_file_atomically(copy.path() / "hone.json", stranger));
  EXPECT_FALSE(settle_in(copy.path(), {}, environment));
}

TEST_F(Trust, IsNotAskedForUserSettings) {
  hone_json(R"({"model": "m", "concurrency": 2})");
  EXPECT_EQ(refusal({.proposer = "openai", .endpoint = "https://mine.example/v1", .key_env = "MY_KEY"}), "");
  environment.insert({{"HONE_PROPOSER", "openai"}, {"HONE_ENDPOINT", "https://mine.example/v1"}});
  EXPECT_EQ(refusal(), "");
}

TEST_F(Trust, IsAskedForHeaderWithKeyBesideUsersOwnKey) {
  hone_json(R"({"headers": {"x-more": "$GITHUB_TOKEN"}})");
  ASSERT_TRUE(os::write_file_atomically(
      home.path() / "hone" / "hone.json",
      R"({"proposer": "openai", "model": "m", "endpoint": "https://mine.example/v1", "key_env": "MY_KEY"})"));
  EXPECT_THAT(refusal(), HasSubstr("the key in MY_KEY and GITHUB_TOKEN in the header x-more"));
  hone_json(R"({"headers": {"x-more": "plain"}, "timeout": 5})");
  EXPECT_EQ(refusal(), "");
}

TEST_F(Trust, IsAskedForEachNameThatUserDoesNotGive) {
  hone_json(stranger);
  EXPECT_THAT(refusal({.proposer = "openai", .endpoint = "https://mine.example/v1"}), HasSubstr("GITHUB_TOKEN"));
  EXPECT_THAT(refusal({.proposer = "openai", .key_env = "MY_KEY"}), HasSubstr("llm.example"));
}

TEST_F(Trust, IsNotAskedForLoopbackEndpointWithoutKey) {
  hone_json(R"({"proposer": "openai", "model": "m", "endpoint": "http://127.0.0.1:8000/v1"})");
  EXPECT_EQ(refusal(), "");
  hone_json(R"({"proposer": "openai", "model": "m", "endpoint": "http://127.0.0.1:8000/v1", "key_env": "MY_KEY"})");
  EXPECT_THAT(refusal(), HasSubstr("MY_KEY"));
}

TEST_F(Trust, IsAskedForCommandAndEachEnsembleMember) {
  hone_json(R"({"proposer": "command:curl https://llm.example"})");
  EXPECT_THAT(refusal(), HasSubstr("the command 'curl https://llm.example'"));
  hone_json(R"({"ensemble": [{"proposer": "openai", "model": "m", "endpoint": "http://localhost:1/v1"},
                             {"proposer": "anthropic", "model": "m", "endpoint": "https://llm.example/v1"}]})");
  EXPECT_THAT(refusal(), AllOf(HasSubstr("anthropic at https://llm.example/v1"), Not(HasSubstr("localhost"))));
}

TEST_F(Trust, IsAskedForProviderOfBuildButNotForItsCommand) {
  EXPECT_EQ(refusal({.project_proposer = "command:cat"}), "") << "the build runs commands anyway";
  environment.insert({"OPENAI_API_KEY", "mine"});
  EXPECT_THAT(refusal({.project_proposer = "openai", .model = "m"}), HasSubstr("api.openai.com"));
}

TEST_F(Trust, ReportsBrokenTrustFile) {
  hone_json(stranger);
  ASSERT_TRUE(os::write_file_atomically(home.path() / "hone" / "trusted.json", "{}"));
  EXPECT_THAT(refusal(), AllOf(HasSubstr("trusted.json"), HasSubstr("no list of trusted projects")));
}

TEST_F(Trust, RefusesSettingsThatAreNotRegularFile) {
  ASSERT_EQ(::mkfifo((project.path() / "hone.json").c_str(), 0600), 0);
  EXPECT_THAT(refusal(), HasSubstr("no regular file"));
  fs::remove(project.path() / "hone.json");
  fs::create_symlink("/dev/zero", project.path() / "hone.json");
  EXPECT_THAT(refusal(), HasSubstr("no regular file"));
}

}  // namespace
}  // namespace hone::llm
