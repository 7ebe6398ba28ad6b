// Files of NumPy, and what is none.
#include "tool/judge/data/npy.h"

#include <gtest/gtest.h>

#include <cstring>

#include "tests/judge/data/data_fixtures.h"

namespace hone::judge {
namespace {

TEST(Npy, ReadsTypeAndShape) {
  const float values[] = {1, 2, 3, 4, 5, 6};
  const auto array =
      parse_npy(npy("<f4", "(2, 3)", std::string(reinterpret_cast<const char*>(values), sizeof values)), "x.npy");
  ASSERT_TRUE(array) << array.error().message();
  EXPECT_EQ(array->elements, 6u);
  EXPECT_EQ(array->type, (ScalarType{ScalarKind::floating, 4}));
  EXPECT_EQ(std::memcmp(array->data.data(), values, sizeof values), 0);
}

TEST(Npy, RejectsTruncatedAndUnsupportedFiles) {
  EXPECT_FALSE(parse_npy(npy("<f4", "(7,)", std::string(24, 'x')), "x"));
  EXPECT_FALSE(parse_npy(npy(">f4", "(1,)", std::string(4, 'x')), "x"));
  EXPECT_FALSE(parse_npy(npy("<c8", "(1,)", std::string(8, 'x')), "x"));
  EXPECT_FALSE(parse_npy(npy("<f8", "(4294967296, 4294967296)", ""), "x"));
  EXPECT_FALSE(parse_npy("", "x"));
  const std::string whole = npy("<f4", "(3,)", std::string(12, 'x'));
  for (std::size_t n = 0; n < whole.size(); ++n) ASSERT_FALSE(parse_npy(whole.substr(0, n), "x"));
}

}  // namespace
}  // namespace hone::judge
