"""Loading, building, editing, copying and writing models."""

import copy
import os
import pickle
from pathlib import Path

import numpy as np
import pytest

import trammel as tr

SLIDER_CRANK = "examples/slider_crank/slider_crank.yaml"


def twice(x):
    return 2.0 * x


def test_loaded_model_is_read_and_edited_by_the_words_of_the_file():
    model = tr.load(SLIDER_CRANK)
    assert model.space == "planar"
    assert model.gravity == [0, -9.81]
    assert list(model.bodies) == ["crank", "rod", "slider"]
    assert model.bodies["slider"].mass == "0.7 kg"
    assert model.bodies["crank"].frames["left"] == ["-crank_length/2", 0]
    model.bodies["slider"].mass = 2.0
    model.parameters["crank_length"] = "100 mm"
    values = model.check().values
    assert values["crank.position.x"] == pytest.approx(0.05 * np.cos(np.pi / 4), abs=1e-12)


def test_edit_changes_the_result_as_it_does_in_the_command_line():
    model = tr.load(SLIDER_CRANK)
    before = tr.simulate(model, until=0.1)
    model.bodies["slider"].mass = 2.0
    after = tr.simulate(model, until=0.1)
    assert before["crank.angle"][-1] != after["crank.angle"][-1]
    model.bodies["slider"].mass = 0.7
    # The same number, written otherwise: bit for bit the same run.
    assert np.array_equal(tr.simulate(model, until=0.1)["crank.angle"], before["crank.angle"])


def test_built_model_equals_its_own_file(arm):
    again = tr.loads(arm.to_yaml())
    assert again == arm
    assert np.array_equal(tr.simulate(again)["pin.angle"], tr.simulate(arm)["pin.angle"])


def test_unchanged_model_keeps_its_text_and_comments():
    model = tr.load(SLIDER_CRANK)
    assert model.bodies["rod"].angle == "-lean"
    assert model.to_yaml() == Path(SLIDER_CRANK).read_text()
    model.bodies["rod"].angle = 0.1
    assert "# " not in model.to_yaml()
    assert tr.loads(model.to_yaml()) == model


def test_every_example_survives_the_way_through_python():
    paths = sorted(Path("examples").glob("*/*.yaml"))
    assert len(paths) > 30
    for path in paths:
        tree = tr.load(path)._tree
        written = tr.loads(tr.yaml_text.text(tree), str(path))
        assert written._tree == tree, path
        written._read()


def test_arrays_and_tuples_are_lists_in_the_file(arm):
    arm.bodies["bar"].position = np.array([0.1, 0.2])
    arm.bodies["bar"].velocity = (np.float64(1), 2)
    assert arm.bodies["bar"].position == [0.1, 0.2]
    assert "velocity: [1.0, 2]" in arm.to_yaml()
    with pytest.raises(TypeError, match="numbers, texts, lists"):
        arm.bodies["bar"].position = object()


def test_texts_that_look_like_something_else_are_quoted():
    model = tr.Model(space="planar", name="yes")
    model.description = 'a: "b" # c\n- d'
    model.parameters["word"] = "1e3"
    again = tr.loads(model.to_yaml())
    assert (again.name, again.description, again.parameters["word"]) == ("yes", model.description, "1e3")


def test_unknown_words_are_refused_with_the_nearest(arm):
    with pytest.raises(AttributeError, match="mass"):
        arm.bodies["bar"].mas = 1
    with pytest.raises(KeyError, match="bar"):
        arm.bodies["baar"]
    with pytest.raises(AttributeError, match="bodies"):
        arm.bodys
    with pytest.raises(AttributeError, match="gravity"):
        arm.gravitiy = [0, 0]
    with pytest.raises(KeyError, match="already"):
        arm.bodies.add("bar", mass=1)
    with pytest.raises(ValueError, match="planar"):
        tr.Model(space="flat")


