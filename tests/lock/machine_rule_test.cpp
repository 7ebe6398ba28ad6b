// Which locked variants a build leaves out.
#include "tool/lock/machine_rule.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "tool/base/machine_kind.h"
#include "tool/os/files/files.h"

namespace hone::lock::machine_rule_test {
namespace {

using testing::HasSubstr;

const cache::Digest variant = cache::sha256("variant");
const std::string milan = "AMD EPYC 1234X", sapphire = "Intel Xeon 4321X", h200 = "NVIDIA H200 (sm_90)";

class MachineRuleTest : public testing::Test {
 protected:
  MachineRuleTest() { ::unsetenv("HONE_MACHINE"); }
  ~MachineRuleTest() override { ::unsetenv("HONE_MACHINE"); }

  void declare(const std::string& text) { ASSERT_TRUE(os::write_file_atomically(folder.path() / "hone.json", text)); }

  // Slower on these kinds, faster on all others.
  static cache::LockEntry slower_on(const std::vector<std::string>& machines) {
    cache::LockEntry entry{"blur", "blur.cpp", cache::sha256("key"), "x86_64", variant};
    for (const std::string& machine : {milan, sapphire, h200, processor_kind()})
      entry.held_on[machine] = cache::figure_of(variant, 2, 1.9, 2.1);
    for (const std::string& machine : machines) entry.held_on[machine] = cache::figure_of(variant, 0.8, 0.7, 0.9);
    return entry;
  }

  MachineRule rule(const std::string& march = "x86-64-v3") {
    project::ProjectUnit unit;
    unit.command.arguments = {"g++", "-O3", "-march=" + march, "-c", "blur.cpp"};
    unit.settings.lock = folder.path() / "hone.lock";
    unit.settings.target = target;
    unit.settings.machine = machine;
    return MachineRule(unit);
  }
  std::string why_not(const cache::LockEntry& entry, const std::string& march = "x86-64-v3") {
    return rule(march).why_not(entry);
  }

  std::string target = "app", machine;
  const os::TemporaryFolder folder = *os::TemporaryFolder::create("hone-machine-rule");
};

TEST_F(MachineRuleTest, LeavesOutWhatIsSlowerOnAnyMeasuredKindIfNoneIsNamed) {
  EXPECT_EQ(why_not(slower_on({})), "");
  EXPECT_EQ(why_not(slower_on({milan})), "is 0.80x on \"AMD EPYC 1234X\" (hone.lock)");
}

TEST_F(MachineRuleTest, LooksAtDeclaredKindsAlone) {
  declare(R"({ "machines": ["AMD EPYC 1234X 64-Core Processor"], "model": "m" })");
  EXPECT_EQ(why_not(slower_on({sapphire})), "");
  EXPECT_THAT(why_not(slower_on({milan})), HasSubstr(milan));
  EXPECT_THAT(why_not(slower_on({h200})), HasSubstr(h200)) << "of devices none is declared";
}

TEST_F(MachineRuleTest, LooksAtKindsThatTheBuildIsForAlone) {
  declare(R"({ "machines": ["AMD EPYC 1234X"] })");
  machine = sapphire;
  EXPECT_EQ(why_not(slower_on({milan})), "");
  EXPECT_THAT(why_not(slower_on({sapphire})), HasSubstr(sapphire));
  machine = milan + ";" + h200;
  EXPECT_THAT(why_not(slower_on({milan})), HasSubstr(milan));
  EXPECT_THAT(why_not(slower_on({h200})), HasSubstr(h200));
}

TEST_F(MachineRuleTest, TakesEnvironmentsKindOnlyWithoutTarget) {
  ::setenv("HONE_MACHINE", sapphire.c_str(), 1);
  EXPECT_THAT(why_not(slower_on({milan})), HasSubstr(milan)) << "what CMake wrote down counts: nothing";
  target.clear();
  EXPECT_EQ(why_not(slower_on({milan})), "");
}

TEST_F(MachineRuleTest, LooksAtThisProcessorWhereTargetIsNative) {
  EXPECT_EQ(why_not(slower_on({milan}), "native"), "");
  EXPECT_THAT(why_not(slower_on({processor_kind()}), "native"), HasSubstr(processor_kind()));
}

TEST_F(MachineRuleTest, DependsOnNoMachineWhereTargetIsFixed) {
  declare(R"({ "machines": ["AMD EPYC 1235X"] })");
  EXPECT_EQ(why_not(slower_on({processor_kind()})), "");
  EXPECT_EQ(rule().outside_of_files(), "");
  EXPECT_EQ(rule("native").outside_of_files(), processor_kind());
}

TEST_F(MachineRuleTest, LeavesOutWhatWasWrongOnAnyKind) {
  declare(R"({ "machines": ["AMD EPYC 1234X"] })");
  cache::LockEntry entry = slower_on({});
  entry.held_on[sapphire] = cache::wrong_figure_of(variant);
  EXPECT_EQ(why_not(entry), "was wrong on \"Intel Xeon 4321X\" (hone.lock)");
}

TEST_F(MachineRuleTest, IgnoresFiguresOfAnotherVariant) {
  cache::LockEntry entry = slower_on({milan});
  entry.variant = cache::sha256("another");
  EXPECT_EQ(why_not(entry), "");
  entry.variant.reset();
  EXPECT_EQ(why_not(entry), "");
}

TEST_F(MachineRuleTest, LooksAtAllKindsAndSaysWhyIfProjectsFileIsBroken) {
  for (const char* broken :
       {"{", "[]", R"({ "machines": "AMD" })", R"({ "machines": [7] })", R"({ "machines": ["/"] })"}) {
    declare(broken);
    MachineRule rule = this->rule();
    EXPECT_THAT(rule.why_not(slower_on({sapphire})), HasSubstr(sapphire)) << broken;
    const auto trouble = rule.take_trouble();
    ASSERT_TRUE(trouble) << broken;
    EXPECT_THAT(trouble->message(), HasSubstr("hone.json"));
    EXPECT_FALSE(rule.take_trouble()) << "told once";
  }
}

TEST_F(MachineRuleTest, AsksProjectsFileOnlyWhereAFigureSpeaksAgainstAVariant) {
  declare("{");
  MachineRule rule = this->rule();
  EXPECT_EQ(rule.why_not(slower_on({})), "");
  EXPECT_FALSE(rule.asked_project());
  EXPECT_NE(rule.why_not(slower_on({milan})), "");
  EXPECT_TRUE(rule.asked_project());
}

TEST_F(MachineRuleTest, TakesOutOneFamilyOfDevicesAndLeavesTheOthers) {
  cache::LockEntry hopper = slower_on({h200}), ampere = slower_on({});
  std::vector<MeasuredEntry> measured{{8, &ampere}, {9, &hopper}};
  MachineRule rule = this->rule();
  EXPECT_THAT(rule.leave_out(measured), HasSubstr(h200));
  ASSERT_EQ(measured.size(), 1u);
  EXPECT_EQ(measured[0].family, 8u);
}

}  // namespace
}  // namespace hone::lock::machine_rule_test
