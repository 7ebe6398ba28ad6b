#include "tool/lock/other_entries.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cache/digest.h"

namespace hone::lock {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

KernelSpec blur() {
  KernelSpec spec;
  spec.name = "blur";
  spec.file = "/project/src/blur.cpp";
  spec.key = cache::sha256("today's text, clang -O2");
  return spec;
}

project::ProjectUnit unit_of_clang() {
  project::ProjectUnit unit;
  unit.command = {
      "/project", "/project/src/blur.cpp", "blur.o", {"clang++", "-O2", "-c", "src/blur.cpp", "-o", "blur.o"}};
  unit.settings.lock = "/project/hone.lock";
  return unit;
}

cache::LockEntry entry(const std::string& compiled_with, const std::string& key) {
  cache::LockEntry entry;
  entry.name = "blur", entry.file = "src/blur.cpp", entry.target = "x86_64";
  entry.compiled_with = compiled_with, entry.key = cache::sha256(key);
  return entry;
}

OtherEntries others(const std::vector<cache::LockEntry>& entries) {
  cache::LockFile lock;
  for (const cache::LockEntry& one : entries) lock.put(one);
  return other_entries(lock, blur(), unit_of_clang());
}

std::string says(const std::vector<cache::LockEntry>& entries) {
  return standing(others(entries), "/project");
}

TEST(OtherEntries, AreElsewhereIfCompiledWithSomethingElse) {
  const std::vector<cache::LockEntry> entries{entry("gcc -O3", "g3"), entry("clang -O3", "c3")};
  EXPECT_THAT(others(entries).elsewhere, ElementsAre("clang -O3", "gcc -O3"));
  EXPECT_EQ(says(entries), "is tuned for clang -O3 and for gcc -O3, and this is clang -O2");
}

TEST(OtherEntries, AreStaleIfOnlyTextIsAnother) {
  const std::vector<cache::LockEntry> entries{entry("gcc -O3", "g3"), entry("clang -O2", "yesterday's text")};
  EXPECT_TRUE(others(entries).stale);
  EXPECT_EQ(says(entries), "was tuned for another text, annotation, flags or target");
}

TEST(OtherEntries, AreUnsaidIfEarlierHoneWroteThem) {
  EXPECT_TRUE(others({entry("", "schema 2")}).unsaid);
  EXPECT_EQ(says({entry("", "schema 2")}),
            "was tuned by an earlier Hone, which did not note for which compiler and options");
}

TEST(OtherEntries, AreNotThoseOfOtherKernels) {
  cache::LockEntry other = entry("gcc -O3", "other");
  other.file = "src/other.cpp";
  EXPECT_THAT(others({other}).elsewhere, IsEmpty());
  EXPECT_EQ(says({other}), "is not tuned");
}

}  // namespace
}  // namespace hone::lock
