// The table of diagnostics: whole, said somewhere, and what the page says. tests/frontend/find/explained_test.cpp
// compiles its examples.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "tool/diagnostics/coded_failure.h"
#include "tool/diagnostics/explanation.h"

namespace hone {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

std::string read(const fs::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<Explanation> all() {
  std::vector<Explanation> rows;
  for (const ExplanationGroup& group : explanation_groups())
    rows.insert(rows.end(), group.rows.begin(), group.rows.end());
  return rows;
}

// The sources that complain, as one text.
std::string sources() {
  std::string text;
  for (const char* folder : {"tool", "annotations", "cache"})
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(HONE_SOURCE_DIR) / folder)) {
      const fs::path& path = entry.path();
      if (path.parent_path().filename() != "diagnostics" && (path.extension() == ".cpp" || path.extension() == ".h"))
        text += read(path);
    }
  return text;
}

TEST(Explanations, HaveEachCodeOnceInTheirOrder) {
  const std::vector<Explanation> rows = all();
  ASSERT_EQ(rows.size(), static_cast<std::size_t>(DiagnosticCode::count) - 1);
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(static_cast<std::size_t>(rows[i].code), i + 1) << rows[i].name;
    EXPECT_TRUE(names.insert(rows[i].name).second) << rows[i].name;
  }
}

