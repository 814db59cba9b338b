//! A connection to a server without TLS, which reads replies several times as fast as redis-rs.
//!
//! An audit reads three short replies for each key. The parser of redis-rs takes most of the processor time for that.

use std::io::{self, BufRead as _, BufReader, Error, ErrorKind, Read, Write};
use std::net::{TcpStream, ToSocketAddrs as _};
use std::time::Duration;

use redis::{RedisResult, Value, parse_redis_value};

/// The bytes that are read at once.
const BUFFER: usize = 64 * 1024;

/// The longest line.
const MAX_LINE: u64 = 64 * 1024;

/// The most memory that a reply takes.
const MAX_REPLY: usize = 1024 * 1024 * 1024;

/// The maximum nesting depth of arrays.
const MAX_DEPTH: u32 = 16;

/// A connection to a server without TLS.
pub(super) struct Socket<S> {
    reader: BufReader<S>,
    /// The last line that was read.
    line: Vec<u8>,
    /// The memory that the rest of the reply can take.
    budget: usize,
    /// The most bytes of a string that is not skipped.
    longest: usize,
}

impl Socket<TcpStream> {
    /// Opens a connection to the first address of the host that accepts a connection.
    pub(super) fn open(host: &str, port: u16, connect: Duration, reply: Duration) -> io::Result<Self> {
        let mut failed = Error::new(ErrorKind::NotFound, "the host has no address");
        for address in (host, port).to_socket_addrs()? {
            match TcpStream::connect_timeout(&address, connect) {
                Ok(stream) => {
                    stream.set_nodelay(true)?;
                    stream.set_read_timeout(Some(reply))?;
                    stream.set_write_timeout(Some(reply))?;
                    return Ok(Self::new(stream));
                }
                Err(error) => failed = error,
            }
        }
        Err(failed)
    }
}

impl<S: Read + Write> Socket<S> {
    /// Sends requests.
    pub(super) fn send(&mut self, requests: &[u8]) -> io::Result<()> {
        self.reader.get_mut().write_all(requests)
    }
}

impl<S: Read> Socket<S> {
    fn new(stream: S) -> Self {
        Self { reader: BufReader::with_capacity(BUFFER, stream), line: Vec::new(), budget: 0, longest: usize::MAX }
    }

    /// Receives the next reply, with `Nil` in place of strings of more than `longest` bytes.
    pub(super) fn receive(&mut self, longest: usize) -> RedisResult<Value> {
        (self.budget, self.longest) = (MAX_REPLY, longest);
        self.value(0)
    }

    fn value(&mut self, depth: u32) -> RedisResult<Value> {
        self.spend(size_of::<Value>())?;
        self.read_line()?;
        let (kind, text) = self.line.split_first().ok_or_else(not_a_reply)?;
        match kind {
            b'+' if text == b"OK" => Ok(Value::Okay),
            b'+' => {
                let text = std::str::from_utf8(text).map_err(|_| not_a_reply())?;
                Ok(Value::SimpleString(text.to_owned()))
            }
            b':' => Ok(Value::Int(number(text)?)),
            b'$' => match usize::try_from(number(text)?) {
                Ok(length) if length > self.longest => {
                    self.skip_bulk(length)?;
                    Ok(Value::Nil)
                }
                Ok(length) => Ok(Value::BulkString(self.read_bulk(length)?)),
                Err(_) => Ok(Value::Nil),
            },
            b'*' => match usize::try_from(number(text)?) {
                Ok(length) => Ok(Value::Array(self.read_array(length, depth)?)),
                Err(_) => Ok(Value::Nil),
            },
            b'-' => {
                self.line.extend_from_slice(b"\r\n");
                parse_redis_value(&self.line)
            }
            _ => Err(not_a_reply().into()),
        }
    }

