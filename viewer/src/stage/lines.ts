// Lines of constant width on the screen, one instance per segment, that may fade with time.
import * as THREE from "three";

const vertex = /* glsl */ `
  attribute vec3 start;
  attribute vec3 end;
  attribute vec2 times;
  attribute float phase;
  uniform vec2 resolution;
  uniform float width;
  varying float v_time;
  varying float v_phase;
  void main() {
    vec4 a = projectionMatrix * modelViewMatrix * vec4(start, 1.0);
    vec4 b = projectionMatrix * modelViewMatrix * vec4(end, 1.0);
    vec2 along = (b.xy / b.w - a.xy / a.w) * resolution;
    float size = length(along);
    along = size > 1e-6 ? along / size : vec2(1.0, 0.0);
    vec4 clip = mix(a, b, position.x);
    vec2 offset = vec2(-along.y, along.x) * position.y + along * (position.x - 0.5);
    clip.xy += offset * width / resolution * clip.w;
    v_time = mix(times.x, times.y, position.x);
    v_phase = phase + position.x;
    gl_Position = clip;
  }`;

const fragment = /* glsl */ `
  uniform vec3 color;
  uniform float opacity;
  uniform float now;
  uniform float memory;
  uniform float dashes;
  varying float v_time;
  varying float v_phase;
  void main() {
    float alpha = opacity;
    if (memory > 0.0) {
      float age = (now - v_time) / memory;
      alpha *= age < 0.0 ? 0.16 : mix(1.0, 0.3, min(age, 1.0));
    }
    if (dashes > 0.0) {
      float s = fract(v_phase * dashes);
      if ((s > 0.55 && s < 0.68) || s > 0.87) discard;
    }
    gl_FragColor = vec4(color, alpha);
    #include <colorspace_fragment>
  }`;

export class Lines {
  readonly mesh: THREE.Mesh;
  readonly material: THREE.ShaderMaterial;

  /** `points`: pairs of x, y, z (start, end); `times` per end of each segment, when they fade. */
  constructor(points: Float32Array, times?: Float32Array, dashes = 0) {
    const count = points.length / 6;
    const geometry = new THREE.InstancedBufferGeometry();
    const quad = new Float32Array([0, -1, 0, 1, -1, 0, 0, 1, 0, 1, 1, 0]);
    geometry.setAttribute("position", new THREE.BufferAttribute(quad, 3));
    geometry.setIndex([0, 1, 2, 2, 1, 3]);
    const pairs = new THREE.InstancedInterleavedBuffer(points, 6, 1);
    geometry.setAttribute("start", new THREE.InterleavedBufferAttribute(pairs, 3, 0));
    geometry.setAttribute("end", new THREE.InterleavedBufferAttribute(pairs, 3, 3));
    geometry.setAttribute("times", new THREE.InstancedBufferAttribute(times ?? new Float32Array(2 * count), 2));
    geometry.setAttribute("phase", new THREE.InstancedBufferAttribute(new Float32Array(count), 1));
    geometry.instanceCount = count;
    this.material = new THREE.ShaderMaterial({
      vertexShader: vertex,
      fragmentShader: fragment,
      transparent: true,
      depthWrite: false,
      uniforms: {
        resolution: { value: new THREE.Vector2(1, 1) },
        width: { value: 2 },
        color: { value: new THREE.Color() },
        opacity: { value: 1 },
        now: { value: 0 },
        memory: { value: 0 },
        dashes: { value: dashes },
      },
    });
    this.mesh = new THREE.Mesh(geometry, this.material);
    this.mesh.frustumCulled = false;
  }

  set_resolution(width: number, height: number, ratio: number, thickness: number): void {
    this.material.uniforms.resolution.value.set(width, height);
    this.material.uniforms.width.value = thickness * ratio;
  }
  set_color(hex: number | THREE.Color): void {
    (this.material.uniforms.color.value as THREE.Color).set(hex);
  }
  update(points: Float32Array): void {
    const attribute = this.mesh.geometry.getAttribute("start") as THREE.InterleavedBufferAttribute;
    (attribute.data.array as Float32Array).set(points);
    attribute.data.needsUpdate = true;
  }
  dispose(): void {
    this.mesh.geometry.dispose();
    this.material.dispose();
  }
}
