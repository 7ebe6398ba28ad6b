// Replies as models really write them: each row is one habit, and what must come out of it.
#include "tool/search/prompt/reply.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tool/search/text/code_text.h"

namespace hone::search {
namespace {

using testing::HasSubstr;

const std::string kKernel =
    "void scale(const float* x, float* y, int n) {\n  for (int i = 0; i < n; ++i) y[i] = 2 * x[i];\n}\n";
const std::string kOther = "int main() {\n  return 0;\n}\n";
const std::string kParent =
    "void scale(const float* x, float* y, int n) {\n"
    "  int i = 0;\n"
    "  for (; i < n; ++i) {\n"
    "    y[i] = x[i] + x[i];\n"
    "  }\n"
    "}\n";
const std::string kEdited =
    "void scale(const float* x, float* y, int n) {\n"
    "  int i = 0;\n"
    "  for (; i < n; ++i) {\n"
    "    y[i] = 2 * x[i];\n"
    "  }\n"
    "}\n";

std::string fenced(const std::string& code, const std::string& language = "cpp") {
  return "```" + language + "\n" + code + "```\n";
}

tl::expected<Reply, Unreadable> read(const std::string& text) {
  return parse_reply(text, {"scale", {kParent}});
}

std::string with_crlf(const std::string& text) {
  std::string result;
  for (const char c : text) result += c == '\n' ? std::string("\r\n") : std::string(1, c);
  return result;
}

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) result += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : std::string(1, c);
  return result;
}

std::string json_string(const std::string& text) {
  std::string result;
  for (const char c : text) result += c == '\n' ? "\\n" : c == '\r' ? "\\r" : c == '"' ? "\\\"" : std::string(1, c);
  return result;
}

struct ReplyHabit {
  const char* what;
  std::string text;
  std::string source;
  std::string name = "";
  std::string thought = "";
};

