//! The atlas as a page of the site, made from its Markdown.

use pulldown_cmark::{CowStr, Event, Options, Parser, Tag, TagEnd, html};

const TEXT: &str = include_str!("atlas/atlas.md");

/// The pictures by the names under which the text refers to them.
const PICTURES: [(&str, &str); 5] = [
    ("ratio.svg", include_str!("atlas/ratio.svg")),
    ("longest.svg", include_str!("atlas/longest.svg")),
    ("depths.svg", include_str!("atlas/depths.svg")),
    ("losses.svg", include_str!("atlas/losses.svg")),
    ("errors.svg", include_str!("atlas/errors.svg")),
];

/// Returns the lines of the page for the head, an empty line, and those for the body. Pictures are part of the
/// page, headings are anchors, and wide tables scroll.
pub fn page() -> String {
    let mut events: Vec<Event<'_>> = Vec::new();
    let mut heading = None;
    let mut in_picture = false;
    for event in Parser::new_ext(TEXT, Options::ENABLE_TABLES) {
        match event {
            Event::Start(Tag::Heading { .. }) => heading = Some(events.len()),
            Event::Start(Tag::Image { dest_url, .. }) => {
                in_picture = true;
                events.push(Event::InlineHtml(picture(&dest_url).into()));
                continue;
            }
            Event::Start(Tag::Table(_)) => {
                events.push(Event::Html("<div class=\"wide\" tabindex=\"0\">".into()));
            }
            Event::Text(ref title) if !in_picture => {
                if let Some(Event::Start(Tag::Heading { id, .. })) = heading.take().map(|at| &mut events[at])
                {
                    *id = Some(anchor(title));
                }
            }
            Event::End(TagEnd::Image) => {
                in_picture = false;
                continue;
            }
            _ if in_picture => continue,
            _ => {}
        }
        let ends_table = event == Event::End(TagEnd::Table);
        events.push(event);
        if ends_table {
            events.push(Event::Html("</div>".into()));
        }
    }
    let mut body = String::new();
    html::push_html(&mut body, events.into_iter());
    // The policy of the site allows no style in an element.
    let body = body
        .replace(" style=\"text-align: right\"", "")
        .replace(" style=\"text-align: left\"", " class=\"words\"");
    format!(
        "  <title>Atlas · phutbase</title>\n\n  <main class=\"atlas\">\n<section>\n{body}</section>\n  </main>\n"
    )
}

/// Returns a picture of the text; nothing of a file that is none.
fn picture(name: &str) -> &'static str {
    PICTURES
        .iter()
        .find(|(file, _)| *file == name)
        .map_or("", |(_, svg)| svg)
}

/// Returns the anchor of a heading: its words in small letters, joined by hyphens.
fn anchor(title: &str) -> CowStr<'static> {
    title.to_lowercase().replace(' ', "-").into()
}
