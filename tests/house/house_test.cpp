#include "tests/house/house.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

namespace hone::house {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(House, EachIncludeIsAllowedByALink) {
  const House house = House::read(HONE_ROOT, HONE_HOUSE);
  ASSERT_GT(house.targets.size(), 40u);
  EXPECT_THAT(objections(house), IsEmpty());
}

// Two rooms, low and high; high links low.
class SmallHouse : public testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(root_);
    room("low", "hone_low");
    room("high", "hone_high");
    write("tool/low/stone.h", "");
    write("tool/low/stone.cpp", "#include \"tool/low/stone.h\"\n");
    write("tool/high/roof.h", "#include \"tool/low/stone.h\"\n");
    write("tool/high/roof.cpp", "#include \"tool/high/roof.h\"\n");
    link("hone_high", "hone_low");
  }
  void TearDown() override { fs::remove_all(root_); }

  void room(const std::string& folder, const std::string& target) {
    fs::create_directories(root_ / "tool" / folder);
    house_.targets[target] = {target, "tool/" + folder, {}, {}, {}};
  }
  void write(const std::string& file, const std::string& text) {
    std::ofstream(root_ / file) << text;
    if (!file.ends_with(".cpp")) return;
    for (auto& [name, target] : house_.targets)
      if (target.folder == fs::path(file).parent_path().generic_string()) target.sources.insert(file);
  }
  void link(const std::string& from, const std::string& to, bool exported = true) {
    house_.targets[from].links.insert(to);
    if (exported) house_.targets[from].exports.insert(to);
  }
  Target& target(const std::string& name) { return house_.targets[name]; }
  std::vector<std::string> found() {
    house_.root = root_;
    return objections(house_);
  }

 private:
  fs::path root_ = fs::path(testing::TempDir()) / ("house-" + std::to_string(getpid()));
  House house_;
};

TEST_F(SmallHouse, WithOneDirectionIsFine) {
  EXPECT_THAT(found(), IsEmpty());
}

TEST_F(SmallHouse, TurnedIncludeIsRefused) {
  write("tool/low/stone.cpp", "#include \"tool/low/stone.h\"\n#include \"tool/high/roof.h\"\n");
  EXPECT_THAT(found(), ElementsAre("tool/low/stone.cpp:2: includes tool/high/roof.h, but hone_low has no link to "
                                   "tool/high"));
}

TEST_F(SmallHouse, HeaderThatNeedsAPrivateLinkIsRefused) {
  target("hone_high").exports.clear();
  EXPECT_THAT(found(), ElementsAre("tool/high/roof.h:1: includes tool/low/stone.h, but hone_high exports no link to "
                                   "tool/low"));
}

TEST_F(SmallHouse, SourceMayUseAPrivateLink) {
  target("hone_high").exports.clear();
  write("tool/high/roof.h", "");
  write("tool/high/roof.cpp", "#include \"tool/low/stone.h\"\n");
  EXPECT_THAT(found(), IsEmpty());
}

TEST_F(SmallHouse, PrivateLinkIsNotPassedOn) {
  room("top", "hone_top");
  link("hone_top", "hone_high");
  target("hone_high").exports.clear();
  write("tool/high/roof.h", "");
  write("tool/top/flag.cpp", "#include \"tool/low/stone.h\"\n");
  EXPECT_THAT(found(), ElementsAre("tool/top/flag.cpp:1: includes tool/low/stone.h, but hone_top has no link to "
                                   "tool/low"));
}

TEST_F(SmallHouse, CircleOfRoomsIsRefused) {
  link("hone_low", "hone_high");
  EXPECT_THAT(found(), ElementsAre("a circle of rooms: hone_high -> hone_low -> hone_high"));
}

TEST_F(SmallHouse, ForeignSourceIsRefused) {
  target("hone_high").sources.insert("tool/low/stone.cpp");
  EXPECT_THAT(found(), ElementsAre("tool/low/stone.cpp: is compiled into hone_high of tool/high; link its own room "
                                   "instead"));
}

TEST_F(SmallHouse, SourceThatNobodyCompilesIsRefused) {
  target("hone_low").sources.clear();
  EXPECT_THAT(found(), ElementsAre("tool/low/stone.cpp: no target of tool/low compiles it"));
}

TEST_F(SmallHouse, TypeDefinedTwiceIsRefused) {
  write("tool/low/stone.h",
        "namespace hone {\nstruct Stone {\n};\nenum class Form { flat };\nclass Roof;\n}  // namespace hone\n");
  write("tool/high/tile.h",
        "namespace hone {\nenum Form { steep };\nnamespace {\nstruct Stone {\n};\n}  // namespace\n}  // namespace "
        "hone\n");
  EXPECT_THAT(found(),
              ElementsAre("tool/low/stone.h: defines hone::Form, which tool/high/tile.h defines, too; rename one "
                          "of them"));
}

TEST_F(SmallHouse, ClangWithoutItsLinkIsRefused) {
  write("tool/low/stone.cpp", "#include <clang/AST/Decl.h>\n");
  EXPECT_THAT(found(), ElementsAre("tool/low/stone.cpp:1: includes clang/AST/Decl.h, but hone_low links neither "
                                   "hone_clang nor LLVM"));
}

}  // namespace
}  // namespace hone::house
