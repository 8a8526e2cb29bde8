//! What the checker of memory plans accepts and finds.

use freehold_passes::check::memory_plan::{
    PlacedBuffer, Violation, check_gaps, check_intervals, check_pairs,
};

fn occupies(buffer: &PlacedBuffer) -> bool {
    buffer.size > 0 && buffer.lower < buffer.upper
}

fn placed(lower: i64, upper: i64, size: u64, offset: u64) -> PlacedBuffer {
    PlacedBuffer {
        lower,
        upper,
        size,
        alignment: 1,
        offset,
    }
}

#[test]
fn accepts_reuse_after_death() {
    let buffers = [placed(0, 2, 8, 0), placed(1, 3, 8, 8), placed(2, 4, 8, 0)];
    assert_eq!(check_intervals(&buffers, 16), []);
}

#[test]
fn finds_overlaps_from_either_side() {
    for (offset, size) in [(0, 3), (3, 2), (0, 10), (2, 4), (5, 9)] {
        let buffers = [placed(0, 9, 4, 2), placed(3, 4, size, offset)];
        assert_eq!(
            check_intervals(&buffers, (offset + size).max(6)),
            [Violation::Overlap(0, 1)]
        );
    }
}

#[test]
fn buffers_may_share_bytes_in_gaps() {
    let buffers = [placed(0, 9, 8, 0), placed(2, 5, 8, 0)];
    let check = |gap| check_gaps(&buffers, &[vec![gap], vec![]], 8);
    assert_eq!(check((2, 5)), []);
    assert_eq!(check((3, 5)), [Violation::Overlap(0, 1)]);
    assert_eq!(check((2, 4)), [Violation::Overlap(0, 1)]);
}

#[test]
fn a_reported_buffer_does_not_hide_others() {
    let buffers = [
        placed(0, 9, 4, 0),
        placed(1, 9, 4, 2),
        placed(2, 9, 4, 4),
        placed(3, 9, 4, 3),
    ];
    let violations = check_intervals(&buffers, 8);
    assert_eq!(
        violations,
        [Violation::Overlap(0, 1), Violation::Overlap(0, 3)]
    );
}

#[test]
fn ignores_what_occupies_nothing() {
    let buffers = [placed(0, 9, 8, 0), placed(1, 5, 0, 4), placed(3, 3, 8, 4)];
    assert_eq!(check_intervals(&buffers, 8), []);
    // Without intervals, an empty one means nothing.
    let overlap = [
        Violation::WrongPeak {
            stated: 8,
            actual: 12,
        },
        Violation::Overlap(0, 2),
    ];
    assert_eq!(check_pairs(&buffers, [(0, 1), (0, 2)], 8), overlap);
}

#[test]
fn checks_alignment_range_and_peak() {
    let odd = PlacedBuffer {
        alignment: 8,
        ..placed(0, 1, 4, 4)
    };
    assert_eq!(check_intervals(&[odd], 8), [Violation::Misaligned(0)]);
    let zero = PlacedBuffer {
        alignment: 0,
        ..placed(0, 1, 4, 0)
    };
    assert_eq!(check_intervals(&[zero], 4), [Violation::Misaligned(0)]);
    let far = [placed(0, 1, 4, u64::MAX - 2)];
    assert_eq!(check_intervals(&far, 0), [Violation::OutOfRange(0)]);
    let wrong = [Violation::WrongPeak {
        stated: 5,
        actual: 4,
    }];
    assert_eq!(check_intervals(&[placed(0, 1, 4, 0)], 5), wrong);
}

#[test]
fn explicit_conflicts_replace_lifetimes() {
    let buffers = [placed(0, 9, 4, 0), placed(0, 9, 4, 0), placed(20, 21, 4, 2)];
    assert_eq!(
        check_pairs(&buffers, [(2, 0)], 6),
        [Violation::Overlap(0, 2)]
    );
    assert_eq!(
        check_pairs(&buffers, [(0, 7)], 6),
        [Violation::UnknownBuffer(7)]
    );
}

#[test]
fn agrees_with_comparing_all_pairs() {
    // A linear congruential generator is random enough here.
    let mut state = 1u64;
    let mut next = |bound: u64| {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (state >> 33) % bound
    };
    for _ in 0..2000 {
        let mut buffers = Vec::new();
        for _ in 0..next(7) + 1 {
            let lower = next(12) as i64;
            buffers.push(placed(lower, lower + next(6) as i64, next(5), next(20)));
        }
        let all = (0..buffers.len()).flat_map(|a| (0..a).map(move |b| (b, a)));
        let both_live = |&(a, b): &(usize, usize)| {
            occupies(&buffers[a])
                && occupies(&buffers[b])
                && buffers[a].lower < buffers[b].upper
                && buffers[b].lower < buffers[a].upper
        };
        let is_overlap = |v: &Violation| matches!(v, Violation::Overlap(..));
        let expected = check_pairs(&buffers, all.filter(both_live), 0);
        let found = check_intervals(&buffers, 0);
        assert_eq!(
            found.iter().any(is_overlap),
            expected.iter().any(is_overlap)
        );
    }
}
