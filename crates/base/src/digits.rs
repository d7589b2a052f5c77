//! Numbers for people: digits in groups of three, and bytes with units.

use num_bigint::BigUint;
use std::fmt::Display;

/// Groups digits by three. The number must print as decimal digits without a sign.
pub fn grouped(number: impl Display) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Formats a number with grouped digits; beyond 12 digits rounded to two digits and a power of ten.
pub fn short(number: &BigUint) -> String {
    let mut power = number.to_string().len() - 1;
    if power < 12 {
        return grouped(number);
    }
    let ten = BigUint::from(10u8);
    let tenth = ten.pow(power as u32 - 1);
    let mut tenths = (number + &tenth / 2u8) / tenth;
    if tenths == BigUint::from(100u8) {
        (tenths, power) = (ten, power + 1);
    }
    let tenths = tenths.to_string();
    format!("{}.{}·10{}", &tenths[..1], &tenths[1..], raised(power as i32))
}

/// Writes an exponent.
pub fn raised(power: i32) -> String {
    let raise = |symbol: char| match symbol.to_digit(10) {
        Some(digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().nth(digit as usize),
        None => Some('⁻'),
    };
    power.to_string().chars().filter_map(raise).collect()
}

/// Formats a number of bytes: `1.5 GiB`.
pub fn human_bytes(bytes: u64) -> String {
    const UNITS: [&str; 5] = ["bytes", "KiB", "MiB", "GiB", "TiB"];
    let mut size = bytes as f64;
    let mut unit = 0;
    // A size that would be rounded to 1024.0 is 1.0 of the next unit.
    while size >= if unit == 0 { 1024.0 } else { 1023.95 } && unit + 1 < UNITS.len() {
        size /= 1024.0;
        unit += 1;
    }
    if unit == 0 {
        format!("{bytes} bytes")
    } else {
        format!("{size:.1} {}", UNITS[unit])
    }
}
