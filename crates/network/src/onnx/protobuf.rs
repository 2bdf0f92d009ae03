//! As much of the protocol buffer format as it takes to write one.

/// A message under way.
#[derive(Debug, Default)]
pub(super) struct Message(Vec<u8>);

const NUMBER: u64 = 0;
const BYTES: u64 = 2;
const FLOAT: u64 = 5;

impl Message {
    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.0
    }

    /// Negative numbers are given as their two's complement.
    pub(super) fn number(&mut self, field: u64, value: u64) -> &mut Message {
        self.varint(field << 3 | NUMBER);
        self.varint(value);
        self
    }

    pub(super) fn float(&mut self, field: u64, value: f32) -> &mut Message {
        self.varint(field << 3 | FLOAT);
        self.0.extend(value.to_le_bytes());
        self
    }

    pub(super) fn bytes(&mut self, field: u64, value: &[u8]) -> &mut Message {
        self.varint(field << 3 | BYTES);
        self.varint(value.len() as u64);
        self.0.extend(value);
        self
    }

    pub(super) fn text(&mut self, field: u64, value: &str) -> &mut Message {
        self.bytes(field, value.as_bytes())
    }

    pub(super) fn message(&mut self, field: u64, value: &Message) -> &mut Message {
        self.bytes(field, &value.0)
    }

    /// Seven bits at a time, the lowest first.
    fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.0.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }
}
