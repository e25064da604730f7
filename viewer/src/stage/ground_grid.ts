// A quiet grid: paper behind a planar model, floor under a spatial one.
import * as THREE from "three";
import type { Palette } from "../theme";

const vertex = /* glsl */ `
  uniform float reach;
  varying vec2 v_point;
  void main() {
    v_point = position.xy * reach;
    gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
  }`;

const fragment = /* glsl */ `
  uniform vec3 color;
  uniform float step_size;
  uniform float reach;
  uniform float strength;
  varying vec2 v_point;
  float lines(float step) {
    vec2 p = v_point / step;
    vec2 width = fwidth(p);
    vec2 line = 1.0 - smoothstep(vec2(0.0), width * 1.1, abs(fract(p - 0.5) - 0.5));
    vec2 fade = 1.0 - smoothstep(vec2(0.15), vec2(0.5), width);
    return max(line.x * fade.x, line.y * fade.y);
  }
  void main() {
    float alpha = max(0.5 * lines(step_size), 0.2 * lines(step_size / 5.0));
    float far = 1.0 - smoothstep(0.35 * reach, reach, length(v_point));
    gl_FragColor = vec4(color, alpha * far * strength);
    #include <colorspace_fragment>
  }`;

/** 1, 2 or 5 times a power of ten, not larger than the wanted step. */
export function round_step(wanted: number): number {
  const power = 10 ** Math.floor(Math.log10(wanted));
  const lead = wanted / power;
  return power * (lead >= 5 ? 5 : lead >= 2 ? 2 : 1);
}

export class GroundGrid {
  readonly mesh: THREE.Mesh;
  step = 1;
  private readonly material: THREE.ShaderMaterial;

  constructor(
    size: number,
    private readonly planar: boolean,
  ) {
    this.material = new THREE.ShaderMaterial({
      vertexShader: vertex,
      fragmentShader: fragment,
      transparent: true,
      depthWrite: false,
      side: THREE.DoubleSide,
      uniforms: {
        color: { value: new THREE.Color() },
        step_size: { value: 1 },
        reach: { value: 1 },
        strength: { value: 1 },
      },
    });
    this.mesh = new THREE.Mesh(new THREE.PlaneGeometry(2, 2), this.material);
    this.mesh.renderOrder = -1;
    this.set_size(size);
  }

  /** Of what stands on it, m. */
  set_size(size: number): void {
    const reach = (this.planar ? 6 : 2.2) * size;
    this.step = round_step(size / 3);
    this.material.uniforms.step_size.value = this.step;
    this.material.uniforms.reach.value = reach;
    this.mesh.scale.setScalar(reach);
  }

  place(at: THREE.Vector3, up: THREE.Vector3): void {
    this.mesh.position.copy(at);
    this.mesh.quaternion.setFromUnitVectors(new THREE.Vector3(0, 0, 1), up);
  }
  paint(palette: Palette): void {
    (this.material.uniforms.color.value as THREE.Color).setHex(palette.grid);
    this.material.uniforms.strength.value = palette.grid_strength;
  }
}
