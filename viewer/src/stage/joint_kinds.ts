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

/** What others call the kinds of joints and forces. */
export const other_words: Record<string, string> = {
  revolute: "pin hinge pivot",
  prismatic: "translational translation slider sliding",
  fixed: "weld rigid",
  distance: "rod link",
  pin_in_slot: "slot",
  cam_roller: "cam",
  free: "floating",
  spherical: "ball ball_joint",
  universal: "cardan hooke",
  screw: "helical lead_screw",
  point_on_line: "inline",
  point_on_plane: "inplane",
  constant_velocity: "homokinetic cv",
  spring: "damper spring_damper shock_absorber",
  rotational_spring: "torsion_spring torsional_spring rotational_damper",
  table_spring: "nonlinear_spring",
  gas_spring: "gas_strut",
  bushing: "rubber_mount mount",
  force: "load",
  torque: "moment",
  plane_contact: "floor contact",
  tyre_spring: "tyre tire",
  coordinate_stop: "end_stop stop",
  joint_friction: "friction",
  dc_motor: "motor",
  position_servo: "servo",
  pid: "controller",
  hydraulic_cylinder: "cylinder hydraulic",
};
