#include "tool/bundle/service.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tool/bundle/answer.h"

namespace hone::bundle {
namespace {

using testing::HasSubstr;

TEST(Hello, ComesThroughAsOneLine) {
  const Hello hello{"AMD EPYC (features 01020304)", {"NVIDIA H200 (sm_90)"}, "12", "node7"};
  const std::string text = write_hello(hello);
  ASSERT_EQ(text.find('\n'), text.size() - 1);
  const auto read = read_hello(text.substr(0, text.size() - 1));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->kind(false), "AMD EPYC (features 01020304)");
  EXPECT_EQ(read->kind(true), "NVIDIA H200 (sm_90)");
  EXPECT_EQ(read->job + read->node, "12node7");
}

TEST(Hello, IsNotWhatOthersSay) {
  for (const char* text : {"", "Welcome!", "{}", "{\"hone-worker\":2}", "{\"hone-worker\":1}", "[[[[",
                           "{\"hone-worker\":1,\"processor\":7,\"devices\":[],\"job\":\"\",\"node\":\"\"}"})
    EXPECT_FALSE(read_hello(text)) << text;
}

TEST(Frame, NamesItsBundle) {
  const std::string bundle = "some\nbytes";
  const std::string line = frame_header(bundle);
  const auto header = read_frame_header(std::string_view(line).substr(0, line.size() - 1));
  ASSERT_TRUE(header) << header.error().message();
  EXPECT_EQ(header->bytes, bundle.size());
  EXPECT_EQ(header->fingerprint, fingerprint(bundle));
}

TEST(Frame, IsRefusedWhereItIsNone) {
  for (const char* line : {"", "bundle", "bundle ", "bundle -1 0123456789abcdef", "bundle 5", "bundle 5 0123",
                           "bundle 5  0123456789abcde", "GET / HTTP/1.1"})
    EXPECT_FALSE(read_frame_header(line)) << line;
  EXPECT_THAT(read_frame_header("bundle 99999999999999 0123456789abcdef").error().message(), HasSubstr("larger than"));
}

TEST(Refusal, IsReadOfItsBundleOnly) {
  const std::string line = write_refusal("0123456789abcdef", "no device");
  EXPECT_EQ(read_refusal(line, "0123456789abcdef"), "no device");
  EXPECT_FALSE(read_refusal(line, "1123456789abcdef"));
  EXPECT_FALSE(read_refusal("{\"bundle\":\"0123456789abcdef\",\"verdict\":{}}", "0123456789abcdef"));
}

}  // namespace
}  // namespace hone::bundle
