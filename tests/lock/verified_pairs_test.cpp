#include "tool/lock/verified_pairs.h"

#include <cstdlib>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cache/bound_source.h"
#include "cache/key_parts.h"
#include "tool/lock/ledger.h"
#include "tool/os/files/files.h"

namespace hone::lock {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;

class VerifiedPairs : public testing::Test {
 protected:
  void SetUp() override { setenv("XDG_CACHE_HOME", (folder_.path() / "cache").c_str(), 1); }

  // Tunes a kernel of that name, and returns its key. `confirmed`: its winner was measured afresh.
  std::string tune(const std::string& name, const std::string& body, const std::optional<std::string>& winner,
                   bool confirmed = true) {
    KernelSpec spec;
    spec.name = spec.qualified_name = name;
    spec.signature = "void " + name + "()";
    spec.file = (project_ / (name + ".cpp")).string();
    spec.target = "x86_64 avx2";
    spec.key_fields = {{"schema", "3", "", 0},
                       {"language", "c++17", "", 0},
                       {"definition", "void " + name + " ( ) { " + body + " }", "", 0},
                       {"reaches bias", "constexpr int bias = 3 ;", "", 0},
                       {"macro TWICE", "(x) x + x", "", 0},
                       {"from the system", "expf\n", "", 0}};
    cache::KeyParts parts;
    for (const KeyField& field : spec.key_fields) parts.emplace_back(field.name, field.value);
    spec.key = cache::key_of(parts);
    Record record;
    record.key = spec.key;
    record.kernel = name;
    record.signature = spec.signature;
    record.target = spec.target;
    record.thought = "rows at once";
    record.speedup = {3, 2.9, 3.1};
    if (winner) record.variant = cache::sha256(cache::bound_blob(*winner, spec.key));
    if (confirmed) record.final.emplace();
    project::ProjectUnit unit;
    unit.settings.lock = lock();
    unit.command.arguments = {"g++", "-O3", "-c", spec.file};
    EXPECT_TRUE(Ledger(spec, unit, [](const std::string&) {}).keep(record, winner.value_or("")));
    return spec.key;
  }

  fs::path lock() const { return project_ / "hone.lock"; }
  fs::path users_store() const { return folder_.path() / "cache" / "hone"; }
  void forget_blob(const std::string& digest) {
    for (const fs::path& store : {project_store(lock()), users_store()}) fs::remove(store / "cas" / digest);
  }

  os::TemporaryFolder folder_ = *os::TemporaryFolder::create("hone-pairs");
  fs::path project_ = folder_.path() / "project";
};

std::vector<std::string> kernels_of(const std::vector<search::VerifiedPair>& pairs) {
  std::vector<std::string> names;
  for (const search::VerifiedPair& pair : pairs) names.push_back(pair.kernel);
  return names;
}

TEST_F(VerifiedPairs, HaveOriginalAsKeyHasItAndWinnerOfLock) {
  const std::string key = tune("blur", "slow ( bias ) ;", "void blur() { fast(); }\n");
  EXPECT_THAT(
      pairs_of_project(lock()),
      ElementsAre(search::VerifiedPair{
          "blur", key, "c++17", "#define TWICE(x) x + x\nconstexpr int bias = 3;\nvoid blur() {\n  slow(bias);\n}\n",
          "void blur() { fast(); }\n", "rows at once", 3}));
}

TEST_F(VerifiedPairs, OfProjectNeedNoUsersStore) {
  tune("blur", "slow ( ) ;", "void blur() { fast(); }\n");
  fs::remove_all(users_store());
  EXPECT_THAT(kernels_of(pairs_of_project(lock())), ElementsAre("blur"));
}

TEST_F(VerifiedPairs, LeaveOutWhatWasKeptOrNotMeasuredAfresh) {
  tune("kept", "slow ( ) ;", std::nullopt);
  tune("unconfirmed", "slow ( ) ;", "void unconfirmed() { fast(); }\n", false);
  EXPECT_THAT(pairs_of_project(lock()), IsEmpty());
  EXPECT_THAT(pairs_in_store(users_store()), IsEmpty());
}

TEST_F(VerifiedPairs, LeaveOutWhatMissesABlob) {
  tune("blur", "slow ( ) ;", "void blur() { fast(); }\n");
  tune("edges", "slow ( ) ;", "void edges() { fast(); }\n");
  const auto file = cache::LockFile::read(lock()).value();
  forget_blob(file.entries.at(0).key_parts);
  EXPECT_THAT(kernels_of(pairs_of_project(lock())), ElementsAre("edges"));
  forget_blob(*file.entries.at(1).variant);
  EXPECT_THAT(pairs_of_project(lock()), IsEmpty());
}

TEST_F(VerifiedPairs, LeaveOutEntriesWhoseSealIsBroken) {
  tune("blur", "slow ( ) ;", "void blur() { fast(); }\n");
  tune("edges", "slow ( ) ;", "void edges() { fast(); }\n");
  const auto file = cache::LockFile::read(lock()).value();
  std::string text = os::read_file(lock()).value();
  const std::string first = *file.entries.at(0).variant, second = *file.entries.at(1).variant;
  text.replace(text.find(first), first.size(), second);
  ASSERT_TRUE(os::write_file_atomically(lock(), text));
  EXPECT_THAT(kernels_of(pairs_of_project(lock())), ElementsAre("edges"));
}

TEST_F(VerifiedPairs, OfUsersStoreComeFromAllProjects) {
  tune("blur", "slow ( ) ;", "void blur() { fast(); }\n");
  project_ = folder_.path() / "another";
  tune("edges", "slow ( ) ;", "void edges() { fast(); }\n");
  EXPECT_THAT(kernels_of(pairs_of_project(lock())), ElementsAre("edges"));
  EXPECT_THAT(kernels_of(pairs_in_store(users_store())), testing::UnorderedElementsAre("blur", "edges"));
  EXPECT_EQ(pairs_in_store(users_store(), 1).size(), 1u);
  EXPECT_EQ(pairs_in_store(users_store()).front().thought, "rows at once");
}

TEST_F(VerifiedPairs, AreNoneWhereNothingCanBeRead) {
  EXPECT_THAT(pairs_of_project(lock()), IsEmpty());
  EXPECT_THAT(pairs_in_store(folder_.path() / "nowhere"), IsEmpty());
  fs::create_directories(project_);
  ASSERT_TRUE(os::write_file_atomically(lock(), "{ torn"));
  EXPECT_THAT(pairs_of_project(lock()), IsEmpty());
}

}  // namespace
}  // namespace hone::lock
