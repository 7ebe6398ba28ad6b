#include "tool/command/library_words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hone {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(LibraryWords, AreFoldersNamesAndSharedObjects) {
  EXPECT_THAT(library_words({"gcc", "-O2", "a.o", "-L/opt/lib", "-L", "there", "-lgsl", "-l", "z", "/usr/lib/libm.so.6",
                             "libown.a", "-Wl,-rpath,/opt/lib", "-pthread", "-o", "libmade.so"}),
              ElementsAre("-L/opt/lib", "-Lthere", "-lgsl", "-lz", "/usr/lib/libm.so.6"));
}

TEST(LibraryWords, OfCommandThatDoesNotLinkAreNone) {
  EXPECT_THAT(library_words({"gcc", "-c", "a.c", "-lgsl"}), IsEmpty());
  EXPECT_THAT(library_words({"gcc", "-MM", "a.c", "-lgsl"}), IsEmpty());
  EXPECT_THAT(library_words({"gcc", "a.c", "-l"}), IsEmpty());
}

TEST(LibraryWords, KnowSharedObjectsByTheirNames) {
  EXPECT_TRUE(is_shared_object("libz.so"));
  EXPECT_TRUE(is_shared_object("/usr/lib/libz.so.1.2"));
  EXPECT_FALSE(is_shared_object("main.source"));
  EXPECT_FALSE(is_shared_object("folder.so/main.o"));
}

}  // namespace
}  // namespace hone
