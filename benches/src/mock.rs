//! A connection that leads nowhere.

use std::hint::black_box;

use redis::{ConnectionLike, RedisResult, Value};

/// Gives every command the same reply; sees each command packed, as a real connection does.
pub struct Mock(pub Value);

impl ConnectionLike for Mock {
    fn req_packed_command(&mut self, command: &[u8]) -> RedisResult<Value> {
        black_box(command);
        Ok(self.0.clone())
    }

    fn req_packed_commands(&mut self, commands: &[u8], _offset: usize, count: usize) -> RedisResult<Vec<Value>> {
        black_box(commands);
        Ok((0..count).map(|_| self.0.clone()).collect())
    }

    fn get_db(&self) -> i64 {
        0
    }

    fn check_connection(&mut self) -> bool {
        true
    }

    fn is_open(&self) -> bool {
        true
    }
}
