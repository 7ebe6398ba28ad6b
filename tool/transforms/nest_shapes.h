// What a kernel's loops gain most from by their structure, at every nest of the kernel at once: sums innermost, tiles
// of loops that run along memory in registers, rows side by side, running sums in lanes.
//
// Contract: adds genes to a recipe. Structure and subscripts alone decide, and the vectors of the target. Columns of a
// tile are taken to be independent. Copies of rows are jammed where their order is known to be kept; with `bold` also
// where it is not, and the judge decides then. Deterministic.
#pragma once

#include "tool/transforms/code/recipe_builder.h"

namespace hone::frontend {

struct NestShape {
  int vectors = 4;    // of a tile's row, or of a running sum in lanes
  int copies = 4;     // of the loop around, jammed; 1: none
  bool bold = false;  // copies also where their order is not known to be kept
};

// For k { for j c[i][j] += … } → for j { for k … }: what is summed up stays in place. To be done before scalars are
// promoted.
bool turn_sums_inward(RecipeBuilder& builder);
// On promoted scalars. False: there was nothing to shape.
bool shape_nests(RecipeBuilder& builder, const NestShape& shape);

}  // namespace hone::frontend
