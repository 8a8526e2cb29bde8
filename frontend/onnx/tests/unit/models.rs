//! Small models, as bytes of the file, and the text that they become.

use std::fs;
use std::sync::Arc;

use bytes::Bytes as Shared;
use freehold_frontend::dialects;
use freehold_frontend::ir::diag::Diagnostics;
use freehold_frontend::syntax::printer::{PrintOptions, print};
use prost::Message as _;

use crate::proto::*;
use freehold_onnx::{Dim, PassedSizes, Sizes, Source, read};

const FLOAT: i32 = 1;
const INT64: i32 = 7;

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|&name| name.to_owned()).collect()
}

fn node(op_type: &str, input: &[&str], output: &[&str]) -> Node {
    Node {
        input: names(input),
        output: names(output),
        name: format!("the_{}", output.first().unwrap_or(&"")),
        op_type: op_type.to_owned(),
        ..Node::default()
    }
}

fn with(mut node: Node, attributes: Vec<Attribute>) -> Node {
    node.attribute = attributes;
    node
}

fn attribute(name: &str, kind: i32) -> Attribute {
    Attribute {
        name: name.to_owned(),
        kind,
        ..Attribute::default()
    }
}

fn int(name: &str, i: i64) -> Attribute {
    Attribute {
        i,
        ..attribute(name, 2)
    }
}

fn tensor_type(elem_type: i32, dims: &[DimensionValue]) -> Option<Box<Type>> {
    let dim = dims.iter().map(|dim| Dimension {
        value: Some(dim.clone()),
    });
    let shape = Some(Shape { dim: dim.collect() });
    let value = Some(TypeValue::Tensor(TensorType { elem_type, shape }));
    Some(Box::new(Type { value }))
}

fn size(n: i64) -> DimensionValue {
    DimensionValue::Size(n)
}

fn info(name: &str, ty: Option<Box<Type>>) -> ValueInfo {
    ValueInfo {
        name: name.to_owned(),
        ty,
    }
}

fn floats(name: &str, dims: &[i64], values: &[f32]) -> Tensor {
    Tensor {
        dims: dims.to_vec(),
        data_type: FLOAT,
        float_data: values.to_vec(),
        name: name.to_owned(),
        ..Tensor::default()
    }
}

/// A model with an input `x` and an output `y` of four floats.
fn model(node: Vec<Node>, initializer: Vec<Tensor>) -> Model {
    let four = || tensor_type(FLOAT, &[size(4)]);
    Model {
        ir_version: 8,
        graph: Some(Box::new(Graph {
            node,
            initializer,
            input: vec![info("x", four())],
            output: vec![info("y", four())],
            ..Graph::default()
        })),
        opset_import: vec![OperatorSet {
            domain: String::new(),
            version: 17,
        }],
        ..Model::default()
    }
}

/// What a model becomes, or why it becomes nothing.
fn text_with(model: &Model, dims: &[Dim]) -> Result<String, String> {
    let dims = dims.to_vec();
    let passed = Vec::new();
    bytes_to_text(model.encode_to_vec(), &Sizes { dims, passed })
}

fn bytes_to_text(bytes: Vec<u8>, sizes: &Sizes) -> Result<String, String> {
    let context = Arc::new(dialects::context().allow_unregistered_dialects(true));
    let mut diagnostics = Diagnostics::new();
    let source = Source {
        name: "m.onnx",
        bytes: &bytes.into(),
        folder: Some(std::env::temp_dir()),
        open: |file| {
            let mut bytes = Vec::new();
            std::io::Read::read_to_end(&mut &*file, &mut bytes)?;
            Ok(bytes.into())
        },
        sizes,
    };
    match read(&context, &source, &mut diagnostics) {
        Ok(ir) => Ok(print(&ir, PrintOptions::default())),
        Err(_) => Err(diagnostics.render_plain(&context)),
    }
}

