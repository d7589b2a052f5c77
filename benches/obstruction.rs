//! Nimbers of Obstruction: whole boards without a table, and the reductions of a region.

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use phutbase_base::job::Job;
use phutbase_nimbers::NimberSolver;
use phutbase_nimbers::octal::{OctalGame, Period};
use phutbase_nimbers::region::Region;
use phutbase_rules::obstruction::{Board, Form, Grid};
use std::hint::black_box;

fn boards(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("nimber of an empty board");
    group.sample_size(10);
    for (rows, columns) in [(4, 6), (6, 6), (7, 7), (8, 8)] {
        let board = Board::from(Grid::new(Form::Rectangle, &[rows, columns]).expect("in range"));
        group.bench_function(BenchmarkId::from_parameter(&board), |bencher| {
            bencher.iter(|| {
                NimberSolver::new(1 << 28)
                    .board(black_box(&board), &Job::default())
                    .expect("no limits")
            });
        });
    }
    group.finish();
}

fn reductions(criterion: &mut Criterion) {
    // An irregular region of 8 x 8 without twins.
    let region = Region::new(8, 0x3c7e_e7db_db7f_7e1c);
    criterion.bench_function("canonical form", |bencher| {
        bencher.iter(|| black_box(&region).canonical());
    });
    criterion.bench_function("twins", |bencher| {
        bencher.iter(|| black_box(&region).without_twins());
    });
}

fn rows(criterion: &mut Criterion) {
    criterion.bench_function("period of Dawson's chess", |bencher| {
        bencher.iter(|| Period::find(black_box(OctalGame::DAWSONS_CHESS), 1 << 12));
    });
}

criterion_group!(benches, boards, reductions, rows);
criterion_main!(benches);
