// How each kind of joint is drawn. The names are those of the program's registry: a test compares them.

/** Planar: a pin, a rail, a slot with a pin in it, the two ends of a rod, a support alone, a point on a curve, or nothing. */
export type PlanarSymbol = "pin" | "rail" | "slot" | "rod" | "support" | "follower" | "none";

export const planar_kinds: Record<string, PlanarSymbol> = {
  revolute: "pin",
  prismatic: "rail",
  fixed: "support",
  distance: "rod",
  pin_in_slot: "slot",
  rolling_disc: "pin",
  rolling_discs: "pin",
  skate: "pin",
  // Curves are parts of their bodies.
  point_on_curve: "follower",
  cam_roller: "none",
  cam_flat: "none",
  curve_on_curve: "none",
  velocity_fixed: "pin",
  free: "none",
};

/** Spatial: an axle, a sleeve on a rod, a rod to slide on, a cross, a block, the two ends of a rod, a ball, or nothing. */
export type SpatialSymbol = "axle" | "sleeve" | "guide" | "cross" | "block" | "rod" | "ball" | "none";

export const spatial_kinds: Record<string, SpatialSymbol> = {
  spherical: "ball",
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
  point_on_curve: "ball",
  curve_on_curve: "none",
  velocity_fixed: "ball",
  free: "none",
};
