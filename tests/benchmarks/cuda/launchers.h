// What the files of this folder define, with C's linkage so that the suite finds it by name: compile them with
// `-include launchers.h`, which also makes the compiler check that all versions of a kernel have one signature.
#pragma once

extern "C" {
void vector_add(const float* a, const float* b, float* c, int n);
void saxpy(float a, const float* x, float* y, int n);
void gemm(const float* a, const float* b, float* c, int m, int n, int k);
void gemv(const float* a, const float* x, float* y, int rows, int columns);
void transpose(const float* a, float* b, int rows, int columns);
void reduction(const float* x, float* sum, int n);
void softmax(const float* x, float* y, int rows, int columns);
void layer_norm(const float* x, const float* gain, const float* bias, float* y, int rows, int columns);
void gelu_bias(const float* x, const float* bias, float* y, int rows, int columns);
void convolution_1d(const float* x, const float* weights, float* y, int n, int taps);
void convolution_2d(const float* picture, const float* weights, float* result, int w, int h, int size);
void stencil(const float* u, float* v, int w, int h, float alpha);
void histogram(const unsigned char* x, int* bins, int n);
void scan(const float* x, float* y, int n);
void batched_matmul(const float* a, const float* b, float* c, int batch, int size);
}
