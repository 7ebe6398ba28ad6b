#include "tool/lock/other_evidence.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hone::lock {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

cache::LockEntry entry() {
  cache::LockEntry entry;
  entry.variant = "v";
  entry.evidence = "cpu: g++ (Debian 12.2.0-14) 12.2.0, 428 pairs";
  return entry;
}

Record record() {
  Record record;
  record.variant = "v";
  record.evidence = entry().evidence;
  record.device = "AMD EPYC 9B14, 2 cores";
  record.executor = "local";
  return record;
}

TEST(OtherEvidence, IsNoneWithSameCompilerAndProcessor) {
  EXPECT_THAT(other_evidence(entry(), record(), {"g++ (Debian 12.2.0-14) 12.2.0", "AMD EPYC 9B14, 64 cores"}),
              IsEmpty());
  EXPECT_THAT(other_evidence(entry(), record(), {}), IsEmpty()) << "nobody knows what is here";
}

TEST(OtherEvidence, NamesOtherCompilerAndOtherDevice) {
  EXPECT_THAT(other_evidence(entry(), record(), {"g++ 13", "Intel Xeon, 2 cores"}),
              ElementsAre("with g++ (Debian 12.2.0-14) 12.2.0, and here is g++ 13",
                          "on AMD EPYC 9B14, 2 cores, and here is Intel Xeon, 2 cores"));
}

TEST(OtherEvidence, NamesOtherDriverOfSameDevice) {
  Record on_device = record();
  on_device.device = "NVIDIA H200 (sm_90), driver of 12.8";
  EXPECT_THAT(other_evidence(entry(), on_device, {"", "NVIDIA H200 (sm_90), driver of 13.0"}),
              ElementsAre("on NVIDIA H200 (sm_90), driver of 12.8, and here is NVIDIA H200 (sm_90), driver of 13.0"));
  EXPECT_THAT(other_evidence(entry(), on_device, {"", on_device.device}), IsEmpty());
}

TEST(OtherEvidence, SaysNothingOfDeviceFromRecordOfAnotherMeasurement) {
  Record other = record();
  other.evidence = "cpu: g++ (Debian 12.2.0-14) 12.2.0, 500 pairs";
  EXPECT_THAT(other_evidence(entry(), other, {"", "Intel Xeon"}), IsEmpty());
  other = record();
  other.executor = "command:ssh far hone-worker -";
  EXPECT_THAT(other_evidence(entry(), other, {"", "Intel Xeon"}), IsEmpty());
}

}  // namespace
}  // namespace hone::lock