const std::vector<ReplyHabit>& habits() {
  static const std::string k = kKernel;
  static const std::vector<ReplyHabit> all{
      {"AsAsked", "name: doubled\n" + fenced(k) + "thought: fewer loads\n", k, "doubled", "fewer loads"},
      {"CarriageReturns", with_crlf("name: doubled\n" + fenced(k) + "thought: fewer loads\n"), k, "doubled",
       "fewer loads"},
      {"Tildes", "name: doubled\n~~~cpp\n" + k + "~~~\nthought: t\n", k, "doubled", "t"},
      {"NoLanguage", fenced(k, ""), k},
      {"CPlusPlusTag", fenced(k, "c++"), k},
      {"UpperCaseTag", fenced(k, "CPP"), k},
      {"BracedTag", fenced(k, "{.cpp .numberLines}"), k},
      {"TagWithTitle", fenced(k, "cpp title=\"scale.cpp\""), k},
      {"SpaceBeforeTag", fenced(k, " cpp"), k},
      {"LongFence", "````cpp\n" + k + "````\n", k},
      {"BoldLabels", "**Name:** doubled\n\n" + fenced(k) + "\n**Thought:** fewer loads", k, "doubled", "fewer loads"},
      {"BoldLabelColonOutside", "**name**: doubled\n" + fenced(k) + "**thought**: fewer loads", k, "doubled",
       "fewer loads"},
      {"ListLabels", "- name: doubled\n" + fenced(k) + "- thought: fewer loads", k, "doubled", "fewer loads"},
      {"HeadingLabels", "## Name\ndoubled\n\n## Code\n" + fenced(k) + "## Thought\nfewer loads\n", k, "doubled",
       "fewer loads"},
      {"QuotedName", "name: \"doubled\"\n" + fenced(k), k, "doubled"},
      {"NameInBackticks", "name: `doubled`\n" + fenced(k), k, "doubled"},
      {"ThoughtFirst", "thought: fewer loads\nname: doubled\n" + fenced(k), k, "doubled", "fewer loads"},
      {"ThoughtOfTwoLines", fenced(k) + "thought: fewer\nloads\n", k, "", "fewer\nloads"},
      {"ProseAround", "Sure! Here is it:\n\n" + fenced(k) + "\nI hope this helps.", k, "", "I hope this helps."},
      {"ProseBeforeOnly", "Loads are the limit.\n\n" + fenced(k), k, "", "Loads are the limit."},
      {"TwoBlocksKernelFirst", fenced(k) + "Test it:\n" + fenced(kOther), k, "", "Test it:"},
      {"TwoBlocksKernelLast", "Like this:\n" + fenced(kOther) + "Then:\n" + fenced(k), k},
      {"OriginalQuotedFirst", "Original:\n" + fenced(kParent) + "Faster:\n" + fenced(k), k},
      {"ShellBlockBehind", fenced(k) + "```bash\ng++ -O3 a.cpp; { ls; }\n```\n", k},
      {"IncludesInTheirOwnBlock", fenced("#include <cmath>\n") + "and\n" + fenced(k), "#include <cmath>\n" + k},
      {"HelperInItsOwnBlock",
       fenced("static float twice(float v) { return 2 * v; }\n") +
           fenced(
               "void scale(const float* x, float* y, int n) {\n  for (int i = 0; i < n; ++i) y[i] = twice(x[i]);\n}\n"),
       "static float twice(float v) { return 2 * v; }\n"
       "void scale(const float* x, float* y, int n) {\n  for (int i = 0; i < n; ++i) y[i] = twice(x[i]);\n}\n"},
      {"NoFence", "name: doubled\n" + k + "thought: fewer loads\n", k},
      {"NoFenceButProse", "Here is the code that I'd use:\n\n#include <cmath>\n" + k + "It's fast.",
       "#include <cmath>\n" + k},
      {"NoFenceWithHelper", "Sure.\n\nstatic float two() {\n  return 2;\n}\n\n" + k + "\nDone.",
       "static float two() {\n  return 2;\n}\n\n" + k},
      {"NoFenceButSentencesThatBeginLikeCode",
       "static dispatch is cheaper here.\ntemplate parameters are gone:\ninline functions cost nothing!\n" + k, k},
      {"Thinking", "<think>\nMaybe:\n" + fenced(kOther) + "no\n</think>\nname: doubled\n" + fenced(k), k, "doubled"},
      {"ThinkingWithoutItsFirstTag", "let me see\n" + fenced(kOther) + "</think>\n" + fenced(k), k},
      {"ReasoningTags", "<reasoning>a { b; }</reasoning>\n" + fenced(k), k},
      {"WrappedInMarkdown", "```markdown\nname: doubled\n" + fenced(k) + "thought: fewer loads\n```\n", k, "doubled",
       "fewer loads"},
      {"WrappedInNamelessFence", "```\nname: doubled\n" + fenced(k) + "thought: fewer loads\n```\n", k, "doubled",
       "fewer loads"},
      {"ForgottenClosingFence", "name: doubled\n```cpp\n" + k, k, "doubled"},
      {"FenceOnTheLastLineOfCode", "```cpp\n" + k.substr(0, k.size() - 1) + "```\nthought: t\n", k, "", "t"},
      {"SecondFenceOpenedBeforeTheFirstClosed", "```cpp\n" + kOther + "```cpp\n" + k + "```\n", k},
      {"HtmlEntities", fenced("#include &lt;cmath&gt;\n" + escaped(k)), "#include <cmath>\n" + k},
      {"HtmlTags", "<p>Here</p><pre><code class=\"cpp\">" + escaped(k) + "</code></pre>", k},
      {"Json", "{\"name\": \"doubled\", \"code\": \"" + json_string(k) + "\", \"thought\": \"fewer loads\"}", k,
       "doubled", "fewer loads"},
      {"JsonInAFence",
       "```json\n{\"name\": \"doubled\", \"code\": \"" + json_string(k) + "\", \"thought\": \"t\"}\n```\n", k,
       "doubled", "t"},
      {"JsonWithLineEndsInStrings", "{\"code\": \"" + k + "\", \"thought\": \"t\",}", k, "", "t"},
      {"JsonWithLineEndsOfWindows",
       "{\"name\": \"doubled\", \"code\": \"" + json_string(with_crlf(k)) + "\", \"thought\": \"t\"}", k, "doubled",
       "t"},
      {"JsonHoldingAFence", "{\"answer\": \"" + json_string("name: a\n" + fenced(k)) + "\"}", k, "a"},
      {"UnifiedDiff",
       "```diff\n--- a/k.cpp\n+++ b/k.cpp\n@@ -3,3 +3,3 @@\n   for (; i < n; ++i) {\n-    y[i] = x[i] + x[i];\n+    "
       "y[i] = 2 * x[i];\n   }\n```\n",
       kEdited},
      {"DiffWithWrongLineNumbers", "```diff\n@@ -99,3 +99,3 @@\n-    y[i] = x[i] + x[i];\n+    y[i] = 2 * x[i];\n```\n",
       kEdited},
      {"DiffWithoutHunkHeader", "```diff\n--- a\n+++ b\n-    y[i] = x[i] + x[i];\n+    y[i] = 2 * x[i];\n```\n",
       kEdited},
      {"DiffWithOtherIndentation", "```diff\n@@ @@\n-y[i] = x[i] + x[i];\n+    y[i] = 2 * x[i];\n```\n", kEdited},
      {"SearchReplace", "<<<<<<< SEARCH\n    y[i] = x[i] + x[i];\n=======\n    y[i] = 2 * x[i];\n>>>>>>> REPLACE\n",
       kEdited},
      {"SearchReplaceInAFence",
       fenced("<<<<<<< SEARCH\n    y[i] = x[i] + x[i];\n=======\n    y[i] = 2 * x[i];\n>>>>>>> REPLACE\n"), kEdited},
      {"ParentQuotedThenDiff",
       fenced(kParent) + "```diff\n@@ @@\n-    y[i] = x[i] + x[i];\n+    y[i] = 2 * x[i];\n```\n", kEdited},
      {"OriginalQuotedLast", "Better:\n" + fenced(k) + "\nin place of the original:\n" + fenced(kParent), k},
      {"AnnotationEchoed", fenced("#pragma hone kernel in(x[0:n]) \\\n  out(y[0:n])\n" + k), k},
      {"ByteOrderMarkAndNoBreakSpaces", "\xef\xbb\xbf" + fenced("void scale(const\xc2\xa0" + k.substr(17)), k},
      {"BackticksInAComment", "````cpp\n// ```\n" + k + "````\n", "// ```\n" + k},
      {"QuotedBlock",
       "> name: doubled\n> ```cpp\n> " + k.substr(0, k.find('\n') + 1) + "> " + k.substr(k.find('\n') + 1) + "> ```\n",
       k, "doubled"},
      {"IndentedFence", "1. The code:\n   ```cpp\n" + k + "   ```\n", k},
  };
  return all;
}

