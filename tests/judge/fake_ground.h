// A ground without a device, and tools without programs: what the judgment makes of both, tested in milliseconds.
//
// The memory that it lends lies in files of this process, which fake subjects can map. What it says is set by the test.
// One thread.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

#include "tool/judge/ground/lent_memory.h"
#include "tool/judge/ground/processor_ground.h"
#include "tool/judge/inspection.h"
#include "tool/os/files/descriptor.h"

namespace hone::judge {

class FakeMemory final : public LentMemory {
 public:
  // `works_on`: whether something changes the first byte whenever it was read.
  FakeMemory(std::size_t bytes, const bool& works_on)
      : file_(memfd_create("fake-ground", MFD_CLOEXEC)), bytes_(bytes), works_on_(works_on) {
    if (ftruncate(file_.get(), static_cast<off_t>(bytes)) == 0)
      data_ = static_cast<std::byte*>(mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file_.get(), 0));
  }
  ~FakeMemory() override { munmap(data_, bytes_); }

  std::byte* data() const { return data_; }
  SharedHandle handle() const override { return {file_.get(), bytes_, 0}; }
  void pin(std::byte*, std::size_t) override {}
  void write(std::size_t offset, const std::byte* from, std::size_t bytes) override {
    std::memcpy(data_ + offset, from, bytes);
  }
  void read(std::size_t offset, std::byte* to, std::size_t bytes) const override {
    std::memcpy(to, data_ + offset, bytes);
    if (works_on_) *data_ ^= std::byte{1};
  }
  void copy(std::size_t offset, const LentMemory& from, std::size_t from_offset, std::size_t bytes) override {
    std::memmove(data_ + offset, static_cast<const FakeMemory&>(from).data_ + from_offset, bytes);
  }
  void fill(std::size_t offset, std::byte value, std::size_t bytes) override {
    std::fill_n(data_ + offset, bytes, value);
  }

 private:
  os::Descriptor file_;
  std::size_t bytes_;
  const bool& works_on_;
  std::byte* data_ = nullptr;
};

// As the processors, but for what a test changes; its turns take no lock of the machine's.
class FakeGround final : public ProcessorGround {
 public:
  GroundTraits fake_traits;
  bool lends = false;
  double copied = 0;           // bytes per second
  double stored = 400e9;       // bytes per second
  double free_seconds = 0;     // until it is free
  std::size_t pool_slots = 0;  // 0: as the processors
  bool fails = false;
  bool works_on = false;  // work goes on behind a call's answer

  int untimed = 0;  // begun and not ended
  unsigned passes = 0, turns = 0, starts = 0;
  bool timed_beside_untimed_work = false;

  const GroundTraits& traits() const override { return fake_traits; }
  Result<void> health() const override { return fails ? failure("it burns", "the fake ground") : Result<void>(); }
  Result<std::unique_ptr<LentMemory>> lend(std::size_t bytes) override {
    if (!lends) return nullptr;
    return std::make_unique<FakeMemory>(std::max<std::size_t>(bytes, 1), works_on);
  }
  std::size_t slots(const SlotNeed& need) override { return pool_slots ? pool_slots : ProcessorGround::slots(need); }
  void begin_untimed_work() override { untimed = 1; }
  void let_timings_pass() override { ++passes; }
  void end_untimed_work() override { untimed = 0; }
  void begin_start() override { end_untimed_work(); }
  void end_start() override {
    ++starts;
    begin_untimed_work();
  }
  TimingTurn take_turn(bool) override {
    ++turns;
    timed_beside_untimed_work |= untimed > 0;
    return {};
  }
  double seconds_until_free() override { return free_seconds; }
  double copied_per_second() override { return copied; }
  double stored_per_second(unsigned) override { return stored; }
};

// A ground as CUDA devices are one.
inline FakeGround lending_ground() {
  FakeGround ground;
  ground.lends = true;
  ground.pool_slots = 8;
  ground.fake_traits.guard = Guard::canaries;
  ground.fake_traits.guard_words = "canaries around each array";
  ground.fake_traits.runtime_threads = 1;
  ground.fake_traits.processes_differ = true;
  ground.fake_traits.pools_before_turn = true;
  ground.fake_traits.slots_follow_calls = false;
  ground.fake_traits.repeats_bitwise = false;
  ground.fake_traits.numbers_blocks = true;
  return ground;
}

class FakeInspection final : public Inspection {
 public:
  Inspected errors, last;  // what is found
  std::string tool;        // that is asked last
  Counting counting;
  unsigned asked = 0, asked_last = 0;

  Result<Inspected> look_for_errors(const InspectedKernel&) override {
    ++asked;
    return errors;
  }
  std::string last_tool() const override { return tool; }
  Result<Inspected> ask_last_tool(const InspectedKernel&) override {
    ++asked_last;
    return last;
  }
  Result<Counting> count(const InspectedKernel&) override { return counting; }
};

}  // namespace hone::judge
