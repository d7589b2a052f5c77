use phutbase::solve::pitch::Solver;
fn main() {
    let shape: phutbase::games::pitch::Shape = std::env::args().nth(1).unwrap().parse().unwrap();
    let depths = std::env::args().nth(2).is_some();
    let begun = std::time::Instant::now();
    let mut solver = Solver::new(shape, depths).unwrap();
    while solver.step().unwrap() > 0 {
        if shape.points() > 24 {
            eprintln!(
                "{} {:?} {:?}",
                solver.counts().len(),
                solver.counts().last(),
                begun.elapsed()
            );
        }
    }
    let counts = solver.counts();
    let wins: u64 = counts.iter().step_by(2).sum();
    let losses: u64 = counts.iter().skip(1).step_by(2).sum();
    let all = phutbase::games::pitch::positions(shape).unwrap() as u64;
    println!(
        "{shape} {wins} {losses} {} plies {} {:?}",
        all - wins - losses,
        counts.len() - 1,
        begun.elapsed()
    );
}
