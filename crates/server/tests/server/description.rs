//! The description of the interface is that of the server at hand.

use meeple_server::Settings;
use serde_json::{Value, json};

use crate::common::{Running, settings};

/// What a value breaks in a schema, if anything.
fn complaint(document: &Value, schema: &Value, value: &Value, place: &str) -> Option<String> {
    if let Some(reference) = schema["$ref"].as_str() {
        let name = reference.rsplit('/').next().unwrap();
        return complaint(document, &document["components"]["schemas"][name], value, place);
    }
    if let Some(options) = schema["oneOf"].as_array().or_else(|| schema["anyOf"].as_array()) {
        let fits = options.iter().any(|option| complaint(document, option, value, place).is_none());
        return (!fits).then(|| format!("{place}: {value} is none of the options"));
    }
    if let Some(all) = schema["allOf"].as_array() {
        return all.iter().find_map(|part| complaint(document, part, value, place));
    }
    let types: Vec<&str> = match &schema["type"] {
        Value::String(one) => vec![one],
        Value::Array(some) => some.iter().filter_map(Value::as_str).collect(),
        _ => return None,
    };
    let fits = types.iter().any(|kind| match *kind {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        _ => false,
    });
    if !fits {
        return Some(format!("{place}: {value} is not {types:?}"));
    }
    if let Some(words) = schema["enum"].as_array()
        && !words.contains(value)
    {
        return Some(format!("{place}: {value} is not one of {words:?}"));
    }
    if let Some(object) = value.as_object() {
        let required = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
        for name in required {
            if !object.contains_key(name) {
                return Some(format!("{place}.{name} is missing"));
            }
        }
        if let Some(properties) = schema["properties"].as_object() {
            for (name, inner) in object {
                let Some(property) = properties.get(name) else {
                    return Some(format!("{place}.{name} is not described"));
                };
                if let Some(found) = complaint(document, property, inner, &format!("{place}.{name}")) {
                    return Some(found);
                }
            }
        }
    }
    let items = value.as_array().into_iter().flatten();
    items.enumerate().find_map(|(n, item)| complaint(document, &schema["items"], item, &format!("{place}[{n}]")))
}

struct Caller<'a> {
    server: &'a Running,
    document: Value,
    called: Vec<String>,
}

impl Caller<'_> {
    /// Calls an address and holds the answer to the description.
    fn call(&mut self, method: &str, path: &str, address: &str, token: &str, body: Option<Value>) -> Value {
        let operation = &self.document["paths"][path][method.to_lowercase()];
        assert!(operation.is_object(), "{method} {path} is not described");
        if let Some(body) = &body {
            let schema = &operation["requestBody"]["content"]["application/json"]["schema"];
            assert_eq!(complaint(&self.document, schema, body, "body"), None, "{method} {path}");
        }
        let body = body.map(|body| body.to_string());
        let (status, answer) = self.server.request(method, address, &[("X-Seat-Token", token)], body.as_deref());
        assert_eq!(status, 200, "{method} {address}: {answer}");
        let content = operation["responses"]["200"]["content"].as_object().and_then(|kinds| kinds.values().next());
        let schema = &content.unwrap_or_else(|| panic!("{method} {path}: no answer is described"))["schema"];
        assert_eq!(complaint(&self.document, schema, &answer, "answer"), None, "{method} {path}: {status}");
        self.called.push(format!("{} {path}", method.to_lowercase()));
        answer
    }
}

#[test]
fn every_address_answers_as_described() {
    let settings = settings();
    let results = settings.data.join("runs");
    std::fs::create_dir_all(results.join("cup")).unwrap();
    std::fs::write(results.join("cup/report.md"), "# Cup").unwrap();
    let server = Running::start(Settings { results: vec![results], ..settings });
    let (_, document) = server.get("openapi.json");
    assert_eq!(document["info"]["title"], "Meeple");
    let mut caller = Caller { server: &server, document: document.clone(), called: Vec::new() };
    let mut post =
        |path: &str, address: &str, token: &str, body: Value| caller.call("POST", path, address, token, Some(body));
    let actions = json!(["a1", "b2"]);
    post("/api/v1/positions", "positions", "", json!({"game": "tic-tac-toe", "actions": actions, "viewer": null}));
    let question = json!({"game": "tic-tac-toe", "actions": actions, "agent": "mcts:iterations=50", "tree": {"depth": 2, "visits": 1}});
    post("/api/v1/analysis", "analysis", "", question);
    let seats = json!([{"kind": "person", "name": "Ann"}, {"kind": "open"}]);
    let created = post("/api/v1/tables", "tables", "", json!({"game": "tic-tac-toe", "seats": seats}));
    let (id, token) = (created["table"]["id"].as_str().unwrap(), created["tokens"][0].as_str().unwrap());
    post("/api/v1/tables/{id}/seats/{seat}", &format!("tables/{id}/seats/1"), "", json!({"name": "Bob"}));
    let mut at = |what: &str, body: Value| {
        post(&format!("/api/v1/tables/{{id}}/{what}"), &format!("tables/{id}/{what}"), token, body)
    };
    at("act", json!({"number": 0, "action": "a1"}));
    for what in ["pause", "resume", "resign", "rematch"] {
        caller.call("POST", &format!("/api/v1/tables/{{id}}/{what}"), &format!("tables/{id}/{what}"), token, None);
    }
    caller.call("GET", "/api/v1/tables/{id}", &format!("tables/{id}"), "", None);
    caller.call("GET", "/api/v1/tables/{id}/record", &format!("tables/{id}/record"), "", None);
    let bot = caller.call("POST", "/api/v1/bots", "bots", "", Some(json!({"name": "b"})));
    server.table("tic-tac-toe", json!([{"kind": "bot", "name": "b"}, {"kind": "agent", "agent": "random"}]));
    caller.call("GET", "/api/v1/bots/{name}/next", "bots/b/next", bot["token"].as_str().unwrap(), None);
    let request = json!({"game": "tic-tac-toe", "players": [{"agent": "random"}, {"agent": "random"}], "games": 2});
    let competition = caller.call("POST", "/api/v1/competitions", "competitions", "", Some(request));
    let competition = competition["competition"]["id"].as_str().unwrap();
    caller.call("GET", "/api/v1/competitions/{id}", &format!("competitions/{competition}"), "", None);

    let record = server.wait_for(&format!("tables/{id}"), |table| !table["record"].is_null())["record"].clone();
    caller.call("GET", "/api/v1/records/{id}", &format!("records/{record}"), "", None);
    caller.call("GET", "/api/v1/results/{run}/{file}", "results/cup/report.md", "", None);
    for list in ["games", "tables", "bots", "competitions", "records", "results"] {
        let answer = caller.call("GET", &format!("/api/v1/{list}"), list, "", None);
        let entries = answer.as_object().unwrap().values().find_map(Value::as_array).unwrap();
        assert!(!entries.is_empty(), "{list}: an empty list says nothing");
    }

    // Streams are tried elsewhere.
    let elsewhere = ["/api/v1/tables/{id}/stream", "/api/v1/bots/stream"];
    for (path, methods) in document["paths"].as_object().unwrap() {
        for method in methods.as_object().unwrap().keys() {
            let was = caller.called.contains(&format!("{method} {path}")) || elsewhere.contains(&path.as_str());
            assert!(was, "{method} {path} was not tried");
        }
    }
    let (status, _, page) = server.raw("GET", "docs", &[], None);
    assert!(status == 200 && page.contains("/api/v1/tables"), "the readable page");
}
