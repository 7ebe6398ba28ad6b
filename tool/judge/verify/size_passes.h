// Verification on other sizes than the declared: small ones, neighbors, every residue of vectors and tiles, large ones.
#pragma once

#include <vector>

#include "tool/judge/data/other_sizes.h"
#include "tool/judge/verify/casebook.h"

namespace hone::judge {

class SizePasses {
 public:
  explicit SizePasses(Casebook& book) : book_(book), runs_(book.runs), spec_(runs_.spec()), plan_(runs_.plan()) {}

  // Small sizes come first: most wrong candidates fail there, within milliseconds.
  Found judge_perturbed();
  Found judge_held_out();
  Found judge_neighbors(const Case& declared);
  Found judge_residues();
  Found judge_large();
  Found judge_crowds();

  // Of the arrays of a case beyond the declared problems, which a process must have room for.
  static std::size_t largest_bytes(bundle::Depth depth);

 private:
  Found judge_sizes(const std::vector<OtherSizes>& sizes, double until);
  Found judge_residues_of(const Case& declared, double until);
  double crowding() const;
  Found judge_large_of(const Case& declared, double until);
  Result<std::optional<Case>> make_large(const OtherSizes& size, const Sizes& strides, std::size_t memory);
  Found judge_vast();
  Found judge_corners_of(const Case& declared, double until);
  Found judge_crowds_of(const Case& declared, double until);

  Casebook& book_;
  CaseRuns& runs_;
  const KernelData& spec_;
  const bundle::Plan& plan_;
};

}  // namespace hone::judge
