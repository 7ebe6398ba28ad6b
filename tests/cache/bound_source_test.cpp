#include "cache/bound_source.h"

#include <gtest/gtest.h>

namespace hone::cache {
namespace {

TEST(BoundSource, RoundTripsSourceAndKey) {
  for (const char* source :
       {"", "void f() {}", "void f() {}\n", "\n\n", "// hone: a variant for the request key x\n"}) {
    const BoundSource read = read_bound(bound_blob(source, sha256("key")));
    EXPECT_EQ(read.source, source);
    EXPECT_EQ(read.key, sha256("key"));
  }
}

TEST(BoundSource, ReadsUnboundBlobWithoutKey) {
  for (const std::string& blob : {std::string("void f() {}\n"), std::string(), "// " + sha256("key") + "\n",
                                  bound_blob("", "no digest"), bound_blob("", sha256("key")) + " "}) {
    const BoundSource read = read_bound(blob);
    EXPECT_EQ(read.source, blob);
    EXPECT_EQ(read.key, "");
  }
}

TEST(BoundSource, GivesDifferentBlobsForDifferentKeys) {
  EXPECT_NE(bound_blob("void f() {}", sha256("a")), bound_blob("void f() {}", sha256("b")));
}

}  // namespace
}  // namespace hone::cache
