// The host's half of an object that nvcc made, into which other device code can be put.
//
// An object of nvcc's holds, for the host, the functions that launch and CUDA's runtime, and, as plain bytes, the
// images for the device (".nv_fatbin"). A record (".nvFatBinSegment") tells the runtime where those are, and functions
// that run when the object is loaded name each kernel to it. So the images can be exchanged for others that define the
// same names, without a compiler or linker: the bytes go to a room that the unit made for them, and the record is
// pointed there. What the host does stays byte for byte.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hone::compile {

// The room: a declaration to be compiled behind the unit's harness, for the host.
std::string room_for_device_code();

// A name that the images of a fat binary define for a device. There are none where the images are compressed.
struct DeviceName {
  std::string name;
  bool kernel = false;  // else a variable, or a function that kernels call
};
std::vector<DeviceName> device_names(std::string_view fat_binary);

// Gives what a compile marked as its own the mark of another; "" is any. False: there is something marked, and the
// marks differ in length, so that names would.
bool change_mark(std::string& fat_binary, std::string_view mark);

class HostHalf {
 public:
  // nullopt: there is no room in it, or more or less than one record.
  static std::optional<HostHalf> of(std::string object);

  // Whether it names that to CUDA's runtime.
  bool names(std::string_view device_name) const;
  // The mark of this compile, "e3b9276c_7_unit_cu_f", which the names of everything in an unnamed namespace hold. "":
  // there are none of that kind.
  std::string mark() const;

  // The object with that code. nullopt: it is larger than the room.
  std::optional<std::string> with(std::string_view fat_binary) const;

 private:
  std::string object_;
  std::string_view texts() const { return std::string_view(object_).substr(texts_, texts_size_); }
  std::uint64_t room_ = 0, room_size_ = 0, room_address_ = 0;
  std::uint64_t pointer_ = 0;  // where the file says what the record points to
  std::uint64_t texts_ = 0, texts_size_ = 0;
};

}  // namespace hone::compile
