#include "tool/nvrtc/library.h"

#include <dlfcn.h>

namespace hone::nvrtc {
namespace {

template <class Function>
bool find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  return function != nullptr;
}

}  // namespace

std::string load(const std::string& path, Library& library) {
  // NVRTC asks for these by a bare name, which leads nowhere unless they are there already.
  const std::string folder = path.substr(0, path.rfind('/') + 1);
  dlopen((folder + "libnvrtc-builtins.so").c_str(), RTLD_NOW | RTLD_GLOBAL);
  void* const handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) return dlerror();
  const bool whole =
      find(handle, "nvrtcCreateProgram", library.create) && find(handle, "nvrtcDestroyProgram", library.destroy) &&
      find(handle, "nvrtcCompileProgram", library.compile) &&
      find(handle, "nvrtcGetProgramLogSize", library.log_size) && find(handle, "nvrtcGetProgramLog", library.log) &&
      find(handle, "nvrtcGetCUBINSize", library.cubin_size) && find(handle, "nvrtcGetCUBIN", library.cubin) &&
      find(handle, "nvrtcGetPTXSize", library.ptx_size) && find(handle, "nvrtcGetPTX", library.ptx) &&
      find(handle, "nvrtcGetErrorString", library.words);
  return whole ? "" : path + " lacks a function of NVRTC";
}

}  // namespace hone::nvrtc
