// A team's store over HTTP: a real nginx with docs/cache.md's configuration, and servers of every bad kind.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>

#include "cache/bound_source.h"
#include "tests/llm/loopback_server.h"
#include "tests/projects/nginx_server.h"
#include "tests/projects/project.h"

namespace hone::tests {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using llm::LoopbackServer;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

constexpr const char* kSource = R"(#include <cstdio>
#pragma hone kernel inout(x[0:n]) problem(n=1000)
void scale(float* x, int n) {
  for (int i = 0; i < n; ++i) x[i] *= 2;
}
#pragma hone kernel inout(x[0:n]) problem(n=1000)
void shift(float* x, int n) {
  for (int i = 0; i < n; ++i) x[i] += 1;
}
int main() {
  float x[1] = {1};
  scale(x, 1);
  shift(x, 1);
  std::printf("%g\n", x[0]);
}
)";
// As if they were variants: what the program prints shows which text was linked.
constexpr const char* kScale = "void scale(float* x, int n) {\n  for (int i = 0; i < n; ++i) x[i] *= 20;\n}\n";
constexpr const char* kShift = "void shift(float* x, int n) {\n  for (int i = 0; i < n; ++i) x[i] += 10;\n}\n";
constexpr const char* kOriginals = "3\n";
constexpr const char* kVariants = "30\n";

class SharedStore : public testing::Test {
 protected:
  // Locked once: what is tested is what comes after.
  static void SetUpTestSuite() {
    made = std::make_unique<Project>();
    const std::string source = (made->source() / "scale.cpp").string();
    made->write("scale.cpp", kSource);
    key = made->key_of_file("scale", "scale.cpp");
    scale = made->lock_variant("scale", "scale.cpp", key, kScale);
    shift = made->lock_variant("shift", "scale.cpp", made->key_of_file("shift", "scale.cpp"), kShift);
    made->write_database(
        "scale.cpp", {"g++", "-Wall", "-Wno-unknown-pragmas", "-c", source, "-o", made->object("scale.cpp").string()});
    fs::copy(made->source() / "hone", made->folder() / "saved", fs::copy_options::recursive);
  }
  static void TearDownTestSuite() { made.reset(); }
  void SetUp() override {
    forget_variants();
    fs::copy(project.folder() / "saved", project.source() / "hone", fs::copy_options::recursive);
  }

  // A clone on a machine where nothing was built: the lock file, and no variant.
  void forget_variants() const {
    fs::remove_all(project.source() / "hone");
    fs::remove_all(user_store());
  }
  fs::path user_store() const { return project.folder() / "user cache" / "hone"; }
  bool holds_variants() const { return fs::exists(user_store() / "cas") || fs::exists(project.source() / "hone"); }

  std::string printed(const std::vector<std::string>& environment) {
    const Outcome compiled = project.compile("scale.cpp", {}, {}, environment);
    said = compiled.all();
    EXPECT_TRUE(compiled.ok()) << said;
    return project.link_and_run({"scale.cpp"}).out;
  }
  Outcome cache(const std::string& what, const std::vector<std::string>& environment) const {
    return project.run({HONE_PROGRAM, "cache", what, "-p", project.build().string()}, project.folder(), environment);
  }

  static inline std::unique_ptr<Project> made;
  static inline std::string key, scale, shift;
  Project& project = *made;
  std::string said;
};

// Bad servers.

struct Fault {
  const char* name;
  LoopbackServer::Answer answer;
  const char* said;  // by a build
};

void PrintTo(const Fault& fault, std::ostream* to) {
  *to << fault.name;
}

LoopbackServer::Answer raw(const std::string& bytes) {
  return [=](LoopbackServer::Talk& talk) {
    talk.send(bytes);
    talk.close();
  };
}

void send_without_end(LoopbackServer::Talk& talk) {
  talk.send("HTTP/1.1 200 OK\r\n\r\n");
  while (talk.send(std::string(1 << 20, ' '))) {
  }
}

// A variant that nobody locked.
const std::string& stranger() {
  static const std::string blob = cache::bound_blob(kScale, cache::sha256("of another kernel"));
  return blob;
}

const char* const other_bytes = "gave other bytes than the lock file names";
const char* const cut_short = "did not answer to the end";

class BadServer : public SharedStore, public testing::WithParamInterface<Fault> {};

