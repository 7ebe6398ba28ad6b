// The data that a problem is timed on: several slots of arrays, laid out in line, 64-byte aligned and without guards.
//
// Between two timed batches a slot's inputs are changed in a few places, its inouts are restored, and its outputs are
// poisoned in a few places. Return values are outputs like others, one per slot. Where a batch calls each slot at most
// once, each of its calls leaves something that compare() sees. Owns its memory; maps it into the runners as a set of
// their own.
//
// In lent memory both sides write to the same places, one after the other: where arrays lie on a device makes percents,
// and no move would average them away. What a side left is set aside, out of the other's reach, and overwritten before
// the other's calls.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "tool/judge/bench/bench.h"
#include "tool/judge/data/case.h"
#include "tool/judge/data/input_data.h"
#include "tool/judge/ground/ground.h"
#include "tool/judge/ground/shared_memory.h"
#include "tool/judge/process/subject.h"

namespace hone::judge {

class Pool {
 public:
  // The specification and the ground are borrowed.
  static Result<Pool> make(const KernelData& spec, const Case& c, unsigned slots, Ground& ground);

  // Of one slot, all copies included.
  static std::size_t bytes_per_slot(const KernelData& spec, const Case& c);

  RunnerAnswer<void> map_into(Subject& runner, unsigned set, Bench::Side side) const;
  unsigned slots() const { return slots_; }    // 0: it was not made
  bool restores() const { return restores_; }  // has inouts: one call per slot and refresh

  // Puts each side's outputs on other physical pages, in an order drawn anew, and poisons them; map_into() must follow.
  // Which cache sets an array falls into is offset of the pages that it got. One draw for the whole measurement would
  // be a bias of several percent that no number of samples averages away; many draws are noise, which the interval
  // knows.
  Result<void> move_outputs(std::uint64_t key);
  bool has_outputs() const { return has_outputs_; }
  bool moves() const { return has_outputs_ && !inputs_.is_lent(); }  // in lent memory both sides write to one place

  // Fresh inputs in `count` slots from `first` on (modulo slots()), the same for both sides. Each side's outputs and
  // inouts must be handed over (with one key for both) before its calls. anew: all elements are others, so that who
  // kept the last results finds none of use; lent ones are too many for that, and a file's have no others.
  enum class Fresh { a_few, anew };
  void refresh(unsigned first, unsigned count, std::uint64_t key, Fresh fresh = Fresh::a_few);

  // Restores the inouts and poisons the outputs of one side, right before its calls: were both sides' restored at once,
  // the one restored last would find its data in the cache, always, and be "faster".
  void hand_over(Bench::Side side, unsigned first, unsigned count, std::uint64_t key);

  // Bytes of an output that is compared whole.
  static constexpr std::size_t most_compared_whole = 4u << 20;
  // What the two sides left in a slot, and returned: "" or a sentence. `scales`: as Verifier::scales() has them. Of a
  // larger output whose scale is known, only stretches that `key` draws are compared: who computes less leaves out more
  // than they miss, and every call that is compared draws others.
  std::string compare(unsigned slot, const Bench::Scales& scales, std::uint64_t key);

 private:
  struct Lane {  // of one array
    bool output = false;
    std::size_t offset = 0;  // in the file, of slot 0
    std::size_t stride = 0;
    std::size_t kept = 0;  // in kept_, of an inout's slot 0
    bool mirrored = true;  // the judge's copy holds every slot, not only the first and single elements of the others
  };
  bool wants_mirror(std::size_t parameter) const;
  void draw_slot(unsigned slot);
  void draw_anew(const Case& drawn, unsigned parameter, std::byte* data);
  void send_inputs();
  void copy_on_ground(std::size_t parameter, unsigned slot);
  unsigned changes_of(unsigned slots) const;  // elements of one array in one slot, between two calls
  void poison_outputs(const SharedMemory& file);
  void poison_result(const SharedMemory& file, unsigned slot, std::uint64_t key) const;
  std::size_t kept_at(std::size_t parameter, unsigned slot) const {
    return lanes_[parameter].kept + lanes_[parameter].stride * slot;
  }
  std::byte* kept(std::size_t parameter, unsigned slot);
  void send_kept(std::size_t parameter, unsigned slot, const Changed& changed);
  std::byte* array(const SharedMemory& file, std::size_t parameter, unsigned slot) const;

  const KernelData* spec_ = nullptr;
  Ground* ground_ = nullptr;
  Case case_;
  unsigned slots_ = 0;
  bool restores_ = false;
  bool has_outputs_ = false;
  std::size_t input_bytes_ = 0, output_bytes_ = 0, data_elements_ = 0;
  std::vector<Lane> lanes_;  // per parameter, then of the return value, if there is one
  std::vector<std::byte> kept_;
  std::unique_ptr<LentMemory> kept_lent_;  // what kept_ holds, where copying takes a hundredth of the time
  void hand_over_lent(Bench::Side side, unsigned first, unsigned count, std::uint64_t key);
  struct Part {  // of an array's elements
    std::size_t first = 0, count = 0;
  };
  std::vector<Part> parts_to_compare(std::size_t parameter, bool has_scale, std::uint64_t key) const;
  std::vector<double> scale_of_parts(std::size_t parameter, unsigned slot, const std::vector<Part>& parts,
                                     std::vector<double> scale) const;
  void fetch(Bench::Side side, std::size_t parameter, unsigned slot, Part part);
  SharedMemory& outputs(Bench::Side side) {
    return side == Bench::Side::reference ? reference_outputs_ : candidate_outputs_;
  }
  SharedMemory inputs_, reference_outputs_, candidate_outputs_;
  std::unique_ptr<LentMemory> aside_[2];  // what reference and candidate left
  std::optional<Bench::Side> holds_;      // whose outputs lie in the memory that both write to: the reference's file
};

}  // namespace hone::judge
