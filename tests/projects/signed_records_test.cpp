// Two users of one project: one tunes and pushes, the other goes by whose word the project takes. A real nginx.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include <nlohmann/json.hpp>

#include "cache/lock_file.h"
#include "tests/projects/nginx_server.h"
#include "tests/projects/project.h"
#include "tests/replaced_text.h"

namespace hone::tests {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

// Its first candidate is the faster one, and little of it can be left out.
constexpr const char* kSource = R"(#pragma hone kernel in(x[0:n]) out(y[0:n]) problem(n=20000) tolerance(rtol=1e-4)
void twice(const float* x, float* y, int n) {
  for (int i = 0; i < n; ++i) {
    float sum = 0;
    for (int k = 0; k < 8; ++k) sum += x[i] * 0.25f;
    y[i] = sum;
  }
}
)";

// Alice tunes once and pushes; what is tested is what the others make of it.
class SignedRecords : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    if (!NginxServer::is_here()) return;
    made = std::make_unique<Project>();
    made->write("twice.cpp", kSource);
    made->write_database("twice.cpp", {"g++", "-O2", "-c", (made->source() / "twice.cpp").string(), "-o",
                                       made->object("twice.cpp").string()});
    server = std::make_unique<NginxServer>(made->folder() / "nginx");
    ASSERT_EQ(server->start(), "");
    made->write("hone.lock", "{ \"version\": 1, \"kernels\": [] }\n");
    alices_key = as("alice", {"cache", "keygen"}).out;
    alices_key.pop_back();
    const Outcome tuned = as("alice", {"tune", "--trials", "2"});
    ASSERT_EQ(tuned.code, 0) << tuned.all();
    entry = cache::LockFile::read(made->lock()).value().entries.at(0);
    pushed = as("alice", {"cache", "push"}, server->writer());
    ASSERT_EQ(pushed.code, 0) << pushed.all();
    record = made->read(record_file());
    variant = made->read(variant_file());
  }
  static void TearDownTestSuite() {
    server.reset();
    made.reset();
  }
  void SetUp() override {
    if (!made) GTEST_SKIP() << "nginx is not here; Debian's package nginx-light has it";
    // Bob has a clone in which nothing is tuned, and never built anything.
    made->write("hone.lock", "{ \"version\": 1, \"kernels\": [] }\n");
    fs::remove(made->source() / "hone.trust");
    fs::remove_all(made->source() / "hone");
    fs::remove_all(made->folder() / "bob");
    fs::remove_all(made->build() / "hone");
    put(record_file(), record);
    put(variant_file(), variant);
  }

  static Outcome as(const std::string& user, std::vector<std::string> words,
                    const std::vector<std::string>& environment = {}) {
    std::vector<std::string> extra = {"XDG_CACHE_HOME=" + (made->folder() / user / "cache").string(),
                                      "XDG_CONFIG_HOME=" + (made->folder() / user / "config").string(),
                                      "HOME=" + (made->folder() / user).string()};
    extra.insert(extra.end(), environment.begin(), environment.end());
    words.insert(words.begin(), HONE_PROGRAM);
    words.insert(words.end(), {"-p", made->build().string()});
    return made->run(words, made->source(), extra);
  }
  static fs::path record_file() { return server->root() / "ac" / entry.key; }
  static fs::path variant_file() { return server->root() / "cas" / *entry.variant; }
  static void put(const fs::path& file, const std::string& text) { std::ofstream(file, std::ios::binary) << text; }

  static void trust_alice() { ASSERT_EQ(as("bob", {"cache", "trust", alices_key, "--as", "alice"}).code, 0); }
  // A search that ends at once: what it says before is what counts.
  static Outcome tune_shortly() {
    return as("bob", {"tune", "--trials", "1", "--budget", "1s", "--allow-none"}, server->reader());
  }
  static cache::LockFile lock() { return cache::LockFile::read(made->lock()).value(); }
  static bool is_locked_on_word() {
    for (const cache::LockEntry& one : lock().entries)
      if (!one.signed_by.empty()) return true;
    return false;
  }
  static bool is_kept_by_bob() { return fs::exists(made->folder() / "bob" / "cache" / "hone" / "ac" / entry.key); }

  static inline std::unique_ptr<Project> made;
  static inline std::unique_ptr<NginxServer> server;
  static inline std::string alices_key, record, variant;
  static inline cache::LockEntry entry;
  static inline Outcome pushed;
};

