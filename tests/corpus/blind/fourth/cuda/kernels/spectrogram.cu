// Power spectrum of overlapping windows of a signal, which is zero behind its end. The windows have any length, so
// this is the plain discrete Fourier transform. One thread for each window and frequency.

__global__ void spectrogram_kernel(const float* x, const float* window, float* power, int samples, int hop,
                                   int length) {
  int bins = length / 2 + 1;
  int bin = blockIdx.x * blockDim.x + threadIdx.x;
  int frame = blockIdx.y;
  if (bin >= bins) {
    return;
  }
  float re = 0.0f, im = 0.0f;
  for (int n = 0; n < length; ++n) {
    size_t i = (size_t)frame * hop + n;
    float value = i < samples ? window[n] * x[i] : 0.0f;
    float sine, cosine;
    sincospif(2.0f * (bin * n % length) / length, &sine, &cosine);
    re += value * cosine;
    im -= value * sine;
  }
  power[(size_t)frame * bins + bin] = re * re + im * im;
}

#pragma hone kernel in(x[0 : samples], window[0 : length]) out(power[0 : frames][0 : length / 2 + 1]) \
    problem(samples = 160000, frames = 1000, hop = 160, length = 400) \
    problem(samples = 5003, frames = 41, hop = 120, length = 243) \
    requires(hop >= 0 && length <= 4096 && frames <= 65535) tolerance(rtol = 1e-3) stream(s)
void spectrogram(const float* x, const float* window, float* power, int samples, int frames, int hop, int length,
                 cudaStream_t s) {
  if (frames == 0) {
    return;
  }
  dim3 grid((length / 2 + 1 + 127) / 128, frames);
  spectrogram_kernel<<<grid, 128, 0, s>>>(x, window, power, samples, hop, length);
}
