#include "tool/judge/ground/device_ground.h"

#include <algorithm>
#include <atomic>
#include <utility>

#include "tool/os/files/usable_memory.h"

namespace hone::judge {
namespace {

// As many as a sample of the shortest kernels has calls, where there is room: to make a pool anew and map it into both
// processes takes longer than a look.
constexpr std::size_t most_device_slots = 512;
constexpr double caches_of_slots = 2;  // its cache holds whole problems: a call has to find its slot cold
constexpr std::size_t device_pool_bytes = 512u << 20;
constexpr double cache_over_fill = 2;  // a kernel that stores into the device's cache, against the driver's own fill

constexpr GroundTraits traits_of_devices{
    .guard = Guard::canaries,
    .guard_words = "canaries around each array",
    .runtime_threads = 1,
    .spinning_teams = false,
    .processes_differ = true,
    .waits_for_work = true,
    .pools_before_turn = true,
    .slots_follow_calls = false,
    .repeats_bitwise = false,  // sums of atomics vary with the schedule
    .rounds_either_way = false,
    .crowding = 4,
    .has_streams = true,
    .has_integer_sanitizers = false,
    .counts_every_byte = false,  // CUDA's driver keeps memory of its own
    .numbers_blocks = true,
    .most_dropped_trial = 1,  // a new process takes longer than all of a trial's cases
    // The round trip and the wait for its end take tens of microseconds. What is much faster may have a tenth of round
    // trip in a trial's samples; the finals tell by how much.
    .samples = {.shortest = 1e-3, .longest = 20e-3, .rough = 5e-3},
};

class CudaMemory final : public LentMemory {
 public:
  explicit CudaMemory(DeviceMemory memory) : memory_(std::move(memory)) {}

  SharedHandle handle() const override { return {memory_.descriptor(), memory_.size(), number_}; }
  void pin(std::byte* pages, std::size_t bytes) override { pinned_ = PinnedPages(memory_.device(), pages, bytes); }
  void write(std::size_t offset, const std::byte* from, std::size_t bytes) override {
    memory_.write(offset, from, bytes);
  }
  void read(std::size_t offset, std::byte* to, std::size_t bytes) const override { memory_.read(offset, to, bytes); }
  void copy(std::size_t offset, const LentMemory& from, std::size_t from_offset, std::size_t bytes) override {
    memory_.copy(offset, static_cast<const CudaMemory&>(from).memory_, from_offset, bytes);
  }
  void fill(std::size_t offset, std::byte value, std::size_t bytes) override { memory_.fill(offset, value, bytes); }

 private:
  static std::uint64_t next_number() {
    static std::atomic<std::uint64_t> last = 0;
    return ++last;
  }

  DeviceMemory memory_;
  PinnedPages pinned_;
  const std::uint64_t number_ = next_number();
};

}  // namespace

Result<std::unique_ptr<DeviceGround>> DeviceGround::open(int number, const os::Clock& clock) {
  HONE_TRY(std::shared_ptr<Device> device, Device::open(number));
  return std::unique_ptr<DeviceGround>(new DeviceGround(std::move(device), clock));
}

DeviceGround::DeviceGround(std::shared_ptr<Device> device, const os::Clock& clock)
    : device_(std::move(device)), clock_(clock), traits_(traits_of_devices), untimed_work_(device_->traits().uuid) {}

Result<std::unique_ptr<LentMemory>> DeviceGround::lend(std::size_t bytes) {
  HONE_TRY(DeviceMemory memory, DeviceMemory::create(device_, bytes));
  return std::make_unique<CudaMemory>(std::move(memory));
}

// Half of what is free, since both processes have outputs of their own there.
std::size_t DeviceGround::memory_limit(std::size_t wanted) {
  return std::min(wanted == 0 ? os::usable_memory() : wanted, device_->free_bytes() / 2);
}

std::size_t DeviceGround::slots(const SlotNeed& need) {
  const auto least =
      static_cast<std::size_t>(caches_of_slots * static_cast<double>(device_->traits().limits.cache_bytes));
  const std::size_t bytes = std::max(least, std::min(device_pool_bytes, device_->free_bytes() / (4 * need.problems)));
  return std::clamp<std::size_t>(bytes / need.slot_bytes + 1, 2, most_device_slots);
}

// Never with the untimed work's lock in hand: see starts_on().
void DeviceGround::begin_start() {
  untimed_work_.end();
  starting_.reset();
  starting_ = TurnLock::acquire(starts_on(device_->traits().uuid), TurnLock::Mode::shared);
}

void DeviceGround::end_start() {
  starting_.reset();
  untimed_work_.begin();
}

TimingTurn DeviceGround::take_turn(bool quiet) {
  const std::string& uuid = device_->traits().uuid;
  TimingTurn turn;
  if (quiet) turn.quiet = TurnLock::acquire(starts_on(uuid));
  turn.lock = TurnLock::acquire(uuid);
  return turn;
}

double DeviceGround::stored_per_second(unsigned) {
  return cache_over_fill * device_->bandwidth().stored;
}

}  // namespace hone::judge
