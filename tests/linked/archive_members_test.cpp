#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "tool/linked/archive_members.h"

namespace hone::linked {
namespace {

using testing::HasSubstr;

std::string member(const std::string& name, const std::string& content, const std::string& size = {}) {
  return fmt::format("{:<16}{:<12}{:<6}{:<6}{:<8}{:<10}`\n{}{}", name, 0, 0, 0, 100644,
                     size.empty() ? std::to_string(content.size()) : size, content, content.size() % 2 ? "\n" : "");
}

std::vector<std::string> names_and_sizes(const std::string& archive) {
  const auto members = archive_members(archive);
  if (!members) return {members.error().message()};
  std::vector<std::string> all;
  for (const ArchiveMember& one : *members) all.push_back(fmt::format("{} {}", one.name, one.bytes.size()));
  return all;
}

TEST(ArchiveMembers, HaveShortLongAndBsdNames) {
  const std::string names = "a_name_of_more_than_sixteen.o/\nb.o/\n";
  EXPECT_THAT(names_and_sizes("!<arch>\n" + member("/", "symbols") + member("//", names) + member("/0", "12345") +
                              member("short.o/", "1234") + member("#1/6", std::string("bsd.o\0abc", 9))),
              testing::ElementsAre("a_name_of_more_than_sixteen.o 5", "short.o 4", "bsd.o 3"));
}

TEST(ArchiveMembers, SayWhatIsWrong) {
  EXPECT_THAT(names_and_sizes("!<thin>\n" + member("a.o/", ""))[0], HasSubstr("thin archive"));
  EXPECT_THAT(names_and_sizes("!<arch>\nabc")[0], HasSubstr("cut short"));
  EXPECT_THAT(names_and_sizes("!<arch>\n" + member("a.o/", "123", "99"))[0], HasSubstr("cut short"));
  EXPECT_THAT(names_and_sizes("!<arch>\n" + member("a.o/", "123", "-3"))[0], HasSubstr("broken member"));
  EXPECT_EQ(names_and_sizes("!<arch>\n" + member("/77", "123"))[0], " 3") << "there is no such name";
}

}  // namespace
}  // namespace hone::linked