INSTANTIATE_TEST_SUITE_P(
    Faults, BadServer,
    testing::Values(Fault{"Resets", [](LoopbackServer::Talk& talk) { talk.reset(); }, cut_short},
                    Fault{"Forbids", llm::answer(403, "<html>no</html>"), "does not let you in (HTTP 403)"},
                    Fault{"IsFull", llm::answer(507, ""), "(HTTP 507)"},
                    Fault{"Fails", llm::answer(500, ""), "(HTTP 500)"},
                    Fault{"Redirects", llm::answer(302, "", "Location: http://127.0.0.1:1/\r\n"), "sends elsewhere"},
                    Fault{"SendsOtherBytes", llm::answer(200, "void scale(float*, int) {}\n"), other_bytes},
                    Fault{"SendsOtherKernel", llm::answer(200, stranger()), other_bytes},
                    Fault{"SendsNothing", llm::answer(200, ""), other_bytes},
                    Fault{"SendsPage", llm::answer(200, "<!doctype html><title>Log in</title>"), other_bytes},
                    Fault{"CutsShort", raw("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nvoid"), cut_short},
                    Fault{"LiesOfLength", raw("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nvoid scale(float*, int) {}"),
                          other_bytes},
                    Fault{"NeverEnds", send_without_end, "sent more than 16 MiB"},
                    Fault{"SpeaksNoHttp", raw("SSH-2.0-OpenSSH_9.2\r\n"), "the shared store"}),
    [](const testing::TestParamInfo<Fault>& info) { return info.param.name; });

TEST_P(BadServer, CostsTheVariantsAndOneWord) {
  forget_variants();
  const LoopbackServer server({GetParam().answer});
  EXPECT_EQ(printed({"HONE_CACHE_URL=" + server.url()}), kOriginals);
  EXPECT_EQ(count(said, "the shared store"), 1u) << said;
  EXPECT_THAT(said, AllOf(HasSubstr(GetParam().said), HasSubstr(server.url())));
  EXPECT_FALSE(holds_variants());
  const Outcome pulled = cache("pull", {"HONE_CACHE_URL=" + server.url()});
  EXPECT_EQ(pulled.code, 3) << pulled.all();
  EXPECT_THAT(pulled.err, HasSubstr(GetParam().said));
  EXPECT_FALSE(holds_variants());
  for (const llm::Received& one : server.received()) EXPECT_THAT(one.line, StartsWith("GET /cas/"));
}

TEST_F(SharedStore, IsNotAskedForWhatIsHere) {
  const LoopbackServer server({llm::answer(200, "never")});
  EXPECT_EQ(printed({"HONE_CACHE_URL=" + server.url()}), kVariants);
  EXPECT_EQ(said, "");
  EXPECT_THAT(server.received(), IsEmpty());
}

TEST_F(SharedStore, ThatIsGoneCostsTheVariantsAndOneWord) {
  forget_variants();
  std::string url;
  { url = "HONE_CACHE_URL=" + LoopbackServer({llm::answer(200, "")}).url(); }
  EXPECT_EQ(printed({url}), kOriginals);
  EXPECT_EQ(count(said, "the shared store"), 1u) << said;
  EXPECT_THAT(said, HasSubstr("cannot be reached"));
  EXPECT_EQ(cache("push", {url}).code, 1) << "there is nothing here to send";
  EXPECT_EQ(cache("pull", {url}).code, 3);
}

TEST_F(SharedStore, ThatIsGoneIsAskedAndNamedByOneCompileOfABuild) {
  forget_variants();
  const LoopbackServer server({[](LoopbackServer::Talk& talk) { talk.reset(); }});
  const std::string url = "HONE_CACHE_URL=" + server.url();
  project.write("other.cpp", kSource);
  const auto compiled = [&](const char* source) {
    const Outcome outcome = project.compile(source, {}, {}, {url});
    EXPECT_TRUE(outcome.ok()) << outcome.all();
    return outcome.all();
  };
  EXPECT_EQ(count(compiled("scale.cpp"), "the shared store"), 1u);
  EXPECT_EQ(server.received().size(), 1u);
  EXPECT_THAT(compiled("other.cpp"), AllOf(HasSubstr("is in no cache"), Not(HasSubstr("the shared store"))));
  EXPECT_EQ(server.received().size(), 1u) << "the other left it alone";
  EXPECT_EQ(cache("pull", {url}).code, 3) << "whoever asks by hand gets an answer";
  EXPECT_EQ(server.received().size(), 2u);
  for (const auto& file : fs::directory_iterator(user_store()))
    if (file.path().extension() == ".gone") fs::last_write_time(file, fs::file_time_type::clock::now() - 61s);
  EXPECT_EQ(count(compiled("other.cpp"), "the shared store"), 1u) << "a minute later";
  EXPECT_EQ(server.received().size(), 3u);
}

