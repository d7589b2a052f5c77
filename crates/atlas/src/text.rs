//! Formatting of numbers.

use phutbase_base::digits::raised;

/// Describes ascending numbers: `3 to 64 and 72`.
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

/// Formats a number on an axis, short and without superfluous digits.
pub fn label(value: &f64) -> String {
    let trimmed = |text: String| {
        if text.contains('.') {
            text.trim_end_matches('0').trim_end_matches('.').to_string()
        } else {
            text
        }
    };
    match value.abs() {
        0.0 => "0".to_string(),
        huge if huge >= 1e6 => trimmed(format!("{:.1}", value / 1e6)) + " M",
        large if large >= 1e4 => trimmed(format!("{:.1}", value / 1e3)) + " k",
        large if large >= 10.0 => format!("{value:.0}"),
        middle if middle >= 0.001 => trimmed(format!("{value:.3}")),
        // Only logarithmic axes have smaller marks, and they are powers of ten.
        small => format!("10{}", raised(small.log10().round() as i32)),
    }
}