fn text(model: &Model) -> String {
    text_with(model, &[]).unwrap()
}

fn error(model: &Model) -> String {
    let error = text_with(model, &[]).unwrap_err();
    let error = error.strip_prefix("m.onnx: error: ").unwrap();
    error.trim_end().to_owned()
}

fn graph(model: &mut Model) -> &mut Graph {
    model.graph.as_mut().unwrap()
}

#[track_caller]
fn has(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "no {part} in\n{text}");
    }
}

#[test]
fn nodes_become_operations() {
    let conv = with(
        node("Conv", &["x", "w", ""], &["y"]),
        vec![
            int("group", 1),
            Attribute {
                ints: vec![1, 2],
                ..attribute("pads", 7)
            },
            Attribute {
                s: Shared::from_static(b"VALID"),
                ..attribute("auto_pad", 3)
            },
            Attribute {
                f: 0.5,
                ..attribute("alpha", 1)
            },
        ],
    );
    let model = model(vec![conv], vec![floats("w", &[2], &[1.0, 2.0])]);
    let text = text(&model);
    has(
        &text,
        &[
            "onnx.opset = 17 : i64",
            "func.func @main(%arg0: tensor<4xf32> {onnx.name = \"x\"}) -> (tensor<4xf32> {onnx.name = \"y\"})",
            "\"onnx.Constant\"() {value = dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>} : () -> tensor<2xf32>",
            "\"onnx.NoValue\"() {value} : () -> none",
            "alpha = 5.000000e-01 : f32",
            "auto_pad = \"VALID\"",
            "group = 1 : si64",
            "onnx_node_name = \"the_y\"",
            "pads = [1, 2]",
            "(tensor<4xf32>, tensor<2xf32>, none) -> tensor<4xf32>",
        ],
    );
}

#[test]
fn dimensions_have_names_and_may_get_sizes() {
    let mut model = model(vec![node("Relu", &["x"], &["y"])], vec![]);
    let symbolic = tensor_type(FLOAT, &[DimensionValue::Symbol("batch".into()), size(3)]);
    graph(&mut model).input[0].ty = symbolic;
    has(
        &text(&model),
        &["%arg0: tensor<?x3xf32> {onnx.dim_params = \"0:batch\", onnx.name = \"x\"}"],
    );
    let sized = text_with(&model, &[("batch".to_owned(), vec![2])]).unwrap();
    has(&sized, &["%arg0: tensor<2x3xf32> {onnx.name = \"x\"}"]);
    let sized = text_with(&model, &[("x".to_owned(), vec![5, 3])]).unwrap();
    has(&sized, &["%arg0: tensor<5x3xf32> {onnx.name = \"x\"}"]);
    let wrong = text_with(&model, &[("x".to_owned(), vec![5, 4])]).unwrap_err();
    has(
        &wrong,
        &["input 'x': the sizes 5x4 do not fit 'tensor<?x3xf32>'"],
    );
    let wrong = text_with(&model, &[("width".to_owned(), vec![2])]).unwrap_err();
    has(
        &wrong,
        &[
            "the model has no dimension or input 'width': its dimensions are [batch], its inputs [x]",
        ],
    );
}

