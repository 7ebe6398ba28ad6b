// right: cuda-shared-tiling
// The pull of all bodies on each, one thread for each.
__global__ void pull(const float4* body, float3* force, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float4 me = body[i];
  float fx = 0.0f, fy = 0.0f, fz = 0.0f;
  for (int j = 0; j < n; ++j) {
    float4 other = body[j];
    float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
    float r2 = dx * dx + dy * dy + dz * dz + 1e-4f;
    float s = other.w / (r2 * sqrtf(r2));
    fx += s * dx;
    fy += s * dy;
    fz += s * dz;
  }
  force[i] = make_float3(fx, fy, fz);
}
void attraction(const float4* body, float3* force, int n) {
  pull<<<(n + 255) / 256, 256>>>(body, force, n);
}