TEST_F(SignedRecords, AreWhatPushSendsOfAUserWithAKey) {
  EXPECT_THAT(record, HasSubstr("\"signed\": { \"version\": 1, \"by\": \"" + alices_key + "\""));
  EXPECT_THAT(pushed.out,
              HasSubstr("hone.trust does not name your key, so nobody need believe your records; hone cache "
                        "trust " +
                        alices_key));
  EXPECT_THAT(made->read(made->folder() / "alice" / "cache" / "hone" / "ac" / entry.key), Not(HasSubstr("signed")))
      << "judged here";
}

TEST_F(SignedRecords, OfATrustedKeyAreLockedWithoutASearch) {
  trust_alice();
  const Outcome tuned = as("bob", {"tune"}, server->reader());
  EXPECT_EQ(tuned.code, 0) << tuned.all();
  EXPECT_THAT(tuned.all(), AllOf(HasSubstr("is signed by 'alice'"), HasSubstr("from the cache")));
  const cache::LockFile now = lock();
  ASSERT_EQ(now.entries.size(), 1u);
  const cache::LockEntry& locked = now.entries.front();
  EXPECT_EQ(locked.signed_by, alices_key);
  cache::LockEntry as_alice_locked = entry;
  as_alice_locked.signed_by = alices_key;
  EXPECT_EQ(locked, as_alice_locked);
  EXPECT_EQ(made->read(made->blob(*entry.variant)), variant);
  EXPECT_EQ(as("bob", {"lock", "check"}).code, 0);
  EXPECT_THAT(as("bob", {"show", entry.name}).out,
              AllOf(HasSubstr("locked    on the word of " + alices_key),
                    HasSubstr("signed    by " + alices_key + " (alice), which hone.trust trusts")));
  const Outcome again = as("bob", {"cache", "push"}, server->writer());
  EXPECT_THAT(again.out, HasSubstr("0 variants and 0 records went to")) << "Alice's signature is passed on";
}

TEST_F(SignedRecords, AreSentByTuningWhereThatIsAskedFor) {
  fs::remove_all(server->root());
  ASSERT_EQ(as("carol", {"cache", "keygen"}).code, 0);
  std::vector<std::string> writer = server->writer();
  const auto tune = [&] { return as("carol", {"tune", "--trials", "2", "--json", "-"}, writer); };
  writer.push_back("HONE_CACHE_PUSH=0");
  const Outcome quiet = tune();
  ASSERT_EQ(quiet.code, 0) << quiet.all();
  EXPECT_FALSE(fs::exists(record_file()));
  made->write("hone.lock", "{ \"version\": 1, \"kernels\": [] }\n");  // carol's own store knows the result
  writer.back() = "HONE_CACHE_PUSH=1";
  const Outcome sent = tune();
  EXPECT_EQ(sent.code, 0) << sent.all();
  EXPECT_THAT(sent.err, HasSubstr("hone: 1 variants and 1 records went to " + std::string("http://127.0.0.1:")));
  EXPECT_TRUE(nlohmann::json::accept(sent.out)) << "the answer is for programs";
  EXPECT_THAT(made->read(record_file()), HasSubstr("\"signed\""));
  EXPECT_EQ(made->read(server->root() / "cas" / *lock().entries.at(0).variant),
            made->read(made->blob(*lock().entries.at(0).variant)));
  EXPECT_THAT(tune().err, Not(HasSubstr("went to"))) << "it decided nothing now";
}

