//! The description of the interface as a page for people, without scripts.

use axum::response::Html;
use serde_json::Value;

use super::description;

pub(super) async fn docs() -> Html<String> {
    let document = serde_json::to_value(description()).unwrap_or_default();
    Html(Docs { document }.page())
}

struct Docs {
    document: Value,
}

impl Docs {
    fn page(&self) -> String {
        let mut text = String::from(
            "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><title>Meeple: interface</title>\
             <link rel=\"icon\" href=\"/web/icon.svg\" type=\"image/svg+xml\">\
             <link rel=\"stylesheet\" href=\"/web/theme.css\"><link rel=\"stylesheet\" href=\"/web/layout.css\"></head>\
             <body><main class=\"docs\"><h1>Interface</h1><p>The same as <a href=\"/api/v1/openapi.json\">OpenAPI</a>. \
             Errors are <code>{\"code\", \"message\"}</code>.</p>",
        );
        let paths = self.document["paths"].as_object().into_iter().flatten();
        let operations = paths.flat_map(|(path, methods)| {
            methods.as_object().into_iter().flatten().map(move |(method, operation)| (method, path, operation))
        });
        text.extend(operations.map(|(method, path, operation)| self.operation(method, path, operation)));
        text + &self.types() + "</main></body></html>"
    }

    fn operation(&self, method: &str, path: &str, operation: &Value) -> String {
        let mut text = format!("<section><h2><code>{} {}</code></h2>", method.to_uppercase(), escape(path));
        text += &format!("<p>{} {}</p>", described(operation, "summary"), described(operation, "description"));
        text += &self.parameters(&operation["parameters"]);
        let request = &operation["requestBody"]["content"]["application/json"]["schema"];
        if !request.is_null() {
            text += &format!("<h3>Request</h3>{}", self.content(self.resolved(request)));
        }
        let answer = &operation["responses"]["200"]["content"]["application/json"]["schema"];
        if !answer.is_null() {
            text += &format!("<h3>Answer</h3><p>{}</p>", self.kind(answer));
        }
        text + "</section>"
    }

    /// What is part of the address or of the head of a request.
    fn parameters(&self, parameters: &Value) -> String {
        let item = |parameter: &Value| {
            let place = format!("in the {}", parameter["in"].as_str().unwrap_or_default());
            let place = place.replace("in the path", "in the address");
            self.field(&parameter["name"], &parameter["schema"], parameter["required"] == true, &place)
        };
        let items: String = parameters.as_array().into_iter().flatten().map(item).collect();
        if items.is_empty() { items } else { format!("<h3>Parameters</h3><ul>{items}</ul>") }
    }

    /// All that has a name, for others to refer to.
    fn types(&self) -> String {
        let schemas = self.document["components"]["schemas"].as_object().into_iter().flatten();
        let named = schemas.filter(|(_, schema)| is_worth_a_name(schema));
        let section = |(name, schema): (&String, &Value)| {
            let about = described(schema, "description");
            format!("<section id=\"{0}\"><h3>{0}</h3><p>{about}</p>{1}</section>", escape(name), self.content(schema))
        };
        format!("<h2>Types</h2>{}", named.map(section).collect::<String>())
    }

    /// The fields of an object, the variants of a choice, or just the type of anything else.
    fn content(&self, schema: &Value) -> String {
        if let Some(variants) = schema["oneOf"].as_array() {
            let variant = |one: &Value| format!("<li>{} {}</li>", described(one, "description"), self.content(one));
            return format!("<p>One of:</p><ul>{}</ul>", variants.iter().map(variant).collect::<String>());
        }
        let Some(properties) = schema["properties"].as_object() else {
            return format!("<p>{}</p>", self.kind(schema));
        };
        let required =
            |name: &String| schema["required"].as_array().is_some_and(|names| names.contains(&name[..].into()));
        let item = |(name, property): (&String, &Value)| {
            self.field(&name[..].into(), property, required(name), described(property, "description").as_str())
        };
        format!("<ul>{}</ul>", properties.iter().map(item).collect::<String>())
    }

    /// `about` is markup.
    fn field(&self, name: &Value, schema: &Value, required: bool, about: &str) -> String {
        let name = escape(name.as_str().unwrap_or_default());
        let mark = if required { " <em>required</em>" } else { "" };
        format!("<li><code>{name}</code> <span class=\"kind\">{}</span>{mark} {about}</li>", self.kind(schema))
    }

