// What Clang's AST says of CUDA: where a function runs, what starts work on a device, what memory a variable lies in.
// False of everything in a file that is no CUDA. Pure.
#pragma once

#include <clang/AST/Type.h>

namespace clang {
class Decl;
class FunctionDecl;
class SourceManager;
class VarDecl;
}  // namespace clang

namespace hone::frontend {

bool is_global(const clang::FunctionDecl& function);  // __global__

// Is its file compiled as CUDA? Then it may work on a device, for which no workload makes arguments yet.
bool is_in_cuda(const clang::FunctionDecl& function);

// __device__ as written; a constexpr function may run there too, but nobody said so.
bool is_device(const clang::FunctionDecl& function);

// __global__, or __device__ without __host__: never called by the host's code.
bool runs_on_device_alone(const clang::FunctionDecl& function);

// A function of the CUDA runtime or driver, of CUB, Thrust, cuBLAS … as the host calls them.
bool drives_device(const clang::FunctionDecl& function);

// __shared__, which the dialect hides from Clang: read from the declaration's own text.
bool is_shared_memory(const clang::VarDecl& variable);

bool is_stream(clang::QualType type);  // cudaStream_t

}  // namespace hone::frontend
