// The facts of a recording, which come from a file that anybody may have changed; and the loops that time a machine.
#include "tool/tune/facts/facts_json.h"

#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/search/prompt/task.h"
#include "tool/tune/facts/machine_loops.h"

namespace hone::tune {
namespace {

using nlohmann::json;

TEST(FactsJson, SurvivesRoundTrip) {
  const json once = facts_json(search::blur_facts());
  EXPECT_EQ(facts_json(facts_from(once)), once);
  EXPECT_EQ(facts_from(once).problems.at(0).label, "w=1920 h=1080");
}

TEST(FactsJson, KeepsLimitsOfDevice) {
  search::TaskFacts facts;
  for (std::uint64_t value = 1; const auto& [name, limit] : device_limits) facts.hardware.device.*limit = value++;
  EXPECT_EQ(facts_from(facts_json(facts)).hardware.device, facts.hardware.device);
}

TEST(FactsJson, HasDefaultsForWhatIsAbsent) {
  EXPECT_EQ(facts_from(json::object()).threads, 1u);
}

TEST(FactsJson, RejectsMemberOfAnotherKind) {
  for (const char* text : {R"({"threads": -1})", R"({"threads": "2"})", R"({"kernel": 3})", R"({"problems": {}})",
                           R"({"problems": [{"weight": "1"}]})", R"({"hardware": {"caches": [{"level": 1.5}]}})",
                           R"({"hardware": {"device": {"multiprocessors": -1}}})", "[]"})
    EXPECT_ANY_THROW(facts_from(json::parse(text))) << text;
}

TEST(MachineLoops, CountsOperationsOfWidestVectors) {
  const MachineLoops narrow = machine_loops(128), wide = machine_loops(512);
  EXPECT_EQ(narrow.vector_bits, 128u);
  EXPECT_GE(wide.vector_bits, narrow.vector_bits);
  EXPECT_EQ(wide.multiply(0) / narrow.multiply(0), wide.vector_bits / 128.0);
}

TEST(MachineLoops, ReadsAllOfTheData) {
  alignas(64) long long data[64] = {};
  const MachineLoops loops = machine_loops(512);
  const auto read = [&] { return loops.read(reinterpret_cast<const std::byte*>(data), sizeof data); };
  EXPECT_EQ(read(), 0);
  for (const std::size_t lane : {0, 32}) {
    data[lane] = 5;
    EXPECT_EQ(read(), 5) << lane;
    data[lane] = 0;
  }
}

}  // namespace
}  // namespace hone::tune