#[test]
fn inputs_get_the_sizes_of_what_is_passed() {
    let mut model = model(vec![node("Add", &["x", "y"], &["z"])], vec![]);
    let symbolic = || tensor_type(FLOAT, &[DimensionValue::Symbol("n".into())]);
    let graph = graph(&mut model);
    graph.input[0].ty = symbolic();
    graph.input.push(graph.input[0].clone());
    graph.input[1].name = "y".to_owned();
    // The name says nothing of a result, which the model may have wrong.
    graph.output[0].name = "z".to_owned();
    graph.output[0].ty = symbolic();
    let passed = |sizes: [(Option<&str>, &[i64]); 2]| {
        let passed = sizes.map(|(input, sizes)| PassedSizes {
            input: input.map(str::to_owned),
            sizes: sizes.to_vec(),
        });
        let (dims, passed) = (Vec::new(), passed.to_vec());
        bytes_to_text(model.encode_to_vec(), &Sizes { dims, passed })
    };
    let sized = passed([(None, &[4]), (None, &[4])]).unwrap();
    has(
        &sized,
        &[
            "%arg0: tensor<4xf32> {",
            "%arg1: tensor<4xf32> {",
            "-> (tensor<?xf32> {",
        ],
    );
    // Those with names are not next in the order.
    let named = passed([(None, &[4, 1]), (Some("x"), &[4])]).unwrap_err();
    has(
        &named,
        &["input 'y': the sizes 4x1 do not fit 'tensor<?xf32>'"],
    );
    let wrong = passed([(None, &[4]), (None, &[5])]).unwrap_err();
    has(&wrong, &["'n' has more than one size"]);
}

#[test]
fn the_order_of_nodes_does_not_matter_and_circles_are_named() {
    let nodes = vec![node("Neg", &["a"], &["y"]), node("Abs", &["x"], &["a"])];
    let text = text(&model(nodes, vec![]));
    assert!(text.find("onnx.Abs") < text.find("onnx.Neg"), "{text}");
    let nodes = vec![
        node("Neg", &["b"], &["y"]),
        node("Add", &["x", "y"], &["a"]),
        node("Mul", &["a", "x"], &["b"]),
    ];
    assert_eq!(
        error(&model(nodes, vec![])),
        "the graph has a circle: node 'the_y' (Neg), node 'the_b' (Mul), node 'the_a' (Add)"
    );
}

#[test]
fn wrong_graphs_are_errors() {
    let relu = || node("Relu", &["x"], &["y"]);
    assert_eq!(
        error(&model(vec![node("Relu", &["z"], &["y"])], vec![])),
        "node 'the_y' (Relu): input 'z' is not defined"
    );
    assert_eq!(
        error(&model(vec![relu(), relu()], vec![])),
        "node 'the_y' (Relu): 'y' is defined twice"
    );
    assert_eq!(error(&model(vec![], vec![])), "output 'y' is not computed");
    let mut old = model(vec![relu()], vec![]);
    old.opset_import[0].version = 5;
    assert_eq!(
        error(&old),
        "node 'the_y' (Relu): this operator of opset 5 is not supported: opsets from 6 on are"
    );
    old.opset_import[0].version = 29;
    assert_eq!(
        error(&old),
        "the model uses opset 29; opsets 1 to 28 are supported"
    );
    old.ir_version = 2;
    has(&error(&old), &["IR version 2; versions 3 to 14"]);
    let other = Node {
        domain: "com.example".to_owned(),
        ..relu()
    };
    assert_eq!(
        error(&model(vec![other], vec![])),
        "node 'the_y' (Relu): the model does not say which version of domain 'com.example' it uses"
    );
    let mut missing = floats("w", &[3], &[1.0]);
    assert_eq!(
        error(&model(vec![relu()], vec![missing.clone()])),
        "initializer 'w': expected 3 numbers for elements of type FLOAT, but there are 1"
    );
    missing.raw_data = Some(Shared::from_static(&[0; 8]));
    assert_eq!(
        error(&model(vec![relu()], vec![missing.clone()])),
        "initializer 'w': expected 12 bytes of raw data, but there are 8"
    );
    missing.data_type = 29;
    assert_eq!(
        error(&model(vec![relu()], vec![missing])),
        "initializer 'w': there is no element type with the number 29"
    );
}

