// `hone cache keygen`, `trust` and `untrust`, as a user and a CI call them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "cache/lock_file.h"
#include "run_program.h"
#include "small_project.h"

namespace hone {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::MatchesRegex;
using testing::Not;

const std::string first = "ed25519:1" + std::string(63, '1'), second = "ed25519:2" + std::string(63, '2');

class TrustCommands : public testing::Test {
 protected:
  void TearDown() override { ::unsetenv("HONE_SIGNING_KEY"); }
  Ended cache(std::vector<std::string> words) const {
    words.insert(words.begin(), "cache");
    return run(project.folder(), words);
  }
  fs::path key_file() const { return project.folder() / "config" / "hone" / "signing-key.pem"; }
  std::string trusted() const { return project.read(project.folder() / "hone.trust"); }

  const SmallProject project{plain_copy};
};

TEST_F(TrustCommands, MakeAKeyOnceAndPrintItsPublicHalfAlone) {
  const Ended made = cache({"keygen"});
  EXPECT_EQ(made.code, 0) << made.err;
  EXPECT_THAT(made.out, MatchesRegex("ed25519:[0-9a-f]{64}\n"));
  EXPECT_THAT(made.err, AllOf(HasSubstr(key_file().string()), Not(HasSubstr("PRIVATE"))));
  const std::string kept = project.read(key_file());
  EXPECT_EQ(fs::status(key_file()).permissions(), fs::perms::owner_read | fs::perms::owner_write);

  const Ended again = cache({"keygen"});
  EXPECT_EQ(again.code, 1);
  EXPECT_THAT(again.err, HasSubstr("you have a signing key, and it stays; --show prints its public key"));
  EXPECT_EQ(project.read(key_file()), kept);
  EXPECT_EQ(cache({"keygen", "--show"}).out, made.out);
  const Ended other = cache({"keygen", "--replace"});
  EXPECT_EQ(other.code, 0);
  EXPECT_NE(other.out, made.out);
  EXPECT_NE(project.read(key_file()), kept);
  EXPECT_EQ(cache({"keygen", "--replace", "--show"}).code, 2);
}

TEST_F(TrustCommands, MakeTheKeyThatACiNames) {
  const fs::path named = project.folder() / "secrets" / "ci.pem";
  ::setenv("HONE_SIGNING_KEY", named.c_str(), 1);
  EXPECT_EQ(cache({"keygen", "--show"}).code, 3) << "there is none yet";
  const Ended made = cache({"keygen"});
  EXPECT_TRUE(fs::exists(named));
  EXPECT_FALSE(fs::exists(key_file()));
  EXPECT_EQ(cache({"keygen", "--show"}).out, made.out);
}

TEST_F(TrustCommands, WriteWhoIsTrustedBesideTheLockFile) {
  const Ended added = cache({"trust", second, "--as", "ci"});
  EXPECT_EQ(added.code, 0) << added.err;
  EXPECT_THAT(added.out,
              HasSubstr("'ci' (" + second + ") is trusted: what it signs is locked without a search; commit"));
  EXPECT_EQ(cache({"trust", first}).code, 0);
  EXPECT_EQ(trusted(), "{\n  \"version\": 1,\n  \"keys\": [\n    { \"key\": \"" + first + "\" },\n    { \"key\": \"" +
                           second + "\", \"name\": \"ci\" }\n  ]\n}\n");
  EXPECT_THAT(cache({"trust"}).out, AllOf(HasSubstr(first + "\n"), HasSubstr(second + " ci\n")));
  EXPECT_EQ(cache({"trust", first, "--as", "alice"}).code, 0) << "named afterwards";
  EXPECT_THAT(trusted(), HasSubstr("\"name\": \"alice\""));
}

TEST_F(TrustCommands, RefuseWhatIsNoKeyAndNamesThatAreTaken) {
  EXPECT_EQ(cache({"trust", "alice"}).code, 2);
  EXPECT_THAT(cache({"trust", first.substr(0, 70)}).err, HasSubstr("this public key is not whole; a key is ed25519:"));
  EXPECT_THAT(cache({"trust", "ed25519:01" + std::string(62, '0')}).err, HasSubstr("weak: anybody could sign with it"));
  EXPECT_EQ(cache({"trust", first, "--as", second}).code, 2);
  EXPECT_EQ(cache({"trust", first, "--as", "two\nlines"}).code, 2);
  EXPECT_EQ(trusted(), "");
  ASSERT_EQ(cache({"trust", first, "--as", "ci"}).code, 0);
  const Ended taken = cache({"trust", second, "--as", "ci"});
  EXPECT_EQ(taken.code, 3);
  EXPECT_THAT(taken.err, HasSubstr("the name 'ci' is another key's, " + first));
  EXPECT_THAT(trusted(), Not(HasSubstr(second)));
}

TEST_F(TrustCommands, TakeKeysAwayByKeyOrNameAndSayWhatRestsOnThem) {
  cache::LockFile lock;
  cache::LockEntry entry;
  entry.name = "copy", entry.file = "kernel.cpp", entry.key = cache::sha256("key"), entry.signed_by = second;
  lock.put(entry);
  project.write("hone.lock", lock.text());
  ASSERT_EQ(cache({"trust", first, "--as", "alice"}).code, 0);
  ASSERT_EQ(cache({"trust", second, "--as", "ci"}).code, 0);
  const Ended gone = cache({"untrust", "ci"});
  EXPECT_EQ(gone.code, 0) << gone.err;
  EXPECT_THAT(gone.out, AllOf(HasSubstr("'ci' (" + second + ") is trusted no more; commit this"),
                              HasSubstr("'copy' was locked on its word, and stays")));
  EXPECT_EQ(cache({"untrust", first}).code, 0);
  EXPECT_THAT(cache({"trust"}).out, HasSubstr("nobody is trusted"));
  const Ended nobody = cache({"untrust", "ci"});
  EXPECT_EQ(nobody.code, 1);
  EXPECT_THAT(nobody.err, HasSubstr("nobody called 'ci' is trusted; hone cache trust lists who is"));
}

TEST_F(TrustCommands, WithdrawWhatATrustedKeySigned) {
  cache::LockFile lock;
  cache::LockEntry entry;
  entry.name = "copy", entry.file = "kernel.cpp", entry.key = cache::sha256("key"), entry.signed_by = second;
  entry.variant = cache::sha256("variant");
  lock.put(entry);
  project.write("hone.lock", lock.text());
  ASSERT_EQ(cache({"trust", second, "--as", "ci"}).code, 0);
  const Ended withdrawn = cache({"untrust", *entry.variant});
  EXPECT_EQ(withdrawn.code, 0) << withdrawn.err;
  EXPECT_THAT(withdrawn.out, AllOf(HasSubstr(*entry.variant + " is withdrawn, whoever signed it; commit this"),
                                   HasSubstr("'copy' was locked on its word, and stays")));
  EXPECT_THAT(cache({"trust"}).out, AllOf(HasSubstr(second + " ci"), HasSubstr("withdrawn " + *entry.variant)));
}

TEST_F(TrustCommands, FindTheLockFileFromBelowOrWhereItIsNamed) {
  const fs::path below = project.folder() / "src" / "deep";
  fs::create_directories(below);
  EXPECT_EQ(run(below, {"cache", "trust", first}).code, 0);
  EXPECT_THAT(trusted(), HasSubstr(first)) << "beside the nearest hone.lock";
  EXPECT_EQ(cache({"trust", second, "--lock", "locks/app.lock"}).code, 0);
  EXPECT_THAT(project.read(project.folder() / "locks" / "hone.trust"), HasSubstr(second));
  EXPECT_THAT(cache({"untrust", second, "--lock", "locks/app.lock"}).out, HasSubstr("is trusted no more"));
  const Ended nowhere = run("/", {"cache", "trust"});
  EXPECT_EQ(nowhere.code, 3);
  EXPECT_THAT(nowhere.err, HasSubstr("no project is here; name its build folder (-p), or the lock file"));
}

TEST_F(TrustCommands, LeaveABrokenFileAsItIs) {
  project.write("hone.trust", "{\n  \"version\": 1,\n  \"keys\": [ 7 ]\n}\n");
  const std::string broken = trusted();
  for (const auto& words : {std::vector<std::string>{"trust"}, {"trust", first}, {"untrust", first}}) {
    const Ended ended = cache(words);
    EXPECT_EQ(ended.code, 3);
    EXPECT_THAT(ended.err, HasSubstr("hone.trust:3:13: this trusted key is not usable: it has no \"key\""));
  }
  EXPECT_EQ(trusted(), broken);
}

}  // namespace
}  // namespace hone