def test_keys_can_be_removed_and_items_deleted(arm):
    arm.simulation.step = None
    assert arm.simulation.step is None
    arm.forces.add("push", type="force", on="bar", force=[1, 0])
    assert len(arm.forces) == 1
    del arm.forces["push"]
    assert "push" not in arm.forces


def test_joint_knows_the_keys_of_its_kind(arm):
    assert "between" in dir(arm.joints["pin"])
    assert "axis" not in [line.split()[0] for line in arm.joints["pin"].help().splitlines()]


def test_model_is_copied_and_pickled(arm):
    arm.functions["twice"] = twice
    for other in (arm.copy(), copy.copy(arm), copy.deepcopy(arm), pickle.loads(pickle.dumps(arm))):
        assert other == arm
        other.bodies["bar"].mass = 7
        assert other != arm
        assert arm.bodies["bar"].mass is None
    loaded = pickle.loads(pickle.dumps(tr.load(SLIDER_CRANK)))
    assert loaded == tr.load(SLIDER_CRANK)


def test_check_tells_freedoms_redundancy_and_start():
    check = tr.load(SLIDER_CRANK).check()
    assert check.freedoms == 1
    assert check.redundant == []
    assert check.values["crank.angular_velocity"] == pytest.approx(10.0)
    assert "1" in repr(check)


def test_mistakes_are_told_at_once_with_their_places(arm):
    arm.bodies["bar"].mass = -1
    arm.joints.add("second", type="revolut", between=["ground", "bar"])
    with pytest.raises(tr.InputError) as caught:
        arm.check()
    assert {each.path.split(".")[0] for each in caught.value.diagnostics} >= {"bodies", "joints"}
    assert "revolute" in str(caught.value)
    # The model is no file, so that lines would mean nothing.
    assert all(each.line == 0 for each in caught.value.diagnostics)
    assert str(caught.value).startswith("error: ")


def test_mistakes_in_a_file_are_told_with_line_and_column(tmp_path):
    path = tmp_path / "bad.yaml"
    path.write_text("trammel: 1\nspace: planar\nbodies:\n  rod: {mass: -1, inertia: 1}\n")
    with pytest.raises(tr.InputError) as caught:
        tr.simulate(path)
    assert (caught.value.diagnostics[0].line, caught.value.diagnostics[0].column) == (4, 15)


def test_messages_are_those_of_the_command_line(cli):
    import subprocess

    bad = sorted(Path("tests/data/bad_models").glob("*.yaml"))
    assert bad
    for path in bad[:20]:
        told = subprocess.run([cli, "check", str(path)], capture_output=True, text=True)
        if told.returncode != 2:
            continue
        with pytest.raises(tr.InputError) as caught:
            tr.load(path).check()
        for each in caught.value.diagnostics:
            assert each.message in " ".join(told.stderr.split()), path


def test_missing_file_is_an_os_error():
    with pytest.raises(FileNotFoundError, match="no_such_model"):
        tr.load("no_such_model.yaml")


def test_included_files_become_part_of_an_edited_model(tmp_path):
    (tmp_path / "parts.yaml").write_text("bodies: {weight: {mass: 2 kg, inertia: 1 kg m^2}}\n")
    (tmp_path / "main.yaml").write_text("{trammel: 1, space: planar, include: parts.yaml}")
    model = tr.load(tmp_path / "main.yaml")
    assert model.bodies["weight"].mass == "2 kg"
    model.bodies["weight"].mass = 3
    assert model.check().freedoms == 3


def test_kinds_and_features():
    assert {"revolute", "prismatic"} <= {kind.name for kind in tr.kinds("joints", space="planar")}
    assert any(field.name == "spectral_radius" for kind in tr.kinds("integrators") for field in kind.fields)
    with pytest.raises(ValueError, match="joints"):
        tr.kinds("joint")
    assert tr.features()["trammel"] == tr.__version__
    assert tr.quantity("1500 rpm") == pytest.approx(50 * np.pi)
    with pytest.raises(tr.InputError):
        tr.quantity("3 metres")


