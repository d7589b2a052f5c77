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
}