#[test]
fn opset_6_becomes_opset_7() {
    let add = with(
        node("Add", &["x", "w"], &["y"]),
        vec![int("broadcast", 1), int("axis", 0)],
    );
    let mut old = model(vec![add], vec![floats("w", &[3], &[1.0, 2.0, 3.0])]);
    graph(&mut old).input[0].ty = tensor_type(FLOAT, &[size(3), size(4)]);
    old.opset_import[0].version = 6;
    has(
        &text(&old),
        &[
            "onnx.opset = 7 : i64",
            "\"onnx.Unsqueeze\"(%0) {axes = [1]} : (tensor<3xf32>) -> !onnx.Unknown",
            "\"onnx.Add\"(%arg0, %1) {onnx_node_name = \"the_y\"}",
        ],
    );
}

#[test]
fn initializers_that_are_inputs_are_no_arguments() {
    let mut model = model(
        vec![node("Add", &["x", "w"], &["y"])],
        vec![floats("w", &[1], &[2.0])],
    );
    graph(&mut model)
        .input
        .insert(0, info("w", tensor_type(FLOAT, &[size(1)])));
    has(
        &text(&model),
        &["@main(%arg0: tensor<4xf32> {onnx.name = \"x\"})"],
    );
}

#[test]
fn constants_of_all_attributes_are_tensors() {
    let constant =
        |output: &str, attribute| with(node("Constant", &[], &[output]), vec![attribute]);
    let nodes = vec![
        constant("a", int("value_int", 3)),
        constant(
            "b",
            Attribute {
                floats: vec![1.0],
                ..attribute("value_floats", 6)
            },
        ),
        constant(
            "c",
            Attribute {
                s: Shared::from_static(b"hi"),
                ..attribute("value_string", 3)
            },
        ),
        constant(
            "d",
            Attribute {
                sparse_tensor: Some(Box::new(SparseTensor {
                    values: Some(Box::new(floats("", &[2], &[5.0, 6.0]))),
                    indices: Some(Box::new(Tensor {
                        dims: vec![2, 2],
                        data_type: INT64,
                        int64_data: vec![0, 1, 1, 0],
                        ..Tensor::default()
                    })),
                    dims: vec![2, 2],
                })),
                ..attribute("sparse_value", 11)
            },
        ),
        node("Relu", &["x"], &["y"]),
    ];
    has(
        &text(&model(nodes, vec![])),
        &[
            "dense<3> : tensor<i64>",
            "dense<1.000000e+00> : tensor<1xf32>",
            "dense<\"hi\"> : tensor<!onnx.String>",
            "dense<[[0.000000e+00, 5.000000e+00], [6.000000e+00, 0.000000e+00]]> : tensor<2x2xf32>",
        ],
    );
}

#[test]
fn small_elements_are_unpacked() {
    let raw = |data_type, bytes: &'static [u8], n| Tensor {
        dims: vec![n],
        data_type,
        raw_data: Some(Shared::from_static(bytes)),
        ..floats("", &[], &[])
    };
    let constant = |output: &str, tensor| {
        let attribute = Attribute {
            t: Some(Box::new(tensor)),
            ..attribute("value", 4)
        };
        with(node("Constant", &[], &[output]), vec![attribute])
    };
    let nodes = vec![
        constant("a", raw(21, &[0x21, 0x0f], 3)),
        constant("b", raw(22, &[0xf1], 2)),
        constant("c", raw(9, &[1, 0, 7], 3)),
        constant("d", raw(23, &[0xf1, 0x02], 3)),
        constant("e", raw(24, &[127, 130], 2)),
        // Four elements in three bytes, the low bits first.
        constant("f", raw(27, &[0x48, 0xf0, 0x1c, 0x21], 5)),
        constant("g", raw(28, &[0x6c, 0x07], 2)),
        constant(
            "h",
            Tensor {
                dims: vec![3],
                data_type: 28,
                int32_data: vec![12, 0x3f, 0x2c],
                ..floats("", &[], &[])
            },
        ),
        node("Relu", &["x"], &["y"]),
    ];
    has(
        &text(&model(nodes, vec![])),
        &[
            "dense<[1, 2, 15]> : tensor<3xui4>",
            "dense<[1, -1]> : tensor<2xi4>",
            "dense<[true, false, true]> : tensor<3xi1>",
            "dense<[5.000000e-01, -6.000000e+00, 1.000000e+00]> : tensor<3xf4E2M1FN>",
            "dense<[1.000000e+00, 8.000000e+00]> : tensor<2xf8E8M0FNU>",
            "dense<[1.000000e+00, 1.250000e-01, 1.875000e+00, 8.750000e-01, -1.250000e-01]> : tensor<5xf6E2M3FN>",
            "dense<[-1.000000e+00, 2.000000e+01]> : tensor<2xf6E3M2FN>",
            "dense<[1.000000e+00, -2.800000e+01, -1.000000e+00]> : tensor<3xf6E3M2FN>",
        ],
    );
}

