#!/usr/bin/env python3
"""Runs exported networks with onnxruntime and compares with what our reference says.

    pip install onnx onnxruntime numpy
    mkdir exported && cargo run --release -p meeple-network --example onnx -- exported
    scripts/check-onnx.py exported
"""
import json
import pathlib
import sys

import numpy
import onnx
import onnxruntime

worst = 0.0
files = sorted(pathlib.Path(sys.argv[1]).glob("*.onnx"))
for file in files:
    onnx.checker.check_model(str(file), full_check=True)
    expected = json.loads(file.with_suffix(".json").read_text())
    session = onnxruntime.InferenceSession(str(file), providers=["CPUExecutionProvider"])
    inputs = {"input": numpy.array([expected["input"]] * 3, dtype=numpy.float32)}
    if expected["action"] is not None:
        inputs["action"] = numpy.eye(expected["actions"], dtype=numpy.float32)[[expected["action"]] * 3]
    used = {value.name for value in session.get_inputs()}
    names = [value.name for value in session.get_outputs()]
    for name, output in zip(names, session.run(names, {key: inputs[key] for key in used})):
        difference = numpy.abs(output - numpy.array(expected[name])).max()
        worst = max(worst, difference / max(1.0, numpy.abs(output).max()))
print(f"{len(files)} networks, largest difference {worst:.2e}")
sys.exit(0 if files and worst < 1e-4 else 1)