class ReplyFormat : public testing::TestWithParam<std::size_t> {};

TEST_P(ReplyFormat, IsParsed) {
  const ReplyHabit& habit = habits()[GetParam()];
  const auto reply = read(habit.text);
  ASSERT_TRUE(reply) << habit.what << ": " << reply.error().why;
  EXPECT_EQ(reply->source, habit.source) << habit.what;
  if (!habit.name.empty()) {
    EXPECT_EQ(reply->name, habit.name) << habit.what;
  }
  if (!habit.thought.empty()) {
    EXPECT_EQ(reply->thought, habit.thought) << habit.what;
  }
}

INSTANTIATE_TEST_SUITE_P(Reply, ReplyFormat, testing::Range(std::size_t{0}, habits().size()),
                         [](const auto& info) { return habits()[info.param].what; });

struct Refusal {
  const char* what;
  std::string text;
  const char* why;
};

const std::vector<Refusal>& refusals() {
  static const std::vector<Refusal> all{
      {"Nothing", "", "the reply is empty"},
      {"Blanks", " \r\n \n", "the reply is empty"},
      {"Prose", "I cannot make this any faster, sorry.", "there is no code in the reply"},
      {"ProseThatNamesTheKernel", "Call scale(x, y, n) { fast } and it's done; really.", "no complete definition"},
      {"ThinkingWithoutAnEnd", "<think>\nfirst I unroll\n" + fenced(kKernel), "ended before the thinking did"},
      {"CutOffInTheCode", "name: a\n```cpp\nvoid scale(const float* x, float* y, int n) {\n  for (int i",
       "ended in the middle of the code"},
      {"CutOffBehindAnExample", fenced(kOther) + "```cpp\nvoid scale(const float* x) {\n",
       "ended in the middle of the code"},
      {"DiffToSomethingElse", "```diff\n@@ @@\n-    z[i] = 0;\n+    z[i] = 1;\n```\n",
       "'z[i] = 0;', is not in the parent"},
      {"SearchForNothing", "<<<<<<< SEARCH\n=======\nint a;\n>>>>>>> REPLACE\n", "quotes no line"},
      {"PlanInATextBlock", "```text\nUnroll { twice }; then tile;\n```\n", "no block of code defines 'scale'"},
      {"ShellOnly", "```bash\nmake && ./run\n```\n", "no block of code defines 'scale'"},
  };
  return all;
}

class UnreadableReply : public testing::TestWithParam<std::size_t> {};

TEST_P(UnreadableReply, IsRejectedWithReason) {
  const Refusal& refusal = refusals()[GetParam()];
  const auto reply = read(refusal.text);
  ASSERT_FALSE(reply) << refusal.what << " was read as:\n" << reply->source;
  EXPECT_THAT(reply.error().why, HasSubstr(refusal.why)) << refusal.what;
}

