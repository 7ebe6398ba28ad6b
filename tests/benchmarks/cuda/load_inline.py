#!/usr/bin/env python3
"""Compiles candidates with PyTorch's load_inline and checks them as KernelBench does, for the time that takes.

    load_inline.py FOLDER KERNEL...      FOLDER/KERNEL.cu defines the suite's launcher; KERNEL: softmax, layer_norm, gemv, transpose

KernelBench's check, as its paper (Ouyang et al. 2025) and its evaluation script have it: five draws of inputs compared with PyTorch's own
operator (allclose, atol and rtol 1e-2), then a hundred timed calls. One after the other, in this process. Needs PyTorch and a CUDA device.
"""
import pathlib
import sys
import time

import torch
from torch.utils.cpp_extension import load_inline

HEAD = pathlib.Path(__file__).with_name("launchers.h").read_text()

# The wrapper that PyTorch calls, the inputs, and the operator that a candidate is compared with.
KERNELS = {
    "softmax": (
        "softmax({0}, out, (int)a[0].size(0), (int)a[0].size(1))", "torch::empty_like(a[0])",
        lambda: [torch.randn(8192, 4096)], lambda x: torch.softmax(x, 1)),
    "layer_norm": (
        "layer_norm({0}, {1}, {2}, out, (int)a[0].size(0), (int)a[0].size(1))", "torch::empty_like(a[0])",
        lambda: [torch.rand(8192, 4096), torch.rand(4096), torch.rand(4096)],
        lambda x, gain, bias: torch.nn.functional.layer_norm(x, (x.shape[1],), gain, bias)),
    "gemv": (
        "gemv({0}, {1}, out, (int)a[0].size(0), (int)a[0].size(1))", "torch::empty({a[0].size(0)}, a[0].options())",
        lambda: [torch.rand(8192, 8192), torch.rand(8192)], lambda m, x: m @ x),
    "transpose": (
        "transpose({0}, out, (int)a[0].size(0), (int)a[0].size(1))",
        "torch::empty({a[0].size(1), a[0].size(0)}, a[0].options())",
        lambda: [torch.randn(8192, 4096)], lambda x: x.t().contiguous()),
}


def compile_candidate(name, text):
    call, result, _, _ = KERNELS[name]
    pointers = [f"a[{i}].data_ptr<float>()" for i in range(3)]
    wrapper = (f"torch::Tensor run(std::vector<torch::Tensor> a) {{ auto y = {result};"
               f" float* out = y.data_ptr<float>(); {call.format(*pointers)}; return y; }}")
    return load_inline(name=f"candidate_{name}_{time.time_ns()}",
                       cpp_sources="torch::Tensor run(std::vector<torch::Tensor> a);",
                       cuda_sources=f"{HEAD}\n{text}\n{wrapper}", functions=["run"], extra_cuda_cflags=["-O3"])


def check(name, module):
    _, _, draw, operator = KERNELS[name]
    for seed in range(5):
        torch.manual_seed(seed)
        inputs = [x.cuda() for x in draw()]
        if not torch.allclose(module.run(inputs), operator(*inputs), atol=1e-2, rtol=1e-2):
            return "wrong"
    times = []
    for _ in range(100):
        begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        begin.record()
        module.run(inputs)
        end.record()
        torch.cuda.synchronize()
        times.append(begin.elapsed_time(end))
    return f"{1000 * sorted(times)[50]:.1f} us"


def main():
    folder, names = pathlib.Path(sys.argv[1]), sys.argv[2:]
    torch.zeros(1).cuda()
    whole = time.time()
    for name in names:
        start = time.time()
        module = compile_candidate(name, (folder / f"{name}.cu").read_text())
        compiled = time.time()
        verdict = check(name, module)
        print(f"{name}: compiled {compiled - start:.1f} s, checked {time.time() - compiled:.1f} s: {verdict}", flush=True)
    print(f"load_inline and KernelBench's check: {60 * len(names) / (time.time() - whole):.2f} candidates a minute")


if __name__ == "__main__":
    main()