    /// Reads a line without its end.
    fn read_line(&mut self) -> io::Result<()> {
        self.line.clear();
        self.reader.by_ref().take(MAX_LINE).read_until(b'\n', &mut self.line)?;
        if self.line.ends_with(b"\r\n") {
            self.line.truncate(self.line.len() - 2);
            return Ok(());
        }
        let is_cut = self.line.len() < usize::try_from(MAX_LINE).unwrap_or(usize::MAX) && !self.line.ends_with(b"\n");
        Err(if is_cut { ErrorKind::UnexpectedEof.into() } else { not_a_reply() })
    }

    /// Reads a number of bytes. Large bulks are read in steps, so a false length cannot allocate.
    fn read_bulk(&mut self, length: usize) -> io::Result<Vec<u8>> {
        self.spend(length)?;
        let mut bytes = vec![0; length.min(BUFFER)];
        self.reader.read_exact(&mut bytes)?;
        let rest = length - bytes.len();
        if rest > 0 && self.reader.by_ref().take(rest as u64).read_to_end(&mut bytes)? < rest {
            return Err(ErrorKind::UnexpectedEof.into());
        }
        self.read_end()?;
        Ok(bytes)
    }

    /// Reads a number of bytes without keeping them.
    fn skip_bulk(&mut self, length: usize) -> io::Result<()> {
        if length > MAX_REPLY {
            return Err(too_large());
        }
        if io::copy(&mut self.reader.by_ref().take(length as u64), &mut io::sink())? < length as u64 {
            return Err(ErrorKind::UnexpectedEof.into());
        }
        self.read_end()
    }

    /// Reads the end of a string.
    fn read_end(&mut self) -> io::Result<()> {
        let mut end = [0; 2];
        self.reader.read_exact(&mut end)?;
        if end == *b"\r\n" { Ok(()) } else { Err(not_a_reply()) }
    }

    fn read_array(&mut self, length: usize, depth: u32) -> RedisResult<Vec<Value>> {
        if depth >= MAX_DEPTH {
            return Err(not_a_reply().into());
        }
        let mut values = Vec::with_capacity(length.min(1024));
        for _ in 0..length {
            values.push(self.value(depth + 1)?);
        }
        Ok(values)
    }

    fn spend(&mut self, bytes: usize) -> io::Result<()> {
        let rest = self.budget.checked_sub(bytes);
        self.budget = rest.ok_or_else(too_large)?;
        Ok(())
    }
}

/// Reads the first reply in these bytes, for the fuzzer.
pub(crate) fn first_reply(bytes: &[u8]) -> RedisResult<Value> {
    Socket::new(bytes).receive(usize::MAX)
}

fn number(text: &[u8]) -> io::Result<i64> {
    std::str::from_utf8(text).ok().and_then(|text| text.parse().ok()).ok_or_else(not_a_reply)
}

fn too_large() -> Error {
    Error::new(ErrorKind::InvalidData, "the reply is too large")
}

