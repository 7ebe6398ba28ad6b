// Where arrays lie, and what is said of an element beside them.
#include "tool/judge/data/layout.h"

#include <gtest/gtest.h>

#include "tests/judge/data/data_fixtures.h"
#include "tool/judge/ground/shared_memory.h"

namespace hone::judge {
namespace {

TEST(Layout, NamesElementsAsInSource) {
  const Parameter parameter{.name = "A", .pointer = true, .element = float_element};
  const Array matrix{{{0, 3}, {0, 4}}, 12, 48};
  EXPECT_EQ(element_name(parameter, matrix, 7), "A[1][3]");
  EXPECT_EQ(element_name(parameter, matrix, -1), "A[-1]");
  EXPECT_EQ(element_name(parameter, line(9, 4), 8, "pos.x"), "A[8].pos.x");
  EXPECT_EQ(distance_from(parameter, matrix, 13), "2 elements past the end of A");
  EXPECT_EQ(distance_from(parameter, matrix, -1), "one element before the start of A");
}

TEST(Layout, MisalignsByWholeElementsAndGivesEmptyArraysNoPage) {
  KernelSpec spec;
  spec.parameters = {{.name = "x", .pointer = true, .element = float_element, .extent = {{}}},
                     {.name = "y", .pointer = true, .element = float_element, .role = Role::out, .extent = {{}}},
                     {.name = "z", .pointer = true, .element = float_element, .extent = {{}}}};
  Case c{.seed = 4};
  c.arrays = {line(1024, 4), line(1024, 4), line(0, 4)};
  const Layout layout = lay_out(spec, c, {});
  for (const unsigned i : {0u, 1u}) {
    const Place& place = layout.places[i];
    EXPECT_EQ((place.at(Ends::askew) - place.offset) % 8, 4u);
    EXPECT_EQ(place.at(Ends::start), place.offset);
    EXPECT_EQ(place.at(Ends::end) + place.bytes, place.offset + place.length);
    EXPECT_LE(place.at(Ends::askew) + place.bytes, place.offset + place.length);
  }
  EXPECT_EQ(layout.regions[2].length, 0u);
  EXPECT_EQ(layout.places[2].at(Ends::askew), layout.places[2].offset);
  EXPECT_EQ(layout.places[0].at(Ends::askew_inputs), layout.places[0].at(Ends::askew));
  EXPECT_EQ(layout.places[0].at(Ends::askew_outputs), layout.places[0].at(Ends::start));
  EXPECT_EQ(layout.places[1].at(Ends::askew_outputs), layout.places[1].at(Ends::askew));
  EXPECT_EQ(layout.places[1].at(Ends::askew_inputs), layout.places[1].at(Ends::start));
  // Whoever tests one array's address learns nothing of the next one's.
  EXPECT_EQ(layout.places[0].at(Ends::askew_first), layout.places[0].at(Ends::askew));
  EXPECT_EQ(layout.places[1].at(Ends::askew_first), layout.places[1].at(Ends::start));
  EXPECT_EQ(layout.places[0].at(Ends::askew_second), layout.places[0].at(Ends::start));
  EXPECT_EQ(layout.places[1].at(Ends::askew_second), layout.places[1].at(Ends::askew));
}

TEST(Layout, PutsMarginsAroundArraysWhereNoPageFaults) {
  KernelSpec spec;
  spec.parameters = {{.name = "x", .pointer = true, .element = float_element, .extent = {{}}},
                     {.name = "z", .pointer = true, .element = float_element, .extent = {{}}}};
  Case c{.seed = 4};
  c.arrays = {line(1024, 4), line(0, 4)};
  const Layout layout = lay_out(spec, c, {}, Guard::canaries);
  const Place& place = layout.places[0];
  EXPECT_GE(place.at(Ends::start), place.offset + place.margin);
  EXPECT_LE(place.at(Ends::end) + place.bytes, place.offset + place.length - place.margin);
  EXPECT_GT(place.margin, 4096u);
  EXPECT_GT(layout.regions[1].length, 0u);  // an access to an empty array shows in its canaries, too
}

TEST(Layout, FindsDisturbedCanaryAndNamesItsElement) {
  KernelSpec spec;
  spec.parameters = {{.name = "x", .pointer = true, .element = float_element, .extent = {{}}}};
  Case c{.seed = 4};
  c.arrays = {line(10, 4)};
  const Layout layout = lay_out(spec, c, {}, Guard::canaries);
  const auto file = SharedMemory::create(layout.input_bytes, SharedMemory::Access::read_write).value();
  const PlacedArrays arrays{layout, false, Ends::start, file};
  place_canaries(arrays, 5);
  EXPECT_EQ(disturbed_canary(spec, c, arrays, 5), "");
  file.data()[layout.places[0].at(Ends::start) + 40] ^= std::byte{1};
  EXPECT_EQ(disturbed_canary(spec, c, arrays, 5), "wrote x[10], one element past the end of x");
  EXPECT_NE(disturbed_canary(spec, c, arrays, 6), "");  // each run has other canaries
}

}  // namespace
}  // namespace hone::judge