#[test]
fn graphs_of_nodes_are_regions_that_see_outer_values() {
    let branch = |op: &str| {
        Some(Box::new(Graph {
            node: vec![node(op, &["x"], &["inner"])],
            output: vec![info("inner", None)],
            ..Graph::default()
        }))
    };
    let attributes = vec![
        Attribute {
            g: branch("Neg"),
            ..attribute("else_branch", 5)
        },
        Attribute {
            g: branch("Abs"),
            ..attribute("then_branch", 5)
        },
    ];
    let nodes = vec![
        with(node("If", &["c"], &["y"]), attributes),
        node("IsNaN", &["x"], &["c"]),
    ];
    let text = text(&model(nodes, vec![]));
    has(&text, &["\"onnx.Yield\"(", "!onnx.Unknown"]);
    assert!(text.find("onnx.Abs") < text.find("onnx.Neg"), "{text}");
}

#[test]
fn functions_are_inlined_with_their_attributes() {
    let inner = with(
        node("LeakyRelu", &["a"], &["b"]),
        vec![Attribute {
            ref_attr_name: "slope".to_owned(),
            ..attribute("alpha", 1)
        }],
    );
    let function = Function {
        name: "Mine".to_owned(),
        domain: "own".to_owned(),
        input: names(&["a"]),
        output: names(&["b"]),
        attribute: names(&["slope"]),
        node: vec![inner],
        opset_import: vec![OperatorSet {
            domain: "ai.onnx".to_owned(),
            version: 15,
        }],
        ..Function::default()
    };
    let call = with(
        Node {
            domain: "own".to_owned(),
            ..node("Mine", &["x"], &["y"])
        },
        vec![Attribute {
            f: 0.25,
            ..attribute("slope", 1)
        }],
    );
    let mut model = model(vec![call], vec![]);
    model.functions = vec![function];
    has(
        &text(&model),
        &[
            "\"onnx.LeakyRelu\"(%arg0) {alpha = 2.500000e-01 : f32, onnx.opset = 15 : si64",
            "(tensor<4xf32>) -> tensor<4xf32>",
        ],
    );
    let own = &mut model.functions[0];
    own.node = vec![Node {
        domain: "own".to_owned(),
        ..node("Mine", &["a"], &["b"])
    }];
    has(
        &error(&model),
        &["node 'the_b' (Mine): function 'Mine' calls itself"],
    );
}

#[test]
fn operators_of_other_domains_are_custom() {
    let other = Node {
        domain: "com.microsoft".to_owned(),
        ..node("FusedMatMul", &["x", "x"], &["y"])
    };
    let mut model = model(vec![other], vec![]);
    model.opset_import.push(OperatorSet {
        domain: "com.microsoft".to_owned(),
        version: 1,
    });
    has(
        &text(&model),
        &[
            "\"onnx.Custom\"(%arg0, %arg0) {domain_name = \"com.microsoft\", function_name = \"FusedMatMul\"",
        ],
    );
}

