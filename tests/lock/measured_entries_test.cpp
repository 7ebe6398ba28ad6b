#include "tool/lock/measured_entries.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cache/digest.h"

namespace hone::lock {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

KernelSpec kernel(const std::string& target) {
  KernelSpec spec;
  spec.name = "scale";
  spec.cuda = target.starts_with("cuda");
  spec.target = target;
  spec.key = cache::sha256(target);
  return spec;
}

cache::LockFile locked(const KernelSpec& spec, const std::vector<std::string>& architectures) {
  cache::LockFile lock;
  for (const std::string& one : architectures) {
    cache::LockEntry entry;
    entry.name = spec.name, entry.key = spec.key, entry.target = spec.target, entry.measured_on = one;
    lock.put(entry);
  }
  return lock;
}

std::vector<std::string> held(const KernelSpec& spec, const std::vector<std::string>& architectures) {
  const cache::LockFile lock = locked(spec, architectures);
  std::vector<std::string> all;
  for (const auto& [family, entry] : measured_entries(lock, spec))
    all.push_back(std::to_string(family) + " " + entry->measured_on);
  return all;
}

std::string for_device(const KernelSpec& spec, const std::vector<std::string>& architectures,
                       const std::string& device) {
  const cache::LockFile lock = locked(spec, architectures);
  const cache::LockEntry* entry = entry_for(lock, spec, device);
  return entry ? entry->measured_on : "none";
}

const KernelSpec both = kernel("cuda compute_80 compute_90 sm_80 sm_90");

TEST(MeasuredEntries, HoldForCodeThatTheirDeviceRan) {
  EXPECT_THAT(held(both, {"sm_90", "sm_86"}), ElementsAre("8 sm_86", "9 sm_90"));
  EXPECT_THAT(held(both, {"sm_100", "sm_80"}), ElementsAre("8 sm_80", "9 sm_100")) << "10.0 translates compute_90";
  EXPECT_THAT(held(both, {"sm_75"}), IsEmpty()) << "it runs none of the code";
}

TEST(MeasuredEntries, HoldForNoFamilyIfDeviceIsUnknown) {
  EXPECT_THAT(held(both, {""}), IsEmpty());
}

TEST(MeasuredEntries, HoldOnAnyDeviceIfThereIsOneFamily) {
  EXPECT_THAT(held(kernel("cuda compute_90 sm_90"), {""}), ElementsAre("0 "));
  EXPECT_THAT(held(kernel("cuda compute_80 sm_80 sm_86"), {"sm_90"}), ElementsAre("0 sm_90"));
  EXPECT_THAT(held(kernel("x86_64 avx2"), {""}), ElementsAre("0 "));
}

TEST(MeasuredEntries, AreFoundByCodeThatDeviceRuns) {
  EXPECT_EQ(for_device(both, {"sm_90"}, "sm_90"), "sm_90");
  EXPECT_EQ(for_device(both, {"sm_90"}, "sm_80"), "none");
  EXPECT_EQ(for_device(both, {"sm_80", "sm_90"}, "sm_89"), "sm_80");
  EXPECT_EQ(for_device(both, {"sm_80", "sm_90"}, "sm_120"), "sm_90");
  EXPECT_EQ(for_device(both, {"sm_90"}, ""), "sm_90") << "of an unknown device any result counts";
  EXPECT_EQ(for_device(both, {""}, ""), "none");
  EXPECT_EQ(for_device(kernel("cuda compute_90 sm_90"), {"sm_90"}, "sm_80"), "sm_90");
}

}  // namespace
}  // namespace hone::lock
