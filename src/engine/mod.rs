//! Playing, and checking other programs that play.
//!
//! * [`position`] — a position of the strip or of the pitch, and how a game stands: what all engines share;
//! * [`protocol`] — lines of the Universal Game Interface; [`options`] what `setoption` sets; [`session`] a conversation;
//! * [`budget`] — how long a search may go on;
//! * [`players`] — who chooses the turns: tables, a search, the generalized potential, chance;
//! * [`search`] — the search beyond the tables;
//! * [`client`] — another program at the other end of the conversation; [`tester`] holds it against the tables,
//!   [`junit`] writes that down for CI;
//! * [`suite`] — positions with values and best turns, for programs in any language;
//! * [`game`] — a game against a player, with turns taken back.

pub mod budget;
pub mod client;
pub mod game;
pub mod junit;
pub mod options;
pub mod players;
pub mod position;
pub mod protocol;
pub mod search;
pub mod session;
pub mod suite;
pub mod tester;
