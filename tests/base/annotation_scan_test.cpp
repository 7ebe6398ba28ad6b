#include "tool/base/annotation_scan.h"

#include <gtest/gtest.h>

#include <string>

namespace hone {
namespace {

TEST(AnnotationScan, FindsPragmaInAnyLayout) {
  EXPECT_TRUE(mentions_hone("#pragma hone kernel in(x[0:n])\nvoid f();\n"));
  EXPECT_TRUE(mentions_hone("  #  pragma /* c */ hone\tkernel\n"));
  EXPECT_TRUE(mentions_hone("#pragma \\\n  hone kernel"));
  EXPECT_TRUE(mentions_hone("_Pragma(\"hone kernel\") void f();"));
  EXPECT_TRUE(mentions_hone("ANNOTATE(hone kernel)"));
}

TEST(AnnotationScan, FindsWordCutByLineSplice) {
  EXPECT_TRUE(mentions_hone("#pragma ho\\\nne kernel"));
  EXPECT_TRUE(mentions_hone("#pragma h\\\r\none kernel"));
  EXPECT_TRUE(mentions_hone("#pragma hon\\  \ne kernel"));
  EXPECT_TRUE(mentions_hone("#prag\\\nma hone kernel"));
  EXPECT_FALSE(mentions_hone("int hone\\\nst;"));
}

TEST(AnnotationScan, IgnoresSimilarWords) {
  EXPECT_FALSE(mentions_hone(""));
  EXPECT_FALSE(mentions_hone("#include <vector>\nint main() { return 0; }\n"));
  EXPECT_FALSE(mentions_hone("int phone, honey, hone_it, xhone, hone2; // telephone"));
  EXPECT_FALSE(mentions_hone("h ho hon Hone HONE"));
}

TEST(AnnotationScan, FindsWordAtEndsOfText) {
  EXPECT_TRUE(mentions_hone("hone"));
  EXPECT_TRUE(mentions_hone(std::string(100000, 'h') + " hone"));
  EXPECT_FALSE(mentions_hone("hon"));
  EXPECT_FALSE(mentions_hone("h\\"));
}

}  // namespace
}  // namespace hone
