#include "support/elements/modes.h"

#include "trammel/model/block_element.h"

namespace trammel::support {
namespace {

template <class S>
class Modes final : public model::BlockElement<S> {
 public:
  using typename model::BlockElement<S>::Motion;
  using typename model::BlockElement<S>::Column;
  using typename model::BlockElement<S>::Square;

  Modes(const model::Values& values, const model::ElementSite<S>& site)
      : mass_(model::number(values, "modal_mass")),
        stiffness_(model::number(values, "modal_stiffness")),
        damping_(model::number(values, "modal_damping")) {
    if (site.amplitudes.size() != 1) {
      throw core::InputError("modes act on amplitudes", "name one set of them");
    }
  }

  void forces(const Motion& on, Column f) const override {
    f = -stiffness_ * on.amplitudes(0) - damping_ * on.rates(0);
  }
  bool mass(const Motion& /*on*/, Square M) const override {
    M.diagonal().setConstant(mass_);
    return true;
  }
  void tangent(const Motion& /*on*/,
               const Eigen::Ref<const Eigen::VectorXd>& /*a*/,
               Square K,
               Square D) const override {
    K.diagonal().setConstant(stiffness_);
    D.diagonal().setConstant(damping_);
  }
  bool lumped_mass(const Motion& /*on*/, Column m) const override {
    m.setConstant(mass_);
    return true;
  }
  double potential(const Motion& on) const override {
    return 0.5 * stiffness_ * on.amplitudes(0).squaredNorm();
  }
  model::ForcePower power(const Motion& on) const override {
    return {.dissipated = damping_ * on.rates(0).squaredNorm()};
  }

 private:
  double mass_;
  double stiffness_;
  double damping_;
};

template <class S>
std::unique_ptr<model::BlockElement<S>> build_modes(const model::Values& values,
                                                    const model::ElementSite<S>& site) {
  return std::make_unique<Modes<S>>(values, site);
}

}  // namespace

model::ForceKind modes(model::Space space) {
  using model::Field;
  using model::Sign;
  return {.name = "modes",
          .space = space,
          .summary = "masses, springs and dampers of amplitudes",
          .fields = {Field{.name = "modal_mass", .sign = Sign::positive},
                     Field{.name = "modal_stiffness", .sign = Sign::non_negative},
                     Field{.name = "modal_damping", .sign = Sign::non_negative}},
          .mirroring = model::mirrored_by_fields(),
          .attachments = 1,
          .build_planar_element = build_modes<model::Planar>,
          .build_spatial_element = build_modes<model::Spatial>};
}

}  // namespace trammel::support
