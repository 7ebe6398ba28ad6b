#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "compiled_notes.h"
#include "tool/linked/note_reader.h"
#include "tool/linked/note_source.h"

namespace hone::linked {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::string object_with_notes() {
  const NotesFolder folder;
  folder.write("a.c", "int add(int a, int b) { return a + b; }\n" + note_source({tuned, untuned}));
  EXPECT_EQ(folder.run({"gcc", "-c", "a.c"}), "");
  return folder.read("a.o");
}

std::string why_unread(const std::string& bytes) {
  const auto units = read_linked(bytes);
  return units ? "read" : units.error().message();
}

TEST(NoteReader, SaysWhatAFileIsNot) {
  EXPECT_THAT(why_unread(""), HasSubstr("it is no ELF file"));
  EXPECT_THAT(why_unread("#!/bin/sh\n"), HasSubstr("it is no ELF file"));
  EXPECT_THAT(why_unread("\x7f"
                         "ELF"),
              HasSubstr("cut short"));
  EXPECT_THAT(why_unread(std::string("\x7f"
                                     "ELF\1\1",
                                     6) +
                         std::string(100, '\0')),
              HasSubstr("no 64-bit ELF file"));
}

// Section headers stand at the end.
TEST(NoteReader, FindsEveryCutShortFile) {
  const std::string whole = object_with_notes();
  ASSERT_EQ(why_unread(whole), "read");
  for (std::size_t size = 4; size < whole.size(); ++size)
    EXPECT_THAT(why_unread(whole.substr(0, size)), HasSubstr("cut short")) << size;
}

TEST(NoteReader, BearsEveryChangedByte) {
  const std::string whole = object_with_notes();
  for (std::size_t at = 0; at < whole.size(); ++at)
    for (const char value : {'\0', '\x7f', '\xff'}) {
      std::string changed = whole;
      changed[at] = value;
      (void)read_linked(changed);
    }
}

TEST(NoteReader, NamesANoteThatIsBroken) {
  const NotesFolder folder;
  folder.write("a.s", ".section .note.hone,\"a\",@note\n.long 5,3,1\n.ascii \"Hone\\0\\0\\0\\0\"\n.ascii \"abc\\0\"\n");
  ASSERT_EQ(folder.run({"gcc", "-c", "a.s"}), "");
  EXPECT_EQ(why_unread(folder.read("a.o")), "a note of Hone's in it is broken");
}

TEST(NoteReader, PassesOverNotesOfOthersAndOfLaterKinds) {
  const NotesFolder folder;
  folder.write("a.s",
               ".section .note.hone,\"a\",@note\n.long 5,4,7\n.ascii \"Hone\\0\\0\\0\\0\"\n.ascii \"abcd\"\n"
               ".long 4,4,1\n.ascii \"GNU\\0\"\n.ascii \"abcd\"\n");
  ASSERT_EQ(folder.run({"gcc", "-c", "a.s"}), "");
  const auto units = read_linked(folder.read("a.o"));
  ASSERT_TRUE(units);
  EXPECT_THAT(*units, IsEmpty());
}

TEST(NoteReader, TakesSegmentsWhereThereAreNoSections) {
  const NotesFolder folder;
  folder.write("a.c", "int main(void) { return 0; }\n" + note_source({tuned}));
  ASSERT_EQ(folder.run({"gcc", "a.c", "-o", "program"}), "");
  std::string program = folder.read("program");
  program.replace(0x28, 8, 8, '\0');  // e_shoff
  program.replace(0x3c, 4, 4, '\0');  // e_shnum, e_shstrndx
  const auto units = read_linked(program);
  ASSERT_TRUE(units) << units.error().message();
  ASSERT_EQ(units->size(), 1u);
  EXPECT_THAT(units->at(0).kernels, ElementsAre(tuned));
}

}  // namespace
}  // namespace hone::linked
