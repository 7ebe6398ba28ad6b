// What hone verify printed on other machines, read and joined.
#include "tool/lock/verified_elsewhere.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tool/report/json.h"

namespace hone::lock::verified_elsewhere_test {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const cache::Digest key = cache::sha256("key"), variant = cache::sha256("variant");

// As `hone verify --json` writes it.
report::VerifiedKernel verified(double median, const std::string& machine = "AMD EPYC 9V74") {
  Verdict verdict;
  verdict.right = true, verdict.stage = Stage::done, verdict.machine = machine;
  verdict.measurement.speedup = {median, median - 0.1, median + 0.1};
  verdict.measurement.problems.push_back({"n=1", 1, verdict.measurement.speedup});
  return {"blur", "/home/someone/blur.cpp", 3, key, verdict, variant};
}

cache::LockFile locked(const std::string& target = "x86_64", const std::string& measured_on = "") {
  cache::LockEntry entry{"blur", "blur.cpp", key, target, variant, 2, 1.9, 2.1};
  entry.measured_on = measured_on;
  cache::LockFile lock;
  lock.put(entry);
  return lock;
}

// What is told; the figures go into `lock`.
std::vector<std::string> join(cache::LockFile& lock, const std::vector<report::VerifiedKernel>& kernels) {
  const auto read = read_verified(report::verify_json(kernels), "there.json");
  EXPECT_TRUE(read) << read.error().message();
  return read ? join_verified(lock, *read) : std::vector<std::string>{};
}

TEST(VerifiedElsewhere, IsKeptForEachKindOfMachine) {
  cache::LockFile lock = locked();
  EXPECT_THAT(join(lock, {verified(1.5), verified(0.8, "Intel Xeon Platinum 8480C")}), IsEmpty());
  EXPECT_EQ(lock.entries[0].held_on,
            (cache::HeldOn{{"AMD EPYC 9V74", cache::figure_of(variant, 1.5, 1.4, 1.6)},
                           {"Intel Xeon Platinum 8480C", cache::figure_of(variant, 0.8, 0.7, 0.9)}}));
}

TEST(VerifiedElsewhere, IsReplacedByTheLaterFigureOfItsKind) {
  cache::LockFile lock = locked();
  join(lock, {verified(0.8), verified(1.5)});
  EXPECT_EQ(lock.entries[0].held_on.at("AMD EPYC 9V74").median, 1.5);
}

TEST(VerifiedElsewhere, HasNothingOfWhoMeasuredWhere) {
  cache::LockFile lock = locked();
  join(lock, {verified(1.5)});
  EXPECT_THAT(lock.text(), testing::Not(HasSubstr("someone")));
}

TEST(VerifiedElsewhere, IsWrongOnlyIfItRan) {
  report::VerifiedKernel wrong = verified(1.5), refused = verified(1.5);
  wrong.verdict.right = refused.verdict.right = false;
  wrong.verdict.stage = Stage::verify, refused.verdict.stage = Stage::compile;
  refused.verdict.reason = "it does not compile";
  cache::LockFile lock = locked();
  EXPECT_THAT(join(lock, {refused}), ElementsAre("'blur': it was not judged there: it does not compile"));
  report::VerifiedKernel lame = wrong;
  lame.verdict.reason = "the original ended its process: exit(127)";
  EXPECT_THAT(join(lock, {lame}), ElementsAre(HasSubstr("not judged there: the original ended")));
  EXPECT_THAT(lock.entries[0].held_on, IsEmpty());
  join(lock, {wrong});
  EXPECT_FALSE(lock.entries[0].held_on.at("AMD EPYC 9V74").right);
}

TEST(VerifiedElsewhere, SaysWhatIsOfNoUse) {
  const auto told = [](auto&& change) {
    report::VerifiedKernel kernel = verified(1.5);
    change(kernel);
    cache::LockFile lock = locked();
    const auto told = join(lock, {kernel});
    EXPECT_THAT(lock.entries[0].held_on, IsEmpty());
    return told.empty() ? "" : told.front();
  };
  EXPECT_THAT(told([](auto& one) { one.variant = cache::sha256("another"); }), HasSubstr("another variant of it now"));
  EXPECT_THAT(told([](auto& one) { one.key = cache::sha256("another"); }), HasSubstr("in another state"));
  EXPECT_THAT(told([](auto& one) { one.name = "scan", one.key = cache::sha256("another"); }),
              HasSubstr("no such kernel"));
  EXPECT_THAT(told([](auto& one) { one.verdict.machine.clear(); }), HasSubstr("not judged there"));
  EXPECT_THAT(told([](auto& one) { one.verdict.measurement.problems.clear(); }), HasSubstr("not timed there"));
  EXPECT_THAT(told([](auto& one) { one.verdict.machine = "NVIDIA H200 (sm_90)"; }), HasSubstr("another family"));
}

TEST(VerifiedElsewhere, IsNotJoinedToWhatWasDamaged) {
  cache::LockFile lock = locked();
  lock.entries[0].sum.broken = true;
  EXPECT_THAT(join(lock, {verified(1.5)}), ElementsAre(HasSubstr("'blur': its entry does not fit its sum; restore")));
  EXPECT_THAT(lock.entries[0].held_on, IsEmpty());
}

TEST(VerifiedElsewhere, IsOfTheFamilyWhoseCodeRan) {
  const std::string both = "cuda compute_80 compute_90 sm_80 sm_90";
  cache::LockFile hopper = locked(both, "sm_90"), ampere = locked(both, "sm_80");
  EXPECT_THAT(join(hopper, {verified(1.5, "NVIDIA H200 (sm_90)")}), IsEmpty());
  EXPECT_THAT(join(ampere, {verified(1.5, "NVIDIA H200 (sm_90)")}), testing::SizeIs(1));
}

// One clear error, with its place.
TEST(VerifiedElsewhere, IsRefusedIfItIsNone) {
  const auto error = [](const std::string& text) {
    const auto read = read_verified(text, "there.json");
    return read ? "" : read.error().message();
  };
  const std::string good = report::verify_json({verified(1.5)});
  EXPECT_EQ(error(good), "");
  EXPECT_THAT(error(""), HasSubstr("there.json:1:1: this is not whole JSON"));
  EXPECT_THAT(error("{}"), HasSubstr("there.json:1:1: this is not what `hone verify --json` prints"));
  EXPECT_THAT(error(good.substr(0, good.size() / 2)), HasSubstr("this is not whole JSON"));
  EXPECT_THAT(error(std::string(40, '[') + std::string(40, ']')), HasSubstr("nested too deep"));
  const auto with = [&](const char* member, json value) {
    json document = json::parse(good);
    if (value.is_null())
      document["kernels"][0].erase(member);
    else
      document["kernels"][0][member] = std::move(value);
    return error(document.dump(2));
  };
  EXPECT_THAT(with("machine", {}),
              HasSubstr("there.json:3:5: this figure is not usable: it does not say which variant"));
  EXPECT_THAT(with("machine", "root@10.0.0.1"), HasSubstr("\"machine\" is no kind of machine"));
  EXPECT_THAT(with("variant", "beef"), HasSubstr("\"variant\" is no digest"));
  EXPECT_THAT(with("key", 7), HasSubstr("\"key\" is no digest"));
  EXPECT_THAT(with("right", "yes"), HasSubstr("\"right\" is not true or false"));
  EXPECT_THAT(with("speedup", "fast"), HasSubstr("\"speedup\" is not an object"));
  EXPECT_THAT(with("speedup", {{"median", 1}}), HasSubstr("no median, low and high"));
  EXPECT_THAT(with("speedup", {{"median", 1}, {"low", 2}, {"high", 3}}), HasSubstr("no interval"));
  EXPECT_THAT(with("speedup", {{"median", -1}, {"low", -1}, {"high", -1}}), HasSubstr("no interval"));
}

}  // namespace
}  // namespace hone::lock::verified_elsewhere_test