#[test]
fn external_data_is_found_in_the_folder_alone() {
    let entry = |key: &str, value: &str| Entry {
        key: key.to_owned(),
        value: value.to_owned(),
    };
    let file = format!("freehold-onnx-{}.bin", std::process::id());
    let path = std::env::temp_dir().join(&file);
    fs::write(&path, [0, 0, 0, 0, 0, 0, 128, 63]).unwrap();
    let mut tensor = floats("w", &[1], &[]);
    tensor.data_location = 1;
    let relu = || node("Relu", &["x"], &["y"]);
    let read = |entries: Vec<Entry>| {
        let mut tensor = tensor.clone();
        tensor.external_data = entries;
        text_with(&model(vec![relu()], vec![tensor]), &[])
    };
    let found = read(vec![
        entry("location", &file),
        entry("offset", "4"),
        entry("length", "4"),
    ]);
    let cases = [
        (
            vec![entry("location", &file), entry("offset", "8")],
            "expected 4 bytes of external data, but there are 0",
        ),
        (
            vec![entry("location", &file), entry("offset", "9")],
            "external data ends at byte 9, but",
        ),
        (
            vec![entry("location", "../x")],
            "is not in the folder of the model",
        ),
        (
            vec![entry("location", "/etc/passwd")],
            "is not in the folder of the model",
        ),
        (
            vec![entry("location", "missing.bin")],
            "cannot open external data 'missing.bin'",
        ),
        (vec![entry("offset", "0")], "external data has no location"),
    ];
    for (entries, message) in cases {
        has(&read(entries).unwrap_err(), &[message]);
    }
    fs::remove_file(path).unwrap();
    has(&found.unwrap(), &["dense<1.000000e+00> : tensor<1xf32>"]);
}

/// Bytes with changes like those that accidents and attackers make.
fn mutate(bytes: &mut Vec<u8>, mut seed: u64) {
    let mut random = |n: usize| {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % n.max(1)
    };
    for _ in 0..=random(3) {
        let at = random(bytes.len());
        match random(5) {
            0 => bytes[at] = random(256) as u8,
            1 => bytes[at] ^= 1 << random(8),
            2 => bytes.truncate(at.max(1)),
            3 => {
                let end = (at + random(40)).min(bytes.len());
                let piece = bytes[at..end].to_vec();
                let to = random(bytes.len());
                bytes.splice(to..to, piece);
            }
            _ => {
                let end = (at + random(40)).min(bytes.len());
                bytes.drain(at..end.min(bytes.len() - 1).max(at));
            }
        }
    }
}

#[test]
fn broken_files_are_errors_or_other_models() {
    let branch = Some(Box::new(Graph {
        node: vec![node("Neg", &["x"], &["inner"])],
        output: vec![info("inner", None)],
        ..Graph::default()
    }));
    let attributes = ["then_branch", "else_branch"].map(|name| Attribute {
        g: branch.clone(),
        ..attribute(name, 5)
    });
    let nodes = vec![
        node("IsNaN", &["x"], &["c"]),
        with(node("If", &["c"], &["z"]), attributes.to_vec()),
        node("Conv", &["z", "w", ""], &["y"]),
    ];
    let bytes = model(nodes, vec![floats("w", &[4], &[1.0, 2.0, 3.0, 4.0])]).encode_to_vec();
    let n = std::env::var("FREEHOLD_PROGRAMS")
        .ok()
        .and_then(|n| n.parse().ok());
    let first = std::env::var("FREEHOLD_SEED")
        .ok()
        .and_then(|n| n.parse().ok());
    let (n, first) = (n.unwrap_or(2000), first.unwrap_or(0));
    let mut n_read = 0;
    for seed in first..first + n {
        let mut mutant = bytes.clone();
        mutate(&mut mutant, seed);
        match bytes_to_text(mutant, &Sizes::default()) {
            Ok(_) => n_read += 1,
            Err(message) => assert!(message.starts_with("m.onnx: error: "), "{message}"),
        }
    }
    assert!(n_read > 0 && n_read < n, "{n_read} of {n} are models");
}
