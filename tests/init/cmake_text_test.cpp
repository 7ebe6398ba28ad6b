// Where a line goes in somebody's CMakeLists.txt.
#include "tool/init/cmake_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hone::init {
namespace {

using testing::ElementsAre;

std::vector<CMakeCall> calls(std::string_view text) {
  const auto found = calls_in(text);
  EXPECT_TRUE(found) << text;
  return found.value_or(std::vector<CMakeCall>());
}

std::string with_target(const std::string& text, const std::string& target) {
  const auto all = calls(text);
  const CMakeCall* maker = maker_of(all, target);
  return maker ? with_line_behind(text, *maker, "hone_target(" + target + ")") : "";
}

std::string with_package(const std::string& text) {
  const auto all = calls(text);
  const CMakeCall* place = place_for_package(all);
  return place ? with_line_behind(text, *place, "find_package(Hone REQUIRED)") : "";
}

TEST(CMakeText, HasCallsWithAllKindsOfArguments) {
  const auto all = calls(
      "# add_library(no)\n#[[ add_library(no)\n]] set(a \"x ) y\\\"\" [==[ ]] ) ]==] z\\)w # )\n)\nIf((A OR B) AND "
      "C)\n");
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].name, "set");
  EXPECT_THAT(all[0].arguments, ElementsAre("a", "x ) y\"", " ]] ) ", "z)w"));
  EXPECT_EQ(all[1].name, "if");
  EXPECT_THAT(all[1].arguments, ElementsAre("A", "OR", "B", "AND", "C"));
}

TEST(CMakeText, IsRefusedWhereItIsNotWhole) {
  for (const char* text :
       {"project(a", "project", "project(\"a)", "set(a [[b)", "project(a))", ")", "#[[ never closed"})
    EXPECT_FALSE(calls_in(text)) << text;
}

TEST(CMakeText, HasNoCallsWhereItIsEmpty) {
  EXPECT_THAT(calls(""), ElementsAre());
  EXPECT_THAT(calls("# a comment at the end, without a newline"), ElementsAre());
}

TEST(CMakeText, TakesLineBehindTarget) {
  EXPECT_EQ(with_target("add_executable(app\n  main.cpp)  # the app\ninstall(x)\n", "app"),
            "add_executable(app\n  main.cpp)  # the app\nhone_target(app)\ninstall(x)\n");
  EXPECT_EQ(with_target("if(A)\n\tADD_LIBRARY(lib STATIC a.c)\nendif()\n", "lib"),
            "if(A)\n\tADD_LIBRARY(lib STATIC a.c)\n\thone_target(lib)\nendif()\n");
  EXPECT_EQ(with_target("add_library(lib a.c)", "lib"), "add_library(lib a.c)\nhone_target(lib)\n");
}

TEST(CMakeText, FindsNoTargetInItsAliasesAndVariables) {
  EXPECT_EQ(with_target("add_library(lib ALIAS other)\nadd_library(lib IMPORTED)\nadd_library(${lib} a.c)\n", "lib"),
            "");
}

TEST(CMakeText, TakesPackageBehindOtherPackagesOrProject) {
  EXPECT_EQ(with_package("cmake_minimum_required(VERSION 3.10)\nproject(p)\nadd_library(a a.c)\nfind_package(Late)\n"),
            "cmake_minimum_required(VERSION 3.10)\nproject(p)\nfind_package(Hone REQUIRED)\nadd_library(a "
            "a.c)\nfind_package(Late)\n");
  EXPECT_EQ(
      with_package("project(p)\nfind_package(Threads)\nif(WIN32)\n  find_package(Other)\nendif()\n"),
      "project(p)\nfind_package(Threads)\nfind_package(Hone REQUIRED)\nif(WIN32)\n  find_package(Other)\nendif()\n");
  EXPECT_EQ(with_package("add_library(a a.c)\n"), "");
}

TEST(CMakeText, KnowsCallsByFirstArgument) {
  const auto all = calls("Hone_Target(app MODE tune)\n");
  EXPECT_TRUE(has_call(all, "hone_target", "app"));
  EXPECT_FALSE(has_call(all, "hone_target", "tune"));
}

}  // namespace
}  // namespace hone::init
