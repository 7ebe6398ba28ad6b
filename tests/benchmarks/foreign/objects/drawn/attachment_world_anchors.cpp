// World positions of points attached to rigid bodies: quaternion and vector operators inside std::transform.
#include <algorithm>

namespace rigid {

struct Vec3 {
  float x, y, z;
};

inline Vec3 operator+(const Vec3& a, const Vec3& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Vec3 operator*(float s, const Vec3& v) { return {s * v.x, s * v.y, s * v.z}; }
inline Vec3 cross(const Vec3& a, const Vec3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

struct Quaternion {
  float w;
  Vec3 v;

  Vec3 rotate(const Vec3& p) const {
    const Vec3 t = 2.0f * cross(v, p);
    return p + w * t + cross(v, t);
  }
};

struct Attachment {
  Quaternion orientation;
  Vec3 body_position;
  Vec3 local_anchor;

  Vec3 world_anchor() const { return body_position + orientation.rotate(local_anchor); }
};

}  // namespace rigid

#pragma hone kernel in(attachments[0:n]) out(world[0:n]) problem(n=3001) tolerance(rtol=1e-4)
void attachment_world_anchors(const rigid::Attachment* attachments, rigid::Vec3* world, int n) {
  std::transform(attachments, attachments + n, world,
                 [](const rigid::Attachment& a) { return a.world_anchor(); });
}
