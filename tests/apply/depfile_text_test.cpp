#include "tool/apply/depfile_text.h"

#include <gtest/gtest.h>

#include "tool/command/make_rule.h"

namespace hone::apply {
namespace {

TEST(DepfileText, ReplacesShadowByOriginalAndAddsVariantSources) {
  EXPECT_EQ(changed_depfile("a.o: a.o.hone/a.cpp \\\n /src/a.h\n",
                            {"a.o.hone/a.cpp", "/src/a.cpp", {"/src/hone.lock", "/b/app.json"}}),
            "a.o: /src/a.cpp \\\n /src/hone.lock \\\n /b/app.json \\\n /src/a.h\n");
}

TEST(DepfileText, EscapesNamesLikeCompilers) {
  EXPECT_EQ(changed_depfile("o\\ ut/a.o: o\\ ut/a.o.hone/a.cpp\n", {"o ut/a.o.hone/a.cpp", "/s r#c/$a.cpp", {"/l k"}}),
            "o\\ ut/a.o: /s\\ r\\#c/$$a.cpp \\\n /l\\ k\n");
}

TEST(DepfileText, FindsSourceOnLineBelowTarget) {
  EXPECT_EQ(changed_depfile("a.o: \\\n a.o.hone/a.cpp \\\n a.h\n", {"a.o.hone/a.cpp", "a.cpp", {"hone.lock"}}),
            "a.o: \\\n a.cpp \\\n hone.lock \\\n a.h\n");
}

TEST(DepfileText, AddsPrerequisitesIfOriginalWasCompiled) {
  EXPECT_EQ(changed_depfile("a.o: a.cpp a.h\n", {"", "a.cpp", {"hone.lock"}}), "a.o: a.cpp \\\n hone.lock a.h\n");
}

TEST(DepfileText, KeepsOtherRules) {
  EXPECT_EQ(changed_depfile("a.o: s/a.cpp a.h\na.h:\n", {"s/a.cpp", "a.cpp", {"hone.lock"}, true}),
            "a.o: a.cpp \\\n hone.lock a.h\na.h:\nhone.lock:\n");
  EXPECT_EQ(changed_depfile("", {"s", "a", {"hone.lock"}, true}), "");
  EXPECT_EQ(changed_depfile("no rule\n", {"s", "a", {"hone.lock"}, true}), "no rule\n");
}

TEST(DepfileText, ReplacesOnlyWholeNames) {
  EXPECT_EQ(changed_depfile("a.o: s/a.cpp s/a.cpp.h\n", {"s/a.cpp", "x.cpp", {}}), "a.o: x.cpp s/a.cpp.h\n");
}

TEST(DepfileText, RemovesNamesThatAreNotFiles) {
  EXPECT_EQ(changed_depfile("a.o : s/a.cu \\\n  hone/cas/1 \\\n a.h \\\n hone/cas/2\n\nhone/cas/1:\na.h:\n",
                            {"s/a.cu", "a.cu", {"hone.lock"}, true, {"hone/cas/1", "hone/cas/2"}}),
            "a.o : a.cu \\\n hone.lock \\\n   \\\n a.h \\\n \n\n\na.h:\nhone.lock:\n");
}

TEST(MakeRule, ListsPrerequisitesOfFirstRule) {
  EXPECT_EQ(make_prerequisites("o\\ ut/a.o : /s\\ r\\#c/$$a.cu \\\n  b.h \\\n\tc.h d.h\n\nb.h:\nother: x\n"),
            (std::vector<std::string>{"/s r#c/$a.cu", "b.h", "c.h", "d.h"}));
  EXPECT_TRUE(make_prerequisites("").empty());
  EXPECT_TRUE(make_prerequisites("no rule\n").empty());
  EXPECT_EQ(make_prerequisites("a.o: a.cpp"), std::vector<std::string>{"a.cpp"});
}

}  // namespace
}  // namespace hone::apply
