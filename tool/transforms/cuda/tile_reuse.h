// Which digits of an item's number are worth a tile in registers: those along which threads would load the same again.
//
// Contract: the answer speaks of loads within loops. Never changes anything. Borrows the AST.
#pragma once

#include <optional>

#include "tool/transforms/code/index_digits.h"

namespace hone::frontend {

struct TileReuse {
  std::optional<std::size_t> rows;  // a higher digit that loads of neighboring threads do not depend on
  bool columns = false;             // neighbors along the lowest digit load the same, or overlap
  bool branches = false;            // what runs depends on the lowest digit
  // A digit above the lowest, along which neighbors overlap: a tile along it leaves neighboring threads side by side.
  std::optional<std::size_t> across;
  long long residues = 1;  // of the lowest digit, which decide where loops begin: for (d = k % 2; d < 3; d += 2)
};

TileReuse tile_reuse(const KernelContext& context, const DeviceKernel& kernel, const IndexDigits& digits);

}  // namespace hone::frontend
