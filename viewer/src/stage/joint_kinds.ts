// By which symbol each kind of joint is drawn, as the program's registry tells: made by
// tools/check_registry --write, which also checks it.

export type PlanarSymbol =
  | "pin"
  | "rail"
  | "support"
  | "rod"
  | "slot"
  | "follower"
  | "roller_on_cam"
  | "face_on_cam"
  | "profiles"
  | "none";

export const planar_kinds: Record<string, PlanarSymbol> = {
  revolute: "pin",
  prismatic: "rail",
  fixed: "support",
  distance: "rod",
  pin_in_slot: "slot",
  rolling_disc: "pin",
  rolling_discs: "pin",
  skate: "pin",
  point_on_curve: "follower",
  cam_roller: "roller_on_cam",
  cam_flat: "face_on_cam",
  curve_on_curve: "profiles",
  velocity_fixed: "pin",
  free: "none",
};

export type SpatialSymbol =
  | "socket"
  | "cross"
  | "axle"
  | "sleeve"
  | "guide"
  | "block"
  | "rod"
  | "ball"
  | "bead"
  | "wires"
  | "none";

export const spatial_kinds: Record<string, SpatialSymbol> = {
  spherical: "socket",
  universal: "cross",
  revolute: "axle",
  cylindrical: "sleeve",
  prismatic: "guide",
  fixed: "block",
  distance: "rod",
  screw: "ball",
  planar: "ball",
  point_on_line: "ball",
  point_on_plane: "ball",
  constant_velocity: "ball",
  revolute_spherical: "ball",
  revolute_cross: "ball",
  rolling_sphere: "ball",
  rolling_disc: "ball",
  rolling_wheel: "ball",
  skate: "ball",
  point_on_curve: "bead",
  curve_on_curve: "wires",
  velocity_fixed: "ball",
  free: "none",
};
