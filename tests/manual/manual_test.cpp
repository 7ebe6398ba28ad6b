// Man pages and completions of a program with two commands: read by man's own formatter and by real shells.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "tool/manual/completion.h"
#include "tool/manual/man_page.h"
#include "tool/os/files/files.h"
#include "tool/os/process/process_runner.h"

namespace hone::manual {
namespace {

using testing::HasSubstr;
using testing::Not;

OptionText flag(std::string name, std::string text) {
  return {{std::move(name)}, "", "", std::move(text)};
}

OptionText with_value(std::string name, std::string value, std::string limits = "") {
  OptionText option{{std::move(name)}, std::move(value), std::move(limits), "Say it's [so]: 50% \\ more"};
  option.kind = kind_of(option.value);
  return option;
}

ProgramText program() {
  CommandText tune{"tune", "search for 'variants'", "Searches.\n.Not a request; it is -O2's.", "", {}, {}, {}};
  tune.options = {flag("--force", "Search again; slow"), with_value("--format", "TEXT", "{chat,preference}"),
                  with_value("-p", "BUILD_DIR"), with_value("--json", "FILE")};
  tune.arguments = {with_value("", "KERNEL")};
  tune.arguments[0].names.clear();
  tune.arguments[0].repeated = true;
  tune.footer = "Try it:\n  hone tune -p build\nExit codes: 0 found; 1 not.";
  CommandText cache{"cache", "the store", "The store.", "", {flag("--quiet", "Say less")}, {}, {}};
  cache.commands = {{"prune", "", "Remove what is old", "", {with_value("--size", "SIZE")}, {}, {}},
                    {"stats", "", "How much is where", "", {}, {}, {}}};
  return {"hone", "1.2", "a tuner", {tune, cache}};
}

// What a shell says to a script; nullopt: it is not installed.
std::optional<std::string> said_by(const std::string& shell, const std::string& script) {
  const auto folder = os::TemporaryFolder::create("hone-manual");
  EXPECT_TRUE(os::write_file_atomically(folder->path() / "script", script));
  os::PosixProcessRunner runner;
  os::Process process;
  process.arguments = {shell, (folder->path() / "script").string()};
  const auto exit = runner.run(process);
  if (!exit || exit->code == 127) return std::nullopt;
  return exit->out + exit->err;
}

TEST(ManPage, SaysOptionsExitCodesAndWhereToLook) {
  const std::string page = man_page(program(), program().commands[0]);
  EXPECT_THAT(page, HasSubstr(".SH NAME\nhone\\-tune \\- search for 'variants'\n"));
  EXPECT_THAT(page, HasSubstr("\\fBhone tune\\fR [\\fIOPTIONS\\fR] [KERNEL...]\n"));
  EXPECT_THAT(page, HasSubstr("\n\\&.Not a request; it is \\-O2's.\n"));
  EXPECT_THAT(page, HasSubstr(".TP\n\\fB\\-\\-format\\fR \\fITEXT\\fR\n"));
  EXPECT_THAT(page, HasSubstr("50% \\e more ({chat,preference})"));
  EXPECT_THAT(page, HasSubstr(".SH EXIT STATUS\n0 found; 1 not.\n"));
  EXPECT_THAT(page, HasSubstr(".nf\n.RS\nhone tune \\-p build\n"));
  EXPECT_THAT(page, HasSubstr(".SH SEE ALSO\n\\fBhone\\fR(1),\n\\fBhone\\-cache\\fR(1)\n"));
  EXPECT_THAT(page, HasSubstr("HONE_PROPOSER"));
  EXPECT_THAT(page, Not(HasSubstr("HONE_MACHINE")));
}

TEST(ManPage, HasCommandsOfCommandEachWithItsOptions) {
  const std::string page = man_page(program(), program().commands[1]);
  EXPECT_THAT(page,
              HasSubstr(".SS hone cache prune\n\\fBhone cache prune\\fR [\\fIOPTIONS\\fR]\n.PP\nRemove what is old\n"));
  EXPECT_THAT(page, HasSubstr("\\fB\\-\\-size\\fR \\fISIZE\\fR\n"));
}

TEST(ManPage, OfProgramListsItsCommandsAndAllOfTheEnvironment) {
  const std::string page = man_page(program());
  EXPECT_THAT(page, HasSubstr("\\fBhone\\-tune\\fR(1)\nsearch for 'variants'\n"));
  EXPECT_THAT(page, HasSubstr("HONE_MODE"));
  EXPECT_THAT(page, HasSubstr("hone.lock"));
}

class Bash : public testing::Test {
 protected:
  // What is offered behind `line`, one to a line.
  static std::string offered(const std::string& line) {
    const auto said = said_by(
        "bash", bash_completion(program()) +
                    "\n_hone_kernels() { echo app::blur; echo app::sum; }\nCOMP_WORDBREAKS=$' \\t\\n:='\nCOMP_LINE='" +
                    line + "' COMP_POINT=" + std::to_string(line.size()) +
                    "\n_hone\nprintf '%s\\n' \"${COMPREPLY[@]}\"\n");
    return said.value_or("no bash");
  }
};

TEST_F(Bash, OffersCommandsAndTheirCommands) {
  EXPECT_EQ(offered("hone "), "tune\ncache\n");
  EXPECT_EQ(offered("hone t"), "tune\n");
  EXPECT_EQ(offered("hone --v"), "--version\n");
  EXPECT_EQ(offered("hone cache "), "prune\nstats\n");
}

TEST_F(Bash, OffersOptionsOfTheCommandThatStandsThere) {
  EXPECT_EQ(offered("hone tune --f"), "--force\n--format\n");
  EXPECT_EQ(offered("hone cache prune --"), "--size\n--quiet\n");
}

TEST_F(Bash, OffersValues) {
  EXPECT_EQ(offered("hone tune --format "), "chat\npreference\n");
  EXPECT_EQ(offered("hone tune --format p"), "preference\n");
  EXPECT_EQ(offered("hone tune -p /us"), "/usr\n");
  EXPECT_EQ(offered("hone cache prune --size "), "\n");
}

TEST_F(Bash, OffersKernelsByWhatStandsBehindTheirColons) {
  EXPECT_EQ(offered("hone tune "), "app::blur\napp::sum\n");
  EXPECT_EQ(offered("hone tune --force app::b"), "blur\n");
}

TEST(Zsh, ReadsItsCompletion) {
  const auto said = said_by("zsh", "autoload -U compinit && compinit -D -u\n_hone_source() {\n" +
                                       zsh_completion(program()) + "\n}\nprint read\n");
  if (!said) GTEST_SKIP() << "there is no zsh";
  EXPECT_EQ(*said, "read\n");
}

TEST(Fish, OffersWhatBashOffers) {
  const std::string ask = "\nfunction __hone_kernels; echo app::blur; end\n";
  const auto said = said_by("fish", fish_completion(program()) + ask +
                                        "complete -C 'hone tune --f'\ncomplete -C 'hone cache pr'\n"
                                        "complete -C 'hone tune --format p'\ncomplete -C 'hone tune app'\n");
  if (!said) GTEST_SKIP() << "there is no fish";
  EXPECT_EQ(*said,
            "--force\tSearch again\n--format\tSay it's [so]\nprune\tRemove what is old\npreference\tSay it's [so]\napp::blur\n");
}

}  // namespace
}  // namespace hone::manual
