#include "cache/key_parts.h"

#include <gtest/gtest.h>

namespace hone::cache {
namespace {

const KeyParts hashed{{"schema", "3"}, {"definition", "void f ( )\n#pragma x \"y\""}, {"flags", ""}};

TEST(KeyParts, ComeBackAsTheyWereHashed) {
  const auto text = key_parts_text(hashed);
  ASSERT_TRUE(text);
  EXPECT_EQ(read_key_parts(*text, cache::key_of(hashed)), hashed);
}

TEST(KeyParts, AreBelievedOnlyIfTheyGiveTheKey) {
  const std::string text = key_parts_text(hashed).value();
  EXPECT_FALSE(read_key_parts(text, cache::key_of({{"schema", "4"}})));
  for (std::size_t at = text.find("[["); at < text.size(); ++at) {
    std::string flipped = text;
    flipped[at] ^= 1;
    const auto read = read_key_parts(flipped, cache::key_of(hashed));
    EXPECT_TRUE(!read || *read == hashed) << flipped;  // blanks between parts say nothing
  }
  for (std::size_t length = 0; length + 5 < text.size(); ++length)
    EXPECT_FALSE(read_key_parts(text.substr(0, length), cache::key_of(hashed))) << length;
}

TEST(KeyParts, AreNotKeptIfTheyAreLargeOrNoText) {
  EXPECT_FALSE(key_parts_text({{"definition", std::string(300'000, 'x')}}));
  EXPECT_FALSE(key_parts_text({{"definition", "\xff"}}));
}

}  // namespace
}  // namespace hone::cache