TEST_F(SharedStore, ThatHasNothingIsNoTrouble) {
  forget_variants();
  const LoopbackServer server({llm::answer(404, "<html>")});
  EXPECT_EQ(printed({"HONE_CACHE_URL=" + server.url()}), kOriginals);
  EXPECT_THAT(said, AllOf(HasSubstr("is in no cache"), Not(HasSubstr("the shared store"))));
  const Outcome pulled = cache("pull", {"HONE_CACHE_URL=" + server.url()});
  EXPECT_EQ(pulled.code, 1);
  EXPECT_THAT(pulled.out, HasSubstr("the others are in no store here nor in the shared store"));
}

TEST_F(SharedStore, ThatTakesNothingEndsPush) {
  const struct {
    int status;
    const char* said;
  } cases[] = {{403, "is read-only (HTTP 403)"}, {405, "is read-only (HTTP 405)"}, {507, "is full"}, {413, "is full"}};
  for (const auto& one : cases) {
    const LoopbackServer server({llm::answer(404, ""), llm::answer(one.status, "<html>")});
    const Outcome pushed = cache("push", {"HONE_CACHE_URL=" + server.url()});
    EXPECT_EQ(pushed.code, 3);
    EXPECT_THAT(pushed.err, AllOf(HasSubstr(one.said), HasSubstr(server.url()), HasSubstr("; ")));
    EXPECT_EQ(server.received().size(), 2u) << "it is left alone after that";
  }
}

TEST_F(SharedStore, GivesItsTokenToNobody) {
  forget_variants();
  const LoopbackServer server({llm::answer(500, "")});
  project.write("compiler", "#!/bin/sh\nenv > \"$(dirname \"$0\")/environment\"\nexec g++ \"$@\"\n");
  fs::permissions(project.source() / "compiler", fs::perms::owner_all);
  for (const char* file : {"scale.cpp", "plain.cpp"}) {
    project.write("plain.cpp", "int plain;\n");
    const Outcome compiled =
        project.run({HONE_PROGRAM, "cc", "--", (project.source() / "compiler").string(), "-c", file, "-o", "out.o"},
                    project.source(), {"HONE_CACHE_URL=" + server.url(), "HONE_CACHE_TOKEN=t0ken-of-mine"});
    EXPECT_TRUE(compiled.ok()) << compiled.all();
    EXPECT_THAT(compiled.all(), Not(HasSubstr("t0ken")));
    EXPECT_THAT(project.read(project.source() / "environment"), AllOf(HasSubstr("PATH="), Not(HasSubstr("t0ken"))));
  }
  for (const auto& one : server.received()) EXPECT_EQ(one.headers.at("authorization"), "Bearer t0ken-of-mine");
}

TEST_F(SharedStore, MustBeNamedForPushAndPull) {
  for (const char* what : {"push", "pull"}) {
    const Outcome ended = cache(what, {});
    EXPECT_EQ(ended.code, 3);
    EXPECT_THAT(ended.err, HasSubstr("no shared store is named; set HONE_CACHE_URL to its address"));
  }
}

// nginx, as Debian has it, with docs/cache.md's configuration.

class Nginx : public SharedStore {
 protected:
  void SetUp() override {
    if (!NginxServer::is_here()) GTEST_SKIP() << "nginx is not here; Debian's package nginx-light has it";
    SharedStore::SetUp();
    ASSERT_EQ(server.start(), "");
  }
  fs::path folder() const { return server.folder(); }
  fs::path root() const { return server.root(); }
  std::string port() const { return std::to_string(server.port()); }
  std::vector<std::string> reader() const { return server.reader(); }
  std::vector<std::string> writer() const { return server.writer(); }

  NginxServer server{project.folder() / "nginx"};
};

