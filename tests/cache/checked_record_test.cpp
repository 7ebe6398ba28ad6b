// Records with the digest that their files end in: whole, damaged, and those of before.
#include "cache/checked_record.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "cache/store.h"
#include "cache/store_folder.h"
#include "tests/cache/folder.h"
#include "tests/replaced_text.h"

namespace hone::cache {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// As lock::to_json() lays it out.
const std::string record = nlohmann::json{{"record", 1},
                                          {"key", sha256("key")},
                                          {"speedup", {{"median", 2.5}, {"low", 2.25}, {"high", 2.75}}},
                                          {"unfinished", true}}
                               .dump(1) +
                           "\n";

TEST(CheckedRecord, GivesBackWhatWasGiven) {
  EXPECT_EQ(without_digest(with_digest(record)), record);
  EXPECT_EQ(without_digest(with_digest(with_digest(record))), with_digest(record));
  for (const std::string other : {"{}", "{\"a\": 1}", "", "\n}\n", "{\n \"a\": 1\n}"}) {
    EXPECT_EQ(with_digest(other), other) << "not as Hone writes records";
    EXPECT_EQ(without_digest(other), other);
  }
  const std::string with_signature = test::replaced(record, "\n}\n", ",\n \"signed\": { \"version\": 1 }\n}\n");
  EXPECT_EQ(with_digest(with_signature), with_signature) << "the signature stays the last member";
}

TEST(CheckedRecord, WithAnyOtherBitIsRefusedOrTheSameRecord) {
  const std::string stored = with_digest(record);
  ASSERT_EQ(StoreFolder::fault(StoreFolder::Kind::record, "", stored), "");
  std::size_t kept = 0;
  for (std::size_t at = 0; at < stored.size(); ++at)
    for (int bit = 0; bit < 8; ++bit) {
      std::string damaged = stored;
      damaged[at] = static_cast<char>(damaged[at] ^ (1 << bit));
      if (!StoreFolder::fault(StoreFolder::Kind::record, "", damaged).empty()) continue;
      ++kept;
      nlohmann::json left = nlohmann::json::parse(*without_digest(damaged)), known = nlohmann::json::parse(record);
      for (const auto& [name, value] : left.items())
        if (!known.contains(name)) known[name] = sha256(record);  // a digest that is called otherwise
      ASSERT_EQ(left, known) << at << "\n" << damaged;
    }
  EXPECT_LE(kept, 6u * 8) << "the letters of \"digest\" alone";
}

class StoredRecord : public FolderTest {
 protected:
  const Digest key_ = sha256("a request");
  fs::path file() const { return path("user") / "ac" / key_; }
};

TEST_F(StoredRecord, WithFlippedDigitIsSetAsideWithAWord) {
  Store store({{path("user")}}, warn());
  ASSERT_TRUE(store.put_record(key_, record));
  EXPECT_EQ(store.record(key_), record);
  write(file(), test::replaced(read(file()), "2.5", "6.5"));
  EXPECT_EQ(store.record(key_), std::nullopt);
  EXPECT_THAT(warnings_, ElementsAre(HasSubstr("its bytes do not have the digest that it ends with; it was renamed")));
  EXPECT_THAT(names(path("user") / "ac"), ElementsAre(key_ + ".corrupt"));
}

TEST_F(StoredRecord, OfBeforeIsReadAsItIs) {
  const Store store({{path("user")}}, warn());
  write(file(), record);
  EXPECT_EQ(store.record(key_), record);
  EXPECT_THAT(warnings_, IsEmpty());
}

TEST_F(StoredRecord, ThatIsWholeCanBeRejected) {
  Store store({{path("user")}}, warn());
  ASSERT_TRUE(store.put_record(key_, record));
  store.reject_record(key_, record, "it is of another kernel");
  EXPECT_THAT(names(path("user") / "ac"), ElementsAre(key_ + ".corrupt"));
}

}  // namespace
}  // namespace hone::cache