INSTANTIATE_TEST_SUITE_P(Reply, UnreadableReply, testing::Range(std::size_t{0}, refusals().size()),
                         [](const auto& info) { return refusals()[info.param].what; });

TEST(Reply, PutsIncludesOfJoinedBlocksFirst) {
  const auto reply = read(fenced("#include <cmath>\nstatic float twice(float v) { return 2 * v; }\n") +
                          fenced("#include <cmath>\n#include <vector>\n"
                                 "void scale(const float* x, float* y, int n) {\n  y[0] = twice(x[0]);\n}\n"));
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->source,
            "#include <cmath>\n#include <vector>\nstatic float twice(float v) { return 2 * v; }\n"
            "void scale(const float* x, float* y, int n) {\n  y[0] = twice(x[0]);\n}\n");
}

TEST(Reply, ReadsPredictedGain) {
  const auto reply = read("name: a\npredicted: about 2.5x\n" + fenced(kKernel));
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->predicted_gain, 2.5);
}

TEST(Reply, SubmitsCodeWithoutKernelForGateToReject) {
  const auto reply = read(fenced(kOther));
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->source, kOther);
  EXPECT_THAT(reply->note, HasSubstr("no block defines 'scale'"));
}

TEST(Reply, ReplacesBytesThatAreNotUtf8) {
  const auto reply = read("name: a\xff\n" + fenced("// \xc3\x28\n" + kKernel) + "thought: \xe2\x82\n");
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->name, "a?");
  EXPECT_THAT(reply->source, HasSubstr("// ?("));
  EXPECT_EQ(reply->thought, "??");
}

TEST(Reply, CutsLongNameAndThought) {
  const auto reply =
      read("name: " + std::string(500, 'n') + "\n" + fenced(kKernel) + "thought: " + std::string(5000, 't'));
  ASSERT_TRUE(reply);
  EXPECT_LE(reply->name.size(), 70u);
  EXPECT_LE(reply->thought.size(), 1510u);
}

// Cheap to send, so they must be cheap to read.
TEST(Reply, HandlesDeepNestingAndRepetition) {
  for (const char* piece :
       {"(", "{", "namespace a {", "```\n", "```cpp\n", "~~~\n````\n", "{\"a\":", "[", "<think>", "&lt;", "/*", "R\"(",
        "<<<<<<< SEARCH\n", "=======\n", "scale(", "scale() {", "thought:\n", "```cpp\nint f() { g(); }\n```\n"}) {
    std::string text;
    while (text.size() < 200000) text += piece;
    const auto reply = read(text);
    EXPECT_TRUE(reply || !reply.error().why.empty());
  }
}

TEST(Reply, HandlesEveryTruncatedReply) {
  for (const ReplyHabit& habit : habits())
    for (std::size_t length = 0; length < habit.text.size(); length += 3) read(habit.text.substr(0, length));
}

TEST(Reply, ReadsTemplateSpecialization) {
  const std::string code =
      "template <> void scale<float, std::pair<int, int>>(const float* x, float* y, int n) {\n  y[0] = 2 * x[0];\n}\n";
  const auto reply =
      parse_reply(fenced("static int helper() { return 1; }\n" + code) + fenced("int other() { return 2; }\n"),
                  {"scale<float, std::pair<int, int> >", {}});
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->source, "static int helper() { return 1; }\n" + code);
  EXPECT_EQ(reply->note, "");
}

TEST(CodeText, FindsOnlyRealFunctionDefinitions) {
  const CodeText code(
      "#define scale(x) {\n"
      "// void scale() {}\n"
      "struct S { void scale() {} };\n"
      "const char* text = \"void scale() {\";\n"
      "template <class T> __attribute__((target(\"avx2\"))) static inline T twice(T v) noexcept { return v + v; }\n"
      "namespace a { extern \"C\" void\nscale(const float* x, int n) { if (n) scale(x, 0); } }\n");
  std::vector<std::string_view> names;
  for (const auto& definition : code.definitions()) names.push_back(code.spelling(definition.name));
  EXPECT_THAT(names, testing::ElementsAre("twice", "scale"));
  EXPECT_TRUE(code.balanced());
}

TEST(CodeText, KeepsLiteralsWhole) {
  const CodeText code("a = R\"x(}\")x\" + '{' + \"\\\"{\" + 1'000 + 0x1p-3 + u8\"{\" ;");
  EXPECT_TRUE(code.balanced());
  EXPECT_EQ(code.tokens().size(), 14u);
}

}  // namespace
}  // namespace hone::search