TEST_F(Nginx, TakesWhatIsLockedAndFillsAClone) {
  fs::create_directories(user_store() / "ac");
  const std::string record = "{\n \"record\": 1,\n \"key\": \"" + key + "\",\n \"variant\": \"" + scale + "\"\n}\n";
  std::ofstream(user_store() / "ac" / key) << record;
  const Outcome pushed = cache("push", writer());
  EXPECT_EQ(pushed.code, 0) << pushed.all();
  EXPECT_THAT(pushed.out, HasSubstr("2 variants and 1 records went to http://127.0.0.1:"));
  EXPECT_EQ(project.read(root() / "cas" / scale), project.read(project.blob(scale)));
  EXPECT_EQ(project.read(root() / "ac" / key), record) << "unsigned: this user has no key";
  EXPECT_THAT(pushed.out, HasSubstr("the records are not signed"));
  EXPECT_THAT(cache("push", writer()).out, HasSubstr("0 variants and 0 records went to"));

  forget_variants();
  const Outcome pulled = cache("pull", reader());
  EXPECT_EQ(pulled.code, 0) << pulled.all();
  EXPECT_THAT(pulled.out, HasSubstr("in hone/: 2 of 2 variants; commit it"));
  EXPECT_TRUE(fs::exists(project.blob(scale)));
  EXPECT_TRUE(fs::exists(user_store() / "cas" / shift));
  EXPECT_FALSE(fs::exists(user_store() / "ac")) << "a record is a stranger's word";
  EXPECT_EQ(printed({}), kVariants);
}

TEST_F(Nginx, IsReadByBuildsOnce) {
  ASSERT_EQ(cache("push", writer()).code, 0);
  forget_variants();
  EXPECT_EQ(printed(reader()), kVariants);
  EXPECT_EQ(said, "");
  EXPECT_FALSE(fs::exists(project.source() / "hone")) << "a build leaves the project alone";
  server.stop();
  EXPECT_EQ(printed(reader()), kVariants) << "they are in the user's store now";
  EXPECT_EQ(said, "");
}

TEST_F(Nginx, TakesNothingWithoutToken) {
  const Outcome pushed = cache("push", reader());
  EXPECT_EQ(pushed.code, 3);
  EXPECT_THAT(pushed.err, HasSubstr("takes nothing from here: it is read-only (HTTP 403); allow PUT there"));
  EXPECT_FALSE(fs::exists(root() / "cas"));
}

TEST_F(Nginx, KnowsWhoComesByCertificate) {
  const std::string key_file = folder() / "key.pem", certificate = folder() / "certificate.pem";
  const Outcome made = project.run({"openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=team",
                                    "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key_file, "-out", certificate},
                                   project.folder());
  if (!made.ok()) GTEST_SKIP() << "openssl makes no certificate: " << made.all();
  server.stop();
  const std::string trouble =
      server.start(" ssl", "ssl_verify_client on; ssl_certificate \"" + certificate + "\"; ssl_certificate_key \"" +
                               key_file + "\"; ssl_client_certificate \"" + certificate + "\";");
  ASSERT_EQ(trouble, "");
  std::vector<std::string> known = {"HONE_CACHE_URL=https://127.0.0.1:" + port(), "HONE_CACHE_TOKEN=CHANGE-ME"};
  EXPECT_THAT(cache("push", known).err, HasSubstr("is not trusted"));
  known.push_back("CURL_CA_BUNDLE=" + certificate);
  EXPECT_THAT(cache("push", known).err, HasSubstr("(HTTP 400)")) << "nobody said who comes";
  known.insert(known.end(), {"HONE_CACHE_CERT=" + certificate, "HONE_CACHE_KEY=" + key_file});
  const Outcome pushed = cache("push", known);
  EXPECT_EQ(pushed.code, 0) << pushed.all();
  EXPECT_THAT(pushed.out, HasSubstr("2 variants and 0 records went to https://127.0.0.1:"));
}

TEST_F(Nginx, HasWhatSomebodySpoiledSentAgain) {
  ASSERT_EQ(cache("push", writer()).code, 0);
  std::ofstream(root() / "cas" / scale, std::ios::app) << "void more() {}\n";
  const fs::path aside = project.folder() / "aside";
  fs::rename(project.source() / "hone", aside);
  fs::remove_all(user_store());
  EXPECT_EQ(printed(reader()), "12\n") << "shift's variant is whole";
  EXPECT_THAT(said, HasSubstr(other_bytes));
  EXPECT_FALSE(fs::exists(user_store() / "cas" / scale));
  fs::rename(aside, project.source() / "hone");
  EXPECT_THAT(cache("push", writer()).out, HasSubstr("1 variants and 0 records went to"));
  EXPECT_EQ(project.read(root() / "cas" / scale), project.read(project.blob(scale)));
}

}  // namespace
}  // namespace hone::tests
