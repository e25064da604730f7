// Dark outlines as in a technical drawing: the back of each solid, a little larger on the screen.
import * as THREE from "three";

const vertex = /* glsl */ `
  attribute vec3 smooth_normal;
  uniform vec2 resolution;
  uniform float width;
  void main() {
    #ifdef USE_INSTANCING
      mat4 to_world = instanceMatrix;
    #else
      mat4 to_world = mat4(1.0);
    #endif
    mat4 to_view = modelViewMatrix * to_world;
    vec4 clip = projectionMatrix * to_view * vec4(position, 1.0);
    mat3 stretch = mat3(to_world);
    vec3 scale = vec3(length(stretch[0]), length(stretch[1]), length(stretch[2]));
    vec2 direction = (mat3(to_view) * (smooth_normal / max(scale, vec3(1e-12)))).xy;
    float size = length(direction);
    if (size > 1e-9) clip.xy += direction / size * width * 2.0 / resolution * clip.w;
    // A hair behind, so that no speck of it shows through where two surfaces meet.
    clip.z += 2e-5 * clip.w;
    gl_Position = clip;
  }`;

const fragment = /* glsl */ `
  uniform vec3 color;
  uniform float opacity;
  void main() {
    gl_FragColor = vec4(color, opacity);
    #include <colorspace_fragment>
  }`;

export function outline_material(): THREE.ShaderMaterial {
  return new THREE.ShaderMaterial({
    vertexShader: vertex,
    fragmentShader: fragment,
    side: THREE.BackSide,
    uniforms: {
      resolution: { value: new THREE.Vector2(1, 1) },
      width: { value: 1.25 },
      color: { value: new THREE.Color() },
      opacity: { value: 1 },
    },
  });
}