TEST_F(SignedRecords, ThatTuningCannotSendAreOneLine) {
  std::vector<std::string> reader = server->reader();
  reader.push_back("HONE_CACHE_PUSH=1");
  trust_alice();
  put(record_file(), "of nobody");
  ASSERT_EQ(as("alice", {"tune", "--trials", "2"}).code, 0);
  made->write("hone.lock", "{ \"version\": 1, \"kernels\": [] }\n");
  const Outcome tuned = as("alice", {"tune"}, reader);
  EXPECT_EQ(tuned.code, 0) << tuned.all();
  EXPECT_EQ(count(tuned.err, "what was tuned is not in the shared store"), 1u) << tuned.err;
  EXPECT_THAT(tuned.err, AllOf(HasSubstr("is read-only (HTTP 403)"), HasSubstr("`hone cache push` sends it later")));
  EXPECT_EQ(lock().entries.size(), 1u);
}

TEST_F(SignedRecords, AreNotSentOnHalfAWord) {
  const Outcome unclear =
      as("bob", {"tune"}, {"HONE_CACHE_PUSH=yes please", "HONE_CACHE_URL=" + std::string("http://h")});
  EXPECT_EQ(unclear.code, 2);
  EXPECT_THAT(unclear.err, HasSubstr("HONE_CACHE_PUSH is 'yes please'; say 1"));
  const Outcome nowhere = as("bob", {"tune"}, {"HONE_CACHE_PUSH=1"});
  EXPECT_EQ(nowhere.code, 2);
  EXPECT_THAT(nowhere.err, HasSubstr("no shared store is named"));
}

TEST_F(SignedRecords, ReplaceNothingThatIsLocked) {
  trust_alice();
  ASSERT_EQ(as("bob", {"tune"}, server->reader()).code, 0);
  const std::string before = made->read(made->lock()), asked = made->read(server->folder() / "access");
  const Outcome again = as("bob", {"tune"}, server->reader());
  EXPECT_THAT(again.all(), HasSubstr("already tuned"));
  EXPECT_EQ(made->read(made->lock()), before);
  EXPECT_EQ(made->read(server->folder() / "access"), asked) << "so an old record has no one to tell";
}

TEST_F(SignedRecords, AreLockedByBuildsThatTuneFirst) {
  trust_alice();
  const Outcome compiled = made->compile("twice.cpp", {"--mode", "tune"}, {"-O2"}, server->reader());
  EXPECT_EQ(compiled.code, 0) << compiled.all();
  EXPECT_THAT(compiled.all(), HasSubstr("is signed by 'alice'"));
  EXPECT_TRUE(is_locked_on_word());
}

TEST_F(SignedRecords, OfAStrangerAreNamedAndNotLocked) {
  const Outcome tuned = tune_shortly();
  EXPECT_THAT(tuned.all(),
              AllOf(HasSubstr("whom this project does not trust"), HasSubstr("hone cache trust " + alices_key)));
  EXPECT_FALSE(is_locked_on_word());
}

TEST_F(SignedRecords, OfAStrangerAreLockedIfTheirVariantHoldsHere) {
  const Outcome tuned = as("bob", {"tune"}, server->reader());
  EXPECT_EQ(tuned.code, 0) << tuned.all();
  EXPECT_THAT(tuned.all(), HasSubstr("the shared store's variant holds: locked after one verification"));
  ASSERT_EQ(lock().entries.size(), 1u);
  EXPECT_EQ(lock().entries.at(0).variant, entry.variant);
  EXPECT_FALSE(is_locked_on_word());
}

TEST_F(SignedRecords, ThatSomebodyChangedOnTheServerAreRefused) {
  trust_alice();
  put(record_file(), test::replaced(record, "\"median\": ", "\"median\": 1"));
  EXPECT_THAT(tune_shortly().all(), HasSubstr("is refused: its signature is not of what it says"));
  EXPECT_FALSE(is_locked_on_word());
  put(record_file(), record);
  put(variant_file(), variant + "\n");
  fs::remove_all(made->folder() / "bob" / "cache");
  EXPECT_THAT(tune_shortly().all(), HasSubstr("is refused: its variant's bytes are not those that it names"));
  EXPECT_FALSE(is_locked_on_word());
}

