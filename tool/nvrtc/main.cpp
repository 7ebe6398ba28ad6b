// hone-nvrtc: compiles a unit's device code with NVRTC and packs the images with CUDA's own fatbinary.
//
//   hone-nvrtc LIBRARY FATBINARY SOURCE OUTPUT IMAGES HEADERS [OPTION]…
//
// IMAGES: "sm_90,compute_90", each in a compile of its own but for a compute_N beside sm_N. HEADERS: "-", or
// "create=FILE" or "use=FILE": precompiled ones, a file for each compile (FILE.90). OPTION: NVRTC's. The log, which has
// what ptxas reports, goes to stderr. Exit: fatbinary's, 1 the code does not compile, 2 usage or environment.
//
// A program, as a compiler is one: it reads generated code, and lives in the sandbox with that alone. NVRTC takes
// precompiled headers only where its memory lies where it lay when they were made: it is to be started without random
// addresses, else they are passed over.
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tool/nvrtc/library.h"

namespace {

using hone::nvrtc::Library;
using hone::nvrtc::Program;

constexpr int refused = 1, unusable = 2;

// What one compile is to give, by the architecture's number: "90a".
struct Wanted {
  bool code = false;      // for the device itself
  bool portable = false;  // PTX
};

struct Order {
  std::string library, fatbinary, source, output;
  std::map<std::string, Wanted> images;
  std::string headers;  // "create=…", "use=…", "-"
  std::vector<std::string> options;
};

bool read_images(const std::string& list, std::map<std::string, Wanted>& images) {
  for (std::size_t begin = 0; begin < list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    const std::string image = list.substr(begin, end - begin);
    begin = end + 1;
    if (image.rfind("sm_", 0) == 0)
      images[image.substr(3)].code = true;
    else if (image.rfind("compute_", 0) == 0)
      images[image.substr(8)].portable = true;
    else
      return false;
  }
  return !images.empty();
}

std::optional<Order> read_order(int argc, char** argv) {
  if (argc < 7) return std::nullopt;
  Order order{argv[1], argv[2], argv[3], argv[4], {}, argv[6], {argv + 7, argv + argc}};
  if (!read_images(argv[5], order.images)) return std::nullopt;
  return order;
}

std::vector<std::string> options_for(const Order& order, const std::string& number, const Wanted& wanted) {
  std::vector<std::string> options = order.options;
  options.push_back("--gpu-architecture=" + ((wanted.code ? "sm_" : "compute_") + number));
  if (const std::size_t equals = order.headers.find('='); equals != std::string::npos)
    options.push_back("--" + order.headers.substr(0, equals) + "-pch" + order.headers.substr(equals) + "." + number);
  return options;
}

using Size = int (*)(Program, std::size_t*);
using Bytes = int (*)(Program, char*);

std::string taken(Program program, Size size, Bytes bytes) {
  std::size_t length = 0;
  if (size(program, &length) != 0 || length == 0) return {};
  std::string content(length, '\0');
  if (bytes(program, content.data()) != 0) content.clear();
  return content;
}

// False: nothing came of it, or it cannot be written.
bool write(const std::string& path, const std::string& content) {
  std::ofstream file(path, std::ios::binary);
  file << content;
  file.close();
  return !content.empty() && file;
}

// Appends what fatbinary is told of the images.
int compile(const Library& library, const Order& order, const std::string& source, const std::string& number,
            const Wanted& wanted, std::vector<std::string>& told) {
  const std::vector<std::string> options = options_for(order, number, wanted);
  std::vector<const char*> words;
  for (const std::string& option : options) words.push_back(option.c_str());
  Program program = nullptr;
  if (library.create(&program, source.c_str(), "unit.cu", 0, nullptr, nullptr) != 0) return unusable;
  const int result = library.compile(program, static_cast<int>(words.size()), words.data());
  std::fputs(taken(program, library.log_size, library.log).c_str(), stderr);
  if (result != 0) return std::fprintf(stderr, "%s\n", library.words(result)), refused;
  const std::string cubin = "unit." + number + ".cubin", ptx = "unit." + number + ".ptx";
  if (wanted.code) {
    if (!write(cubin, taken(program, library.cubin_size, library.cubin))) return unusable;
    told.push_back("--image3=kind=elf,sm=" + number + ",file=" + cubin);
  }
  if (wanted.portable) {
    std::string text = taken(program, library.ptx_size, library.ptx);
    if (!text.empty() && text.back() == '\0') text.pop_back();
    if (!write(ptx, text)) return unusable;
    told.push_back("--image3=kind=ptx,sm=" + number + ",file=" + ptx);
  }
  library.destroy(&program);
  return 0;
}

int pack(const Order& order, std::vector<std::string> told) {
  told.insert(told.begin(), {order.fatbinary, "--create=" + order.output, "-64", "-compress=false"});
  std::vector<char*> words;
  for (std::string& word : told) words.push_back(word.data());
  words.push_back(nullptr);
  execv(words.front(), words.data());
  std::perror(words.front());
  return unusable;
}

}  // namespace

int main(int argc, char** argv) {
  const std::optional<Order> order = read_order(argc, argv);
  if (!order)
    return std::fputs("usage: hone-nvrtc LIBRARY FATBINARY SOURCE OUTPUT IMAGES HEADERS [OPTION]...\n", stderr),
           unusable;
  Library library;
  if (const std::string why = hone::nvrtc::load(order->library, library); !why.empty())
    return std::fprintf(stderr, "%s\n", why.c_str()), unusable;
  std::ifstream file(order->source, std::ios::binary);
  const std::string source{std::istreambuf_iterator<char>(file), {}};
  std::vector<std::string> told;
  for (const auto& [number, wanted] : order->images)
    if (const int code = compile(library, *order, source, number, wanted, told); code != 0) return code;
  return pack(*order, std::move(told));
}
