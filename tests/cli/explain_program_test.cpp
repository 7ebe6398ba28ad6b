// `hone explain`, and what the build makes of the commands' own description: man pages and completions.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <set>
#include <sstream>

#include <nlohmann/json.hpp>

#include "run_program.h"
#include "tool/diagnostics/explanation.h"
#include "tool/os/files/files.h"
#include "tool/os/process/process_runner.h"

namespace hone {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;

class Explain : public testing::Test {
 protected:
  Ended hone(const std::vector<std::string>& arguments) const { return run(folder_.path(), arguments); }

  std::string read(const fs::path& file) const {
    std::ifstream in(folder_.path() / file);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  // nullopt: there is no such program.
  static std::optional<os::Exit> exit_of(std::vector<std::string> words) {
    os::PosixProcessRunner runner;
    os::Process process;
    process.arguments = std::move(words);
    const auto exit = runner.run(process);
    return exit && exit->code != 127 ? std::optional(*exit) : std::nullopt;
  }

  const os::TemporaryFolder folder_ = os::TemporaryFolder::create("hone-explain").value();
};

TEST_F(Explain, SaysWhatCodeMeansHoweverItIsPasted) {
  for (const char* code : {"extent-missing", "hone-extent-missing", "[hone-extent-missing]"}) {
    const Ended ended = hone({"explain", code});
    EXPECT_EQ(ended.code, 0) << code;
    EXPECT_EQ(ended.out, explained(*explanation(DiagnosticCode::extent_missing)));
  }
}

TEST_F(Explain, NamesNearestCodeOfOneThatIsNone) {
  const Ended ended = hone({"explain", "hone-extent-mising"});
  EXPECT_EQ(ended.code, 1);
  EXPECT_EQ(ended.out, "");
  EXPECT_EQ(ended.err, "hone: there is no diagnostic 'hone-extent-mising'; did you mean 'extent-missing'?\n");
  EXPECT_THAT(hone({"explain", "\x1b[31m??"}).err, HasSubstr("hone explain lists all"));
}

TEST_F(Explain, ListsAllCodesByGroup) {
  const std::string list = hone({"explain"}).out;
  for (const ExplanationGroup& group : explanation_groups()) {
    EXPECT_THAT(list, HasSubstr(std::string(group.title) + "\n"));
    for (const Explanation& one : group.rows) EXPECT_THAT(list, HasSubstr("\n  " + std::string(one.name) + "  "));
  }
}

TEST_F(Explain, GivesTheSameAsJson) {
  const json one = json::parse(hone({"explain", "side-effect", "--json"}).out);
  EXPECT_EQ(one["code"], "side-effect");
  EXPECT_EQ(one["wrong"], explanation(DiagnosticCode::side_effect)->wrong);
  const json all = json::parse(hone({"explain", "--json"}).out);
  EXPECT_EQ(all["codes"].size(), static_cast<std::size_t>(DiagnosticCode::count) - 1);
  EXPECT_EQ(hone({"explain", "--page"}).out, explanations_page());
}

// The commands that `hone --help` lists.
std::set<std::string> listed_commands(const std::string& help) {
  std::set<std::string> names;
  std::istringstream lines(help);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("  ") && !line.starts_with("  hone ")) names.insert(line.substr(2, line.find(' ', 2) - 2));
  return names;
}

TEST_F(Explain, WritesManPageOfEachCommandThatManTakesWithoutWarning) {
  ASSERT_EQ(hone({"--write-manual", "share"}).code, 0);
  std::set<std::string> pages;
  for (const auto& entry : fs::directory_iterator(folder_.path() / "share/man/man1")) {
    pages.insert(entry.path().stem());
    if (const auto lint = exit_of({"mandoc", "-T", "lint", "-W", "error", entry.path()}))
      EXPECT_EQ(lint->out + lint->err, "");
    if (const auto groff = exit_of({"groff", "-man", "-Tutf8", "-Kutf8", "-ww", "-z", entry.path()}))
      EXPECT_EQ(groff->out + groff->err, "");
  }
  std::set<std::string> wanted{"hone"};
  for (const std::string& name : listed_commands(hone({"--help"}).out)) wanted.insert("hone-" + name);
  EXPECT_GT(wanted.size(), 12u);
  EXPECT_EQ(pages, wanted);
  EXPECT_THAT(read("share/man/man1/hone-tune.1"), HasSubstr("\\fB\\-\\-trials\\fR"));
  EXPECT_THAT(read("share/man/man1/hone-cache.1"), HasSubstr(".SS hone cache prune"));
}

// Every option that `--help` prints is in the command's page.
TEST_F(Explain, WritesNoPageThatLacksAnOption) {
  ASSERT_EQ(hone({"--write-manual", "share"}).code, 0);
  for (const char* command : {"cc", "tune", "show", "export", "lock"}) {
    std::string page = read(fs::path("share/man/man1") / (std::string("hone-") + command + ".1"));
    std::erase(page, '\\');
    std::istringstream help(hone({command, "--help"}).out);
    for (std::string word; help >> word;)
      if (word.starts_with("--") && word.size() > 2 && std::isalpha(static_cast<unsigned char>(word[2]))) {
        word = word.substr(0, word.find_first_of(",:;.)[]{ "));
        EXPECT_THAT(page, HasSubstr(word)) << command;
      }
  }
}

TEST_F(Explain, WritesCompletionThatBashUses) {
  ASSERT_EQ(hone({"--write-manual", "share"}).code, 0);
  const auto offered = [&](const std::string& line) {
    const std::string script = ". " + (folder_.path() / "share/bash-completion/completions/hone.bash").string() +
                               "; COMP_LINE='" + line + "' COMP_POINT=" + std::to_string(line.size()) +
                               "; _hone; printf '%s\\n' \"${COMPREPLY[@]}\"";
    return exit_of({"bash", "-c", script})->out;
  };
  const std::string launcher = HONE_LAUNCHER;
  EXPECT_EQ(offered("hone ex"), "export\nexplain\n");
  EXPECT_EQ(offered("hone tune --resu"), "--resume\n");
  EXPECT_EQ(offered("hone cc --mode t"), "tune\n");
  EXPECT_EQ(offered("hone cache tr"), "trust\n");
  EXPECT_EQ(offered(launcher + " explain exten"), "extent-missing\nextent-dimensions\n");
}

// Each compile of an annotated source starts the program, and few speak HTTP.
TEST_F(Explain, LoadsLibcurlOnlyWhereHttpIsSpoken) {
  const auto loaded = [&](const std::vector<std::string>& arguments) {
    std::vector<std::string> words{"/usr/bin/env", "LD_DEBUG=libs", "HONE_CACHE_URL=http://127.0.0.1:1", HONE_PROGRAM};
    words.insert(words.end(), arguments.begin(), arguments.end());
    return exit_of(words)->err;
  };
  const std::string quiet = loaded({"explain", "extent-missing"});
  EXPECT_THAT(quiet, HasSubstr("libcrypto.so")) << "the loader tells what it loads";
  EXPECT_THAT(quiet, testing::Not(HasSubstr("libcurl.so")));
  EXPECT_THAT(loaded({"cache", "push", "-p", folder_.path().string()}), HasSubstr("libcurl.so"));
}

}  // namespace
}  // namespace hone
