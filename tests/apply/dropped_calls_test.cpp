#include "tool/apply/dropped_calls.h"

#include <gtest/gtest.h>

namespace hone::apply {
namespace {

constexpr const char* kText = "static float twice(float v);\nvoid f(float* x) { for (;;) x[0] = twice(*x); }\n";

frontend::Replacement in_place_of_f(const std::string& variant) {
  frontend::Replacement replacement;
  replacement.placement.begin = std::string(kText).find("void f");
  replacement.placement.end = std::string(kText).size() - 1;
  replacement.variant = variant;
  return replacement;
}

TEST(DroppedCalls, AreNoneWhereVariantCallsAllThatOriginalCalls) {
  EXPECT_FALSE(drops_calls(kText, {in_place_of_f("void f(float* y) { *y = twice(std::abs(y[0])); }")}));
}

TEST(DroppedCalls, AreFoundInOneOfSeveralVariants) {
  const auto same = in_place_of_f("void f(float* x) { x[0] = twice(*x); }");
  EXPECT_TRUE(drops_calls(kText, {same, in_place_of_f("void f(float* x) { x[0] += /* twice() */ *x; }")}));
}

TEST(DroppedCalls, AreNoneWhereOriginalStays) {
  frontend::Replacement beside = in_place_of_f("void f(float* x) {}");
  beside.beside.push_back({0, "void g(float* x);\n"});
  EXPECT_FALSE(drops_calls(kText, {beside}));
}

TEST(DroppedCalls, ArePossibleForInstanceOfTemplate) {
  frontend::Replacement instance = in_place_of_f("template <> void f(float* x) { twice(*x); }");
  instance.placement.end = instance.placement.begin;
  EXPECT_TRUE(drops_calls(kText, {instance}));
}

}  // namespace
}  // namespace hone::apply
