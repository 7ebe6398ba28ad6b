#include <gtest/gtest.h>

#include "cache/digest.h"
#include "cache/key_builder.h"

namespace hone::cache {
namespace {

TEST(Sha256, MatchesPublishedVectors) {  // FIPS 180-2, appendix B
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256(std::string(1'000'000, 'a')), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(IsDigest, AcceptsOnly64LowerCaseHexDigits) {
  EXPECT_TRUE(is_digest(sha256("")));
  EXPECT_FALSE(is_digest(std::string(64, 'A')));
  EXPECT_FALSE(is_digest(std::string(63, 'a')));
  EXPECT_FALSE(is_digest(std::string(63, 'a') + "/"));
  EXPECT_FALSE(is_digest(""));
}

Digest key_of(std::initializer_list<std::pair<const char*, const char*>> fields) {
  KeyBuilder builder;
  for (const auto& [name, value] : fields) builder.add(name, value);
  return builder.key();
}

TEST(KeyBuilder, DistinguishesFieldBoundaries) {
  EXPECT_EQ(key_of({{"ab", "c"}}), key_of({{"ab", "c"}}));
  EXPECT_NE(key_of({{"ab", "c"}}), key_of({{"a", "bc"}}));
  EXPECT_NE(key_of({{"a", "b"}, {"c", "d"}}), key_of({{"a", "bcd"}}));
  EXPECT_NE(key_of({{"a", ""}}), key_of({}));
}

TEST(KeyBuilder, DistinguishesFieldOrder) {
  EXPECT_NE(key_of({{"a", "1"}, {"b", "2"}}), key_of({{"b", "2"}, {"a", "1"}}));
}

TEST(KeyBuilder, HashesLengthPrefixedFields) {
  // sha256 of: 8-byte little-endian length, "language", 8-byte length, "c++20"
  EXPECT_EQ(key_of({{"language", "c++20"}}),
            sha256(std::string("\x08\0\0\0\0\0\0\0language\x05\0\0\0\0\0\0\0c++20", 29)));
}

TEST(KeyBuilder, DumpsReadableText) {
  KeyBuilder builder;
  builder.add("language", "c++20");
  builder.add("tokens", "void f ( )\n{ }\n");
  builder.add("flags", "");
  EXPECT_EQ(builder.dump(), "language: c++20\ntokens:\n  void f ( )\n  { }\nflags:\n");
}

}  // namespace
}  // namespace hone::cache