fn not_a_reply() -> Error {
    Error::new(ErrorKind::InvalidData, "not a reply of a Redis server")
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot go on")]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Gives a few bytes at a time.
    struct ShortReads<'a>(&'a [u8], usize);

    impl Read for ShortReads<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let end = self.1.min(buffer.len());
            (&mut self.0).take(end as u64).read(buffer)
        }
    }

    fn replies() -> impl Strategy<Value = Vec<u8>> {
        let line = |kind: char| move |text: String| format!("{kind}{text}\r\n").into_bytes();
        let bulk = |bytes: Vec<u8>| [format!("${}\r\n", bytes.len()).as_bytes(), &bytes, b"\r\n"].concat();
        let leaf = prop_oneof![
            any::<i64>().prop_map(|number| format!(":{number}\r\n").into_bytes()),
            "(OK|string|zset|[a-zü \n]{0,20})".prop_filter("one line", |text| !text.contains('\n')).prop_map(line('+')),
            "(ERR|MOVED|ASK|NOPERM|LOADING|X)( [a-z0-9:.]{0,20})?".prop_map(line('-')),
            proptest::collection::vec(any::<u8>(), 0..300).prop_map(bulk),
            Just(b"$-1\r\n".to_vec()),
            Just(b"*-1\r\n".to_vec()),
        ];
        leaf.prop_recursive(4, 60, 6, |inner| {
            proptest::collection::vec(inner, 0..6)
                .prop_map(|values| [format!("*{}\r\n", values.len()).into_bytes(), values.concat()].concat())
        })
    }

    proptest! {
        #[test]
        fn replies_are_read_as_redis_rs_reads_them(
            replies in proptest::collection::vec(replies(), 1..8),
            at_once in 1_usize..50,
        ) {
            let bytes = replies.concat();
            let mut socket = Socket::new(ShortReads(&bytes, at_once));
            for reply in replies {
                prop_assert_eq!(socket.receive(usize::MAX).unwrap(), parse_redis_value(&reply).unwrap());
            }
            prop_assert!(socket.receive(usize::MAX).unwrap_err().is_io_error());
        }

        #[test]
        fn no_bytes_make_it_panic(
            bytes in proptest::collection::vec(prop_oneof![
                proptest::sample::select(b"+-:$*\r\n0123456789".to_vec()),
                any::<u8>(),
            ], 0..60),
        ) {
            let mut socket = Socket::new(&bytes[..]);
            while socket.receive(usize::MAX).is_ok() {}
        }

        #[test]
        fn a_reply_that_is_cut_off_is_none(reply in replies(), cut in any::<prop::sample::Index>()) {
            let cut = cut.index(reply.len());
            prop_assert!(Socket::new(&reply[..cut]).receive(usize::MAX).is_err());
        }
    }

    #[test]
    fn hostile_replies_are_refused() {
        let (deep, line) = ("*1\r\n".repeat(100_000), format!("+{}\r\n", "x".repeat(100_000)));
        for reply in [
            "$9223372036854775807\r\nx",
            "*9223372036854775807\r\n:1\r\n",
            "$1000000000000\r\nx",
            "$3\r\nabcde",
            "$9999999999999999999\r\n",
            ":1\n",
            ":x\r\n",
            ":\r\n",
            "\r\n",
            "%1\r\n+a\r\n+b\r\n",
            &deep,
            &line,
        ] {
            assert!(Socket::new(reply.as_bytes()).receive(usize::MAX).is_err(), "{:.20}", reply.escape_debug());
        }
    }

    #[test]
    fn a_reply_takes_a_bounded_amount_of_memory() {
        let mut socket = Socket::new(io::repeat(b'x'));
        socket.budget = 100;
        assert!(socket.read_bulk(101).is_err());
        assert_eq!(socket.read_bulk(BUFFER + 1).unwrap_err().kind(), ErrorKind::InvalidData);
        let many = format!("*1000000000\r\n{}", ":1\r\n".repeat(100));
        let mut socket = Socket::new(many.as_bytes());
        socket.budget = 50 * size_of::<Value>();
        assert!(socket.value(0).unwrap_err().to_string().contains("too large"));
        // A large string is whole.
        // A string that is too long is skipped.
        let mut socket = Socket::new(&b"*2\r\n$5\r\nhello\r\n$4\r\nhell\r\n:7\r\n"[..]);
        let short = Value::Array(vec![Value::Nil, Value::BulkString(b"hell".to_vec())]);
        assert_eq!((socket.receive(4).unwrap(), socket.receive(4).unwrap()), (short, Value::Int(7)));
        let large = [format!("${}\r\n", 3 * BUFFER).as_bytes(), &vec![7; 3 * BUFFER], b"\r\n:5\r\n"].concat();
        let mut socket = Socket::new(&large[..]);
        assert_eq!(socket.receive(usize::MAX).unwrap(), Value::BulkString(vec![7; 3 * BUFFER]));
        assert_eq!(socket.receive(usize::MAX).unwrap(), Value::Int(5));
    }
}
