// A lock file of each format that a Hone has ever written: read, and used or refused as docs/cache.md says.
//
//   0_1.lock           no seals, key and variant on lines of their own
//   before_seals.lock  the same, with build_target and tried
//   seals.lock         seals; nobody noted the compiler
//   compilers.lock     compiled_with, unconfirmed, unfinished
//   key_parts.lock     key_parts
//   held_on.lock       held_on, signed_by, measured_on
//   sums.lock          today's: a sum for each entry
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cache/digest.h"
#include "tool/lock/measured_entries.h"
#include "tool/lock/other_entries.h"
#include "tool/os/files/files.h"

namespace hone::lock {
namespace {

using testing::HasSubstr;

constexpr const char* formats[] = {"0_1.lock",       "before_seals.lock", "seals.lock", "compilers.lock",
                                   "key_parts.lock", "held_on.lock",      "sums.lock"};
constexpr const char* with_seals[] = {"seals.lock", "compilers.lock", "key_parts.lock", "held_on.lock", "sums.lock"};

std::string text_of(const std::string& format) {
  return os::read_file(std::filesystem::path(FORMATS) / format).value();
}

cache::LockFile file_of(const std::string& format) {
  return cache::LockFile::read(std::filesystem::path(FORMATS) / format).value();
}

KernelSpec blur_in_state(const std::string& state = "blur") {
  KernelSpec spec;
  spec.name = "blur";
  spec.file = "/project/src/blur.cpp";
  spec.target = "x86_64 avx2 fma";
  spec.key = cache::sha256(state);
  return spec;
}

std::string standing_of_edited(const std::string& format) {
  project::ProjectUnit unit;
  unit.command = {"/project", "/project/src/blur.cpp", "blur.o", {"g++", "-O3", "-c", "src/blur.cpp"}};
  unit.settings.lock = "/project/hone.lock";
  return standing(other_entries(file_of(format), blur_in_state("edited"), unit), "/project");
}

TEST(Formats, AreAllReadWithTheirEntries) {
  for (const std::string format : formats) {
    const cache::LockFile file = file_of(format);
    ASSERT_EQ(file.entries.size(), 2u) << format;
    EXPECT_EQ(file.entries[0].variant, cache::sha256("the variant")) << format;
    EXPECT_EQ(file.entries[0].speedup_low, 3.02) << format;
    EXPECT_EQ(file.entries[0].extra, "") << format << ": nothing is unknown";
    EXPECT_EQ(file.entries[1].variant, std::nullopt) << format;
    EXPECT_EQ(cache::LockFile::parse(file.text(), format)->entries, file.entries) << format;
  }
}

TEST(Formats, AreWrittenAsTheyWereSinceKeyAndVariantShareALine) {
  for (const std::string format : with_seals) EXPECT_EQ(file_of(format).text(), text_of(format)) << format;
}

TEST(Formats, AreAllUsedForTheirKey) {
  for (const std::string format : formats) {
    const cache::LockFile file = file_of(format);
    const cache::LockEntry* entry = entry_for(file, blur_in_state(), "");
    ASSERT_TRUE(entry) << format;
    EXPECT_EQ(entry->variant, cache::sha256("the variant")) << format;
    EXPECT_EQ(why_distrusted(file, blur_in_state()), "") << format;
  }
}

TEST(Formats, WithSealsAreRefusedWhereKeyAndVariantAreOfTwoEntries) {
  for (const std::string format : with_seals) {
    cache::LockFile file = file_of(format);
    file.entries[0].variant = cache::sha256("another variant");
    EXPECT_EQ(entry_for(file, blur_in_state(), ""), nullptr) << format;
    EXPECT_THAT(why_distrusted(file, blur_in_state()), HasSubstr("does not fit its seal")) << format;
  }
}

TEST(Formats, WithFiguresKeepThemAndWhoseWordItWas) {
  for (const std::string format : {"held_on.lock", "sums.lock"}) {
    const cache::LockFile file = file_of(format);
    EXPECT_TRUE(file.entries[0].held_on.at("AMD EPYC 9V74").tuned) << format;
    EXPECT_FALSE(file.entries[0].held_on.at("Intel Xeon Platinum 8480C").right) << format;
    EXPECT_THAT(file.entries[0].signed_by, testing::StartsWith("ed25519:3d40")) << format;
    EXPECT_EQ(file.entries[1].measured_on, "sm_90") << format;
    for (const cache::LockEntry& entry : file.entries) EXPECT_EQ(file.why_not(entry), "") << format << entry.name;
  }
}

TEST(Formats, WithoutSealsAreSealedByTheFirstThatWrites) {
  for (const std::string format : {"0_1.lock", "before_seals.lock"}) {
    cache::LockFile file = file_of(format);
    cache::LockEntry fresh = file.entries[1];
    fresh.compiled_with = "gcc -O3";
    file.put(fresh);
    for (const cache::LockEntry& entry : file.entries) EXPECT_EQ(file.why_not(entry), "") << format << entry.name;
    EXPECT_TRUE(entry_for(file, blur_in_state(), "")) << format;
  }
}

TEST(Formats, WithoutCompilerAreOfNobodyKnowsWhichBuild) {
  for (const std::string format : {"0_1.lock", "before_seals.lock", "seals.lock"})
    EXPECT_THAT(standing_of_edited(format), HasSubstr("did not note for which compiler")) << format;
}

TEST(Formats, WithoutKeyPartsSayNoMoreThanThatSomethingChanged) {
  EXPECT_EQ(standing_of_edited("compilers.lock"), "was tuned for another text, annotation, flags or target");
  EXPECT_EQ(standing_of_edited("key_parts.lock"), "was tuned for another text, annotation, flags or target")
      << "their blob is nowhere";
}

}  // namespace
}  // namespace hone::lock
