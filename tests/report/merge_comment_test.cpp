// Comments are read as GitHub reads them: by cmark-gfm, its own parser.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include <nlohmann/json.hpp>

#include "tool/os/files/files.h"
#include "tool/os/process/process_runner.h"
#include "tool/report/markdown_text.h"
#include "tool/report/merge_comment.h"

namespace hone::report {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

unsigned count(const std::string& text, const std::string& part) {
  unsigned found = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size()) ++found;
  return found;
}

// HTML is let through, so that what stands in the comment as HTML shows.
std::string rendered(const std::string& markdown) {
  os::Process process;
  process.arguments = {"cmark-gfm", "--unsafe", "-e", "table", "-e", "autolink", "-e", "strikethrough"};
  process.input = markdown;
  os::PosixProcessRunner runner;
  const auto exit = runner.run(process);
  return exit && exit->ok() ? exit->out : "";
}

// The text between tags, as a reader sees it.
std::string seen(const std::string& html) {
  std::string text;
  bool in_tag = false;
  for (const char c : html) {
    if (c == '<') in_tag = true;
    if (!in_tag) text += c;
    if (c == '>') in_tag = false;
  }
  for (const auto& [entity, character] :
       {std::pair("&lt;", "<"), std::pair("&gt;", ">"), std::pair("&quot;", "\""), std::pair("&amp;", "&")})
    for (std::size_t at = 0; (at = text.find(entity, at)) != std::string::npos; ++at)
      text.replace(at, std::string(entity).size(), character);
  return text;
}

CommentKernel kernel(const std::string& name) {
  CommentKernel kernel;
  kernel.name = name;
  kernel.file = "src/" + name + ".cpp";
  kernel.line = 12;
  kernel.outcome = "new";
  kernel.after = CommentEntry{std::string(64, 'a'), {3.12, 3.08, 3.17}, {}};
  kernel.machine = "AMD EPYC 9V74";
  kernel.evidence = "cpu: g++ 12.2, 428 pairs";
  kernel.tried = {{"sizes", "n 0 to 4099; 412 cases"}};
  kernel.problems = {{"w=64", {3, 2.9, 3.1}, 2e-3, 1e-3, 40}};
  kernel.code = "--- original\n+++ variant\n@@ -1 +1 @@\n-slow\n+fast\n";
  return kernel;
}

MergeComment comment_of(std::vector<CommentKernel> kernels) {
  MergeComment comment;
  comment.since = "main";
  comment.locks = {{"hone.lock", "", std::move(kernels), 3}};
  comment.reproduce = {"hone verify -p build blur"};
  return comment;
}

class Comment : public testing::Test {
 protected:
  void SetUp() override {
    if (rendered("a").empty()) GTEST_SKIP() << "cmark-gfm is not here";
  }
};

TEST_F(Comment, ShowsTableFiguresCodeAndHowToReproduce) {
  CommentKernel replaced = kernel("blur");
  replaced.outcome = "replaced";
  replaced.before = CommentEntry{std::string(64, 'b'), {2, 1.9, 2.1}, {}};
  const std::string text = comment_markdown(comment_of({replaced}));
  EXPECT_TRUE(text.starts_with(std::string(comment_mark) + "\n### Hone: 1 replaced, 3 unchanged\n")) << text;
  const std::string html = rendered(text);
  EXPECT_EQ(count(html, "<tr>"), 2u + 2u) << html;
  for (const char* shown :
       {"<code>blur</code>", "<code>src/blur.cpp:12</code>", "2.00x [1.90, 2.10]</td>", "3.12x [3.08, 3.17]</td>",
        "<code>AMD EPYC 9V74</code>", "<td>replaced</td>", "2 ms", "-slow\n+fast", "n 0 to 4099; 412 cases",
        "hone verify -p build blur", "Geometric mean of 1 variant: 3.12x"})
    EXPECT_THAT(html, HasSubstr(shown));
  EXPECT_EQ(count(html, "<details>"), 2u);
}

TEST_F(Comment, SaysOriginalKeptWhereNothingWasFound) {
  CommentKernel kept = kernel("copy");
  kept.after = CommentEntry{};
  kept.before.reset();
  EXPECT_THAT(rendered(comment_markdown(comment_of({kept}))), HasSubstr("original kept"));
}

TEST_F(Comment, SaysThatNothingChanged) {
  EXPECT_THAT(comment_markdown(comment_of({})), HasSubstr("### Hone: 3 unchanged"));
}

