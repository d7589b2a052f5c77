//! Numbers in words and digits.

use std::fmt::Display;

/// Digits in groups of three. The number prints as decimal digits without a sign.
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

/// Ascending numbers in words: `3 to 64 and 72`.
pub fn runs(numbers: &[usize]) -> String {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for &number in numbers {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => runs.push((number, number)),
        }
    }
    let run = |&(first, last): &(usize, usize)| match last - first {
        0 => first.to_string(),
        1 => format!("{first} and {last}"),
        _ => format!("{first} to {last}"),
    };
    let mut words: Vec<String> = runs.iter().map(run).collect();
    match words.pop() {
        None => String::new(),
        Some(last) if words.is_empty() => last,
        Some(last) => format!("{} and {last}", words.join(", ")),
    }
}

/// A count of seconds for people: never more exact than it is.
pub fn duration(seconds: f64) -> String {
    match seconds {
        short if short < 90.0 => format!("{:.0} s", short.max(1.0)),
        long if long < 5400.0 => format!("{:.0} min", long / 60.0),
        long => format!("{:.0} h", long / 3600.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_grouped_from_the_right() {
        assert_eq!(grouped(7), "7");
        assert_eq!(grouped(1234), "1,234");
        assert_eq!(grouped(123_456_789u128), "123,456,789");
    }

    #[test]
    fn numbers_that_follow_each_other_are_a_run() {
        assert_eq!(runs(&[]), "");
        assert_eq!(runs(&[5]), "5");
        assert_eq!(runs(&[3, 4, 5, 6, 72]), "3 to 6 and 72");
        assert_eq!(runs(&[3, 4, 8, 10, 11, 12]), "3 and 4, 8 and 10 to 12");
    }

    #[test]
    fn durations_are_rounded() {
        assert_eq!(duration(0.2), "1 s");
        assert_eq!(duration(61.4), "61 s");
        assert_eq!(duration(600.0), "10 min");
        assert_eq!(duration(7200.0), "2 h");
    }
}
