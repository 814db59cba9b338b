//! IP addresses as parameters.
//!
//! An address is written in hexadecimal digits, since keys use `.` and `:` as separators: 8 digits for IPv4, 32 for
//! IPv6.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use super::{KeySegment, ParseSegment, SegmentWriter, ValueSet};

const IPV4_DIGITS: usize = 8;
const IPV6_DIGITS: usize = 32;

/// 8 hexadecimal digits.
#[diagnostic::do_not_recommend]
impl KeySegment for Ipv4Addr {
    const LONGEST: Option<usize> = Some(IPV4_DIGITS);
    const VALUES: ValueSet = ValueSet::IPV4;

    fn write(&self, out: &mut SegmentWriter<'_>) {
        out.hex(self.octets());
    }
}

/// 32 hexadecimal digits.
#[diagnostic::do_not_recommend]
impl KeySegment for Ipv6Addr {
    const LONGEST: Option<usize> = Some(IPV6_DIGITS);
    const VALUES: ValueSet = ValueSet::IPV6;

    fn write(&self, out: &mut SegmentWriter<'_>) {
        out.hex(self.octets());
    }
}

/// The digits of the address inside. An IPv4 address has another text than the IPv6 address that it is mapped to.
#[diagnostic::do_not_recommend]
impl KeySegment for IpAddr {
    const LONGEST: Option<usize> = Some(IPV6_DIGITS);
    const VALUES: ValueSet = ValueSet::IpAddr;

    fn write(&self, out: &mut SegmentWriter<'_>) {
        match self {
            Self::V4(address) => address.write(out),
            Self::V6(address) => address.write(out),
        }
    }
}

#[diagnostic::do_not_recommend]
impl ParseSegment<'_> for Ipv4Addr {
    fn parse(text: &str) -> Result<Self, &'static str> {
        let bits = Some(text).filter(|text| text.len() == IPV4_DIGITS);
        let bits = bits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
        bits.map(Self::from_bits).ok_or("is not an IPv4 address of 8 hexadecimal digits")
    }
}

#[diagnostic::do_not_recommend]
impl ParseSegment<'_> for Ipv6Addr {
    fn parse(text: &str) -> Result<Self, &'static str> {
        let bits = Some(text).filter(|text| text.len() == IPV6_DIGITS);
        let bits = bits.and_then(|digits| u128::from_str_radix(digits, 16).ok());
        bits.map(Self::from_bits).ok_or("is not an IPv6 address of 32 hexadecimal digits")
    }
}

#[diagnostic::do_not_recommend]
impl ParseSegment<'_> for IpAddr {
    fn parse(text: &str) -> Result<Self, &'static str> {
        let address = Ipv4Addr::parse(text).map(Self::V4).or_else(|_| Ipv6Addr::parse(text).map(Self::V6));
        address.map_err(|_| "is not an IP address of 8 or 32 hexadecimal digits")
    }
}