def test_files_outside_the_folder_of_a_model_need_leave(tmp_path):
    (tmp_path / "part.yaml").write_text("parameters: {length: 2}\n")
    (tmp_path / "models").mkdir()
    path = tmp_path / "models" / "model.yaml"
    path.write_text("trammel: 1\nspace: planar\ninclude: ../part.yaml\nbodies: {b: {mass: length, inertia: 1}}\n")
    with pytest.raises(tr.InputError, match="outside the folder of the model.*allow_outside=True"):
        tr.load(path).check()
    model = tr.load(path, allow_outside=True)
    model.check()
    assert model.copy().parameters["length"] == 2


def test_saving_replaces_nothing_by_accident(tmp_path):
    model = tr.load(SLIDER_CRANK)
    model.save(tmp_path / "model.yaml")
    with pytest.raises(tr.InputError, match="exists already"):
        model.save(tmp_path / "model.yaml")
    model.bodies["slider"].mass = 2.0
    model.save(tmp_path / "model.yaml", overwrite=True)
    assert tr.load(tmp_path / "model.yaml") == model
    tr.simulate(model, until=0.01, output=tmp_path / "run.h5")
    (tmp_path / "notes.txt").write_text("precious")
    (tmp_path / "table.csv").write_text("time,load\n0,1\n")
    for name in ("run.h5", "notes.txt", "table.csv"):
        before = (tmp_path / name).read_bytes()
        for overwrite in (False, True):
            with pytest.raises(tr.InputError):
                model.save(tmp_path / name, overwrite=overwrite)
        assert (tmp_path / name).read_bytes() == before
    with pytest.raises(tr.InputError, match="does not exist"):
        model.save(tmp_path / "nowhere" / "model.yaml")


@pytest.mark.parametrize("edited", [False, True])
def test_saving_never_replaces_a_file_that_the_model_includes(tmp_path, edited):
    part = "trammel: 1\ninclude: deeper.yaml\nbodies: {weight: {mass: 2 kg, inertia: 1 kg m^2}}\n"
    (tmp_path / "part.yaml").write_text(part)
    (tmp_path / "deeper.yaml").write_text("trammel: 1\nparameters: {length: 2}\n")
    (tmp_path / "main.yaml").write_text("trammel: 1\nspace: planar\ninclude: part.yaml\n")
    model = tr.load(tmp_path / "main.yaml")
    if edited:
        model.bodies["weight"].mass = 3
    for name in ("part.yaml", "deeper.yaml"):
        before = (tmp_path / name).read_text()
        with pytest.raises(tr.InputError, match="cannot be written into itself"):
            model.save(tmp_path / name, overwrite=True)
        assert (tmp_path / name).read_text() == before
    model.save(tmp_path / "main.yaml", overwrite=True)
    assert tr.load(tmp_path / "main.yaml").check().freedoms == 3


def test_pipes_and_devices_are_no_models_and_nobody_is_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", "/dev/zero", "/dev/random"):
        with pytest.raises(tr.InputError, match="pipe or device"):
            tr.load(path)
    with pytest.raises(IsADirectoryError):
        tr.load(tmp_path)


def test_names_that_cannot_be_are_wrong_input(tmp_path):
    model = tr.load(SLIDER_CRANK)
    run = tr.simulate(model, until=0.01)
    (tmp_path / "loop.h5").symlink_to("loop.h5")
    for name in ("a" * 256 + ".h5", "loop.h5", "a\0b.h5"):
        with pytest.raises(tr.InputError):
            run.save(tmp_path / name, overwrite=True)
        with pytest.raises(tr.InputError):
            model.save(os.fspath(tmp_path / name), overwrite=True)
    assert [path.name for path in tmp_path.iterdir()] == ["loop.h5"]