TEST_F(Comment, KeepsHostileTextText) {
  const std::string evil =
      "a|b\\|c `` ``` </details></code></td> <script>alert(1)</script> <!-- @someone #1 http://evil.example "
      "[x](javascript:y) ![i](http://evil.example/p.png) **bold** &lt; www.evil.example \x1b[31m";
  CommentKernel hostile = kernel("blur");
  hostile.name = hostile.file = hostile.machine = hostile.evidence = evil;
  hostile.tried = {{evil, evil + "\n```\n</details>\n"}};
  hostile.problems[0].label = evil;
  hostile.machines = {{evil, "slower", Speedup{}}};
  hostile.code = "+````````\n+</details>\n```\n~~~\n<script>alert(1)</script>\n+" + evil + "\n";
  hostile.about_code = "There is no code to show: " + code_span(evil) + ".";
  MergeComment comment = comment_of({hostile, kernel("after")});
  comment.since = evil;
  comment.locks[0].path = evil;
  comment.reproduce = {"hone verify '" + evil + "'", "```", "</details>"};
  const std::string html = rendered(comment_markdown(comment));
  EXPECT_EQ(count(html, "<details>"), 3u) << html;
  EXPECT_EQ(count(html, "</details>"), 3u);
  EXPECT_EQ(count(html, "<tr>"), 3u + 2u + 2u + 2u);
  EXPECT_EQ(count(html, "<pre>"), 5u);
  for (const char* tag : {"<script", "<a ", "<img", "<strong", "<del"}) EXPECT_THAT(html, Not(HasSubstr(tag)));
  EXPECT_EQ(count(html, "<!--"), 1u) << "the mark alone";
  EXPECT_THAT(seen(html), HasSubstr("a|b\\|c `` ``` </details></code></td> <script>alert(1)</script>"));
  EXPECT_THAT(html, HasSubstr("<code>after</code>"));
}

TEST_F(Comment, KeepsEveryCodeSpanAsItIs) {
  for (const std::string name : {"`", "``a``", "a`", "`a", " a ", "operator||", "a\\", "\\", "x|y", "*a*", "", " "}) {
    const std::string html = rendered("| a | b |\n| - | - |\n| " + code_span(name) + " | end |\n");
    EXPECT_EQ(count(html, "<td>"), 2u) << name << html;
    const std::size_t begin = html.find("<code>"), end = html.find("</code>");
    ASSERT_NE(begin, std::string::npos) << name;
    EXPECT_EQ(html.substr(begin + 6, end - begin - 6), name) << html;
  }
}

TEST_F(Comment, IsNeverLongerThanWhatGitHubTakes) {
  CommentKernel large = kernel("large");
  for (int line = 0; line < 20'000; ++line) large.code += "+ a line of code, number " + std::to_string(line) + "\n";
  const std::string one = comment_markdown(comment_of({large, kernel("small")}));
  EXPECT_LE(one.size(), longest_comment);
  EXPECT_GT(one.size(), longest_comment * 9 / 10) << "the room is used";
  EXPECT_THAT(one, HasSubstr("The rest is cut: `hone show large` shows it."));
  EXPECT_EQ(count(rendered(one), "<details>"), 3u) << "the small one is whole";
  EXPECT_THAT(one, HasSubstr("+fast"));

  std::vector<CommentKernel> many;
  for (int at = 0; at < 3'000; ++at) many.push_back(kernel("kernel_number_" + std::to_string(at)));
  const std::string all = comment_markdown(comment_of(std::move(many)));
  EXPECT_LE(all.size(), longest_comment);
  EXPECT_THAT(all, HasSubstr("more rows: `hone report --markdown --json` has them all."));
  EXPECT_THAT(all, HasSubstr("more kernels: `hone show KERNEL` shows each."));
  const std::string html = rendered(all);
  EXPECT_EQ(count(html, "<details>"), count(html, "</details>"));
  EXPECT_THAT(html, HasSubstr("How to reproduce"));
}

TEST_F(Comment, CutsCodeOfOneLongLineWhole) {
  CommentKernel large = kernel("large");
  large.code = "+" + std::string(100'000, 'x') + "\n";
  const std::string text = comment_markdown(comment_of({large}));
  EXPECT_LE(text.size(), longest_comment);
  EXPECT_THAT(text, HasSubstr("The rest is cut"));
}

TEST(CommentJson, HasAllThatTheTableHas) {
  const json text = json::parse(comment_json(comment_of({kernel("blur")})));
  EXPECT_EQ(text["since"], "main");
  EXPECT_EQ(text["locks"][0]["unchanged"], 3);
  const json& one = text["locks"][0]["kernels"][0];
  EXPECT_EQ(one["before"], nullptr);
  EXPECT_EQ(one["after"]["speedup"]["median"], 3.12);
  EXPECT_EQ(one["diff"], kernel("blur").code);
}

}  // namespace
}  // namespace hone::report