TEST(Explanations, SayWhatCodeMeansAndHowItIsMended) {
  for (const Explanation& one : all()) {
    EXPECT_EQ(one.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz-"), one.name.npos) << one.name;
    EXPECT_FALSE(one.title.empty() || one.title.ends_with('.') || one.title.find('\n') != one.title.npos) << one.name;
    EXPECT_TRUE(one.meaning.ends_with('.')) << one.name;
    EXPECT_EQ(one.wrong.empty(), one.right.empty()) << one.name;
    EXPECT_EQ(one.wrong.empty(), one.language == ExampleLanguage::none) << one.name;
  }
}

// The other direction the compiler sees to: what is said is an enumerator.
TEST(Explanations, AreOfCodesThatAreSaid) {
  const std::string text = sources();
  for (const Explanation& one : all()) {
    std::string enumerator = "Code::" + std::string(one.name);
    std::ranges::replace(enumerator, '-', '_');
    bool said = false;
    for (std::size_t at = text.find(enumerator); at != text.npos && !said; at = text.find(enumerator, at + 1)) {
      const char behind = text[at + enumerator.size()];
      said = !std::isalnum(static_cast<unsigned char>(behind)) && behind != '_';
    }
    EXPECT_TRUE(said) << one.name << " is explained, and nothing says it";
  }
}

// What a source says by `call` and gives no code. What begins with "it" or "its" is a part of another sentence, and
// whoever stopped a judgment knows it.
std::vector<std::string> without_code(const fs::path& source, std::string_view call) {
  const std::string text = read(source);
  std::vector<std::string> found;
  for (std::size_t at = text.find(call); at != text.npos; at = text.find(call, at + 1)) {
    if (at > 0 && (text[at - 1] == '_' || std::isalnum(static_cast<unsigned char>(text[at - 1])))) continue;
    const std::size_t sentence = text.find_first_not_of(" \n", at + call.size());
    const std::string_view begin = std::string_view(text).substr(sentence, 40);
    if (begin.starts_with("\"it ") || begin.starts_with("\"its ") || begin.starts_with("\"the judgment was stopped"))
      continue;
    found.push_back(source.filename().string() + ": " + std::string(begin));
  }
  return found;
}

std::vector<std::string> failures_without_code(const std::vector<std::string>& folders) {
  std::vector<std::string> found;
  for (const std::string& folder : folders)
    for (const auto& entry : fs::directory_iterator(fs::path(HONE_SOURCE_DIR) / folder))
      if (entry.path().extension() == ".cpp")
        for (std::string& one : without_code(entry.path(), "failure(")) found.push_back(std::move(one));
  return found;
}

TEST(Explanations, StandBehindErrorsOfExecutorsStoresKeysAndModels) {
  EXPECT_THAT(failures_without_code(
                  {"tool/executor", "tool/trust", "tool/shared", "tool/llm", "tool/llm/settings", "tool/cli/cache"}),
              testing::IsEmpty())
      << "say coded_failure(DiagnosticCode::…, …)";
}

TEST(Explanations, StandBehindErrorsOfInitSuggestCaptureAndReport) {
  EXPECT_THAT(failures_without_code(
                  {"tool/init", "tool/suggest", "tool/capture", "tool/page", "tool/page/content", "tool/page/server"}),
              testing::IsEmpty())
      << "say coded_failure(DiagnosticCode::…, …)";
  for (const char* source : {"project/file_then.cpp", "project/settings.cpp"})
    EXPECT_THAT(without_code(HONE_SOURCE_DIR "/tool/" + std::string(source), "failure("), testing::IsEmpty());
  for (const char* command : {"init", "suggest", "capture", "report"})
    for (const char* begin : {"complain(\"", "complain(fmt::format"})
      EXPECT_THAT(without_code(HONE_SOURCE_DIR "/tool/cli/" + std::string(command) + "_command.cpp", begin),
                  testing::IsEmpty())
          << "say complain(with_code(…), …)";
}

TEST(Explanations, AreThePageInDocs) {
  EXPECT_EQ(read(HONE_SOURCE_DIR "/docs/diagnostics.md"), explanations_page())
      << "make it again: hone explain --page > docs/diagnostics.md";
}

TEST(Explanations, ShowOneOnTheTerminal) {
  const std::string text = explained(*explanation(DiagnosticCode::extent_missing));
  EXPECT_THAT(text, testing::StartsWith("hone-extent-missing: How much a pointer points to is not said\n\n"));
  EXPECT_THAT(text, HasSubstr("\nWrong:\n\n    #pragma hone kernel problem(n=64)\n"));
  EXPECT_THAT(text, HasSubstr("\nRight:\n\n    #pragma hone kernel in(x[0:n]) problem(n=64)\n"));
  EXPECT_EQ(text.find('`'), text.npos);
}

TEST(DiagnosticCodes, AreFoundAsMessagesShowThem) {
  for (const char* name : {"extent-missing", "hone-extent-missing", "[hone-extent-missing]"})
    EXPECT_EQ(code_called(name), DiagnosticCode::extent_missing) << name;
  for (const char* name : {"", "hone-", "[", "extent_missing", "none", "count"})
    EXPECT_EQ(code_called(name), DiagnosticCode::none) << name;
}

TEST(DiagnosticCodes, EndFirstLineOfMessage) {
  EXPECT_EQ(with_code("a: error: b", DiagnosticCode::side_effect), "a: error: b [hone-side-effect]");
  EXPECT_EQ(with_code("a\nline\n  ^\n", DiagnosticCode::side_effect), "a [hone-side-effect]\nline\n  ^\n");
  EXPECT_EQ(with_code("a", DiagnosticCode::none), "a");
}

TEST(DiagnosticCodes, EndErrorsWithAdviceAndWithout) {
  EXPECT_EQ(coded_failure(DiagnosticCode::no_lock, "what", "where", "advice").value().message(),
            "where: what; advice [hone-no-lock]");
  EXPECT_EQ(coded_failure(DiagnosticCode::no_lock, "what").value().message(), "what [hone-no-lock]");
}

TEST(DiagnosticCodes, AreTakenOffWhereTheSentenceGoesOn) {
  std::string message = "what; advice [hone-no-lock]", other = "an array [hone-here]";
  EXPECT_EQ(take_code(message), DiagnosticCode::no_lock);
  EXPECT_EQ(message, "what; advice");
  EXPECT_EQ(take_code(message), DiagnosticCode::none);
  EXPECT_EQ(take_code(other), DiagnosticCode::none);
  EXPECT_EQ(other, "an array [hone-here]");
}

}  // namespace
}  // namespace hone
