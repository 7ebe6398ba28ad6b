// right: cuda-coalescing
// Particles that move on, each a structure.
struct Particle {
  float x, y, z, vx, vy, vz, mass, charge;
};
__global__ void move_on(Particle* particles, int n, float dt) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    particles[i].x += dt * particles[i].vx;
    particles[i].y += dt * particles[i].vy;
    particles[i].z += dt * particles[i].vz;
  }
}
void drift(Particle* particles, int n, float dt) {
  move_on<<<(n + 255) / 256, 256>>>(particles, n, dt);
}