    /// A type in a few words, with links to those that have a name.
    fn kind(&self, schema: &Value) -> String {
        if let Some(name) = name_of(schema) {
            let meant = self.resolved(schema);
            let name = escape(name);
            return if is_worth_a_name(meant) { format!("<a href=\"#{name}\">{name}</a>") } else { self.kind(meant) };
        }
        let plain = |kind: &Value| match kind.as_str().unwrap_or("anything") {
            "array" => format!("list of {}", self.kind(&schema["items"])),
            "object" if schema["additionalProperties"].is_object() => {
                format!("{} by name", self.kind(&schema["additionalProperties"]))
            }
            kind => escape(kind),
        };
        let word = |word: &Value| format!("<code>{}</code>", escape(&word.to_string()));
        let options: Vec<String> = match (&schema["oneOf"], &schema["enum"], &schema["type"]) {
            (Value::Array(kinds), _, _) => kinds.iter().map(|kind| self.kind(kind)).collect(),
            (_, Value::Array(words), _) => words.iter().map(word).collect(),
            (_, _, Value::Array(kinds)) => kinds.iter().map(plain).collect(),
            (_, _, kind) => vec![plain(kind)],
        };
        options.join(" or ")
    }

    /// What a reference refers to.
    fn resolved<'a>(&'a self, schema: &'a Value) -> &'a Value {
        name_of(schema).map_or(schema, |name| &self.document["components"]["schemas"][name])
    }
}

fn name_of(schema: &Value) -> Option<&str> {
    schema["$ref"].as_str()?.rsplit('/').next()
}

/// Plain numbers and texts are shown where they are used.
fn is_worth_a_name(schema: &Value) -> bool {
    ["properties", "oneOf", "enum"].iter().any(|part| !schema[part].is_null())
}

/// A text of the description as markup. That of an optional reference is inside it.
fn described(schema: &Value, part: &str) -> String {
    let inside = &schema["oneOf"][0][part];
    escape(
        schema[part]
            .as_str()
            .or(inside.as_str().filter(|_| schema["oneOf"][0]["$ref"].is_string()))
            .unwrap_or_default(),
    )
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page() -> String {
        Docs { document: serde_json::to_value(description()).unwrap() }.page()
    }

    /// The part of the page that begins with this markup, up to the end of its section.
    #[track_caller]
    fn section<'a>(page: &'a str, begin: &str) -> &'a str {
        let from = page.find(begin).unwrap_or_else(|| panic!("there is no {begin}"));
        page[from..].split("</section>").next().unwrap()
    }

    #[test]
    fn parameters_have_places_types_and_marks() {
        let page = page();
        let act = section(&page, "<code>POST /api/v1/tables/{id}/act</code>");
        for part in [
            "<code>id</code> <span class=\"kind\">string</span> <em>required</em> in the address",
            "<code>X-Seat-Token</code> <span class=\"kind\">string</span> <em>required</em> in the header",
            "<code>bot</code> <span class=\"kind\">string or null</span> The bot that decides",
            "<code>number</code> <span class=\"kind\">integer</span> <em>required</em>",
        ] {
            assert!(act.contains(part), "{part}: {act}");
        }
        let list = section(&page, "<code>GET /api/v1/tables</code>");
        assert!(list.contains("<a href=\"#Status\">Status</a></span> in the query"), "{list}");
    }

    #[test]
    fn references_lead_to_all_variants() {
        let page = page();
        let create = section(&page, "<code>POST /api/v1/tables</code>");
        assert!(create.contains("list of <a href=\"#NewSeat\">NewSeat</a>"), "{create}");
        let seat = section(&page, "<section id=\"NewSeat\">");
        for word in ["open", "person", "agent", "bot"] {
            assert!(seat.contains(&format!("<code>&quot;{word}&quot;</code>")), "{word}: {seat}");
        }
        assert!(section(&page, "<section id=\"Clock\">").contains("increment"));
        for link in page.split("href=\"#").skip(1).map(|rest| rest.split('"').next().unwrap()) {
            assert!(page.contains(&format!("id=\"{link}\"")), "{link} leads nowhere");
        }
    }

    #[test]
    fn texts_are_escaped() {
        assert_eq!(escape("<a href=\"&\">"), "&lt;a href=&quot;&amp;&quot;&gt;");
    }
}