TEST_F(SignedRecords, WithoutTheirSignatureAreNobodys) {
  trust_alice();
  put(record_file(), record.substr(0, record.find(",\n \"signed\"")) + "\n}\n");
  EXPECT_THAT(tune_shortly().all(), HasSubstr("is not signed, so it has to be judged here"));
  EXPECT_FALSE(is_locked_on_word());
}

TEST_F(SignedRecords, StandBehindNothingOnceTheirKeyIsTrustedNoMore) {
  trust_alice();
  ASSERT_EQ(as("bob", {"tune"}, server->reader()).code, 0);
  const auto compiled = [] { return made->compile("twice.cpp", {"--locked"}, {"-O2"}); };
  EXPECT_EQ(compiled().code, 0) << compiled().all();
  const Outcome gone = as("bob", {"cache", "untrust", "alice"});
  EXPECT_THAT(gone.out, HasSubstr("'twice' was locked on its word, and stays"));
  EXPECT_NE(compiled().code, 0);
  EXPECT_THAT(compiled().all(), HasSubstr("'twice' is locked on the word of " + alices_key));
  EXPECT_EQ(made->compile("twice.cpp", {}, {"-O2"}).all(), "") << "only a strict build asks";
  EXPECT_THAT(as("bob", {"lock", "check"}).out, HasSubstr("so a strict build refuses it"));
  EXPECT_THAT(tune_shortly().all(), HasSubstr("it was locked on the word of a key that this project does not trust"));
  EXPECT_TRUE(is_kept_by_bob()) << "and is not used";
}

TEST_F(SignedRecords, AreNotReplacedByUnsignedOnes) {
  trust_alice();
  const Outcome told = as("alice", {"tune"});  // from her own store
  ASSERT_EQ(told.code, 0) << told.all();
  const fs::path key = made->folder() / "alice" / "config" / "hone" / "signing-key.pem",
                 aside = key.string() + ".aside";
  fs::rename(key, aside);
  const Outcome sent = as("alice", {"cache", "push"}, server->writer());
  fs::rename(aside, key);
  EXPECT_THAT(sent.out, HasSubstr("0 variants and 0 records went to"));
  EXPECT_EQ(made->read(record_file()), record);
}

// Whoever pushes from a branch signs what was judged here, and not what the branch says.
TEST_F(SignedRecords, AreNotMadeOfWhatABranchBrings) {
  trust_alice();
  ASSERT_EQ(as("bob", {"tune"}, server->reader()).code, 0);
  fs::remove_all(made->folder() / "bob" / "cache");
  fs::create_directories(made->source() / "hone" / "ac");
  put(made->source() / "hone" / "ac" / entry.key,
      test::replaced(record.substr(0, record.find(",\n \"signed\"")) + "\n}\n", "\"median\": ", "\"median\": 1"));
  fs::remove(record_file());
  ASSERT_EQ(as("bob", {"cache", "keygen"}).code, 0);
  const Outcome sent = as("bob", {"cache", "push"}, server->writer());
  EXPECT_EQ(sent.code, 0) << sent.all();
  EXPECT_FALSE(fs::exists(record_file())) << made->read(record_file());
}

// A build asks for no record, so there is none that it could believe.
TEST_F(SignedRecords, AreNotAskedForByBuilds) {
  trust_alice();
  const std::string before = made->read(server->folder() / "access");
  EXPECT_EQ(made->compile("twice.cpp", {}, {"-O2"}, server->reader()).code, 0);
  const std::string log = made->read(server->folder() / "access");
  EXPECT_THAT(log, StartsWith(before));
  EXPECT_THAT(log.substr(before.size()), Not(HasSubstr("/ac/")));
}

}  // namespace
}  // namespace hone::tests
