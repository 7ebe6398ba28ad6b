#include "tool/lock/key_changes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tool/lock/token_changes.h"

namespace hone::lock {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const std::vector<KeyField> today{
    {"schema", "3", "", 0},
    {"verifier", "1", "", 0},
    {"language", "c++17", "", 0},
    {"function", "_Z4blurPf", "", 0},
    {"definition", "void blur ( float * x ) { x [ 0 ] = clamp ( x [ 1 ] ) ; }", "/project/src/blur.cpp", 20},
    {"reaches clamp", "float clamp ( float v ) { return v > 255 ? 255 : v ; }", "/project/src/blur.cpp", 12},
    {"reaches clamp", "int clamp ( int v ) { return v ; }", "/project/src/blur.cpp", 14},
    {"macro FACTOR", " 3", "/project/src/own.h", 2},
    {"from the system", "std::sqrt\n", "", 0},
    {"annotation", "kernel in(x[0 : n]) problem(n=64, weight=1) threads(1)", "/project/src/blur.cpp", 19},
    {"flags", "no-math-errno ", "", 0},
    {"target", "x86_64 avx avx2", "", 0},
    {"compiled with", "gcc -O3", "", 0}};

cache::KeyParts parts() {
  cache::KeyParts all;
  for (const KeyField& field : today) all.emplace_back(field.name, field.value);
  return all;
}

// What is said where `name` was `value`, the `nth` of that name.
std::vector<std::string> said_where(const std::string& name, const std::string& value, int nth = 0) {
  cache::KeyParts then = parts();
  for (auto& [part, text] : then)
    if (part == name && nth-- == 0) text = value;
  std::vector<std::string> said;
  for (const KeyChange& change : key_changes(then, today)) said.push_back(in_words(change, "/project"));
  return said;
}

TEST(KeyChanges, AreNoneWhereNothingDiffers) {
  EXPECT_THAT(key_changes(parts(), today), IsEmpty());
}

TEST(KeyChanges, NameTokensOfKernelHelperAndMacro) {
  EXPECT_THAT(said_where("definition", "void blur ( float * x ) { x [ 0 ] = clamp ( x [ 2 ] ) ; }"),
              ElementsAre("`blur()` changed (src/blur.cpp:20): `2` became `1`"));
  EXPECT_THAT(said_where("reaches clamp", "float clamp ( float v ) { return v > 254 ? 254 : v ; }"),
              ElementsAre("`clamp()` changed (src/blur.cpp:12): `254` became `255`; `254` became `255`"));
  EXPECT_THAT(said_where("reaches clamp", "int clamp ( int v ) { return v & 7 ; }", 1),
              ElementsAre("`clamp()` changed (src/blur.cpp:14): `& 7` was removed"))
      << "the overload";
  EXPECT_THAT(said_where("macro FACTOR", " 2"), ElementsAre("macro `FACTOR` changed (src/own.h:2): `2` became `3`"));
}

TEST(KeyChanges, NameClausesFlagsTargetAndCompiler) {
  EXPECT_THAT(said_where("annotation", "kernel in(x[0 : n]) exact problem(n=32, weight=1) threads(1)"),
              ElementsAre("the annotation changed (src/blur.cpp:19): `problem(n=32, weight=1)` became "
                          "`problem(n=64, weight=1)`; `exact` was removed"));
  EXPECT_THAT(said_where("flags", "fast-math no-math-errno "), ElementsAre("flags changed: -fast-math"));
  EXPECT_THAT(said_where("target", "x86_64 avx avx512f"), ElementsAre("the target changed: +avx2 -avx512f"));
  EXPECT_THAT(said_where("compiled with", "gcc -O2"),
              ElementsAre("it is compiled with gcc -O3, and was tuned for gcc -O2"));
  EXPECT_THAT(said_where("language", "c++20"), ElementsAre("the language is c++17, and was c++20"));
  EXPECT_THAT(said_where("from the system", "std::cbrt\n"),
              ElementsAre("it uses other names of the system's: +std::sqrt -std::cbrt"));
  EXPECT_THAT(said_where("verifier", "0"), ElementsAre("Hone's judge is of version 1, and was of 0"));
}

TEST(KeyChanges, NameWhatIsReachedNoMoreAndWhatIsNew) {
  cache::KeyParts then = parts();
  std::erase_if(then, [](const auto& part) { return part.first == "macro FACTOR"; });
  then.emplace_back("reaches old", "float old ( ) { return 1 ; }");
  const auto changes = key_changes(then, today);
  ASSERT_EQ(changes.size(), 2u);
  EXPECT_EQ(changes[0].brief, "it now reaches macro `FACTOR`");
  EXPECT_EQ(changes[1].brief, "it no longer reaches `old()`");
  EXPECT_EQ(in_short(changes, "/elsewhere"), "it now reaches macro `FACTOR` (/project/src/own.h:2) and 1 more");
}

TEST(KeyChanges, NameOrderWhereNothingElseDiffers) {
  cache::KeyParts then = parts();
  std::swap(then[5], then[6]);
  EXPECT_EQ(key_changes(then, today).at(0).what, "order");
}

TEST(TokenChanges, NameFirstPlacesAndCountTheOthers) {
  EXPECT_EQ(token_changes("a b c d e f g h i", "A b C d E f G h I"),
            "`a` became `A`; `c` became `C`; `e` became `E`; and in 2 more places");
  EXPECT_EQ(token_changes("a", "a"), "");
  EXPECT_EQ(token_changes("", "a b"), "`a b` was added");
}

TEST(TokenChanges, QuoteNoMoreThanALine) {
  std::string many;
  for (int i = 0; i < 5000; ++i) many += "token" + std::to_string(i) + " ";
  EXPECT_LT(token_changes(many, "x " + many + "y").size(), 200u) << "and take no time that anybody notices";
}

}  // namespace
}  // namespace hone::lock
