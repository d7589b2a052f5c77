//! Certificates of positions on pitches: from a table if one holds the pitch, otherwise by a search.

use phutbase_base::outcome::Side;
use phutbase_pitches::exact;
use phutbase_pitches::threats::certify::{self, CertificateSearch};
use phutbase_rules::pitch::Pitch;
use phutbase_rules::pitch::certificate::CertifiedValue;
use phutbase_tables::{TableError, Tablebase};

/// A certificate of a position; `effort` is that of [`certify::certify`], without effect on a pitch
/// that a table holds.
///
/// The result must be checked with `verify::certificate`.
pub fn certify(tables: &Tablebase, pitch: &Pitch, effort: u8) -> Result<CertificateSearch, TableError> {
    let from_values = tables.ask_pitch(pitch.shape(), |table| {
        exact::certify(pitch, |position| table.value(position))
    });
    match from_values {
        Ok(certificate) => Ok(CertificateSearch {
            held: [Side::Left, Side::Right]
                .map(|side| certificate.claim != CertifiedValue::Wins(side.opponent())),
            certificate: Ok(certificate),
            boards: 0,
        }),
        Err(TableError::Missing { .. }) => Ok(certify::certify(pitch, effort)),
        Err(error) => Err(error),
    }
}
