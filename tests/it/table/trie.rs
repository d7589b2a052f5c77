//! The trie of block numbers.

use phutbase::table::trie::{Trie, TrieBuilder};

#[test]
fn every_number_is_found_at_its_place() {
    for length in [1, 2, 15, 16, 17, 255, 256, 257, 4096, 5000] {
        let numbers: Vec<u32> = (0..length).map(|i| (i * i) % 7 + i / 300).collect();
        let mut builder = TrieBuilder::default();
        numbers.iter().for_each(|&number| builder.push(number));
        let bytes = builder.finish();
        let largest = *numbers.iter().max().unwrap();
        let refused = Trie::new(bytes.clone(), length.into(), largest);
        assert!(refused.is_none(), "a number that is too large");
        assert!(
            Trie::new(bytes.clone(), 1 << 40, largest + 1).is_none(),
            "too few levels"
        );
        let trie = Trie::new(bytes, length.into(), largest + 1).unwrap();
        for (place, &number) in numbers.iter().enumerate() {
            assert_eq!(trie.get(place as u64), number, "{place} of {length}");
        }
    }
}

#[test]
fn equal_groups_are_stored_once() {
    let mut builder = TrieBuilder::default();
    (0..65_536).for_each(|_| builder.push(9));
    assert_eq!(builder.finish().len(), 4 * (1 + 4) + 4 * 16 * 4);
}

#[test]
fn bytes_that_are_no_trie_are_refused() {
    let new = |bytes: &[u8]| Trie::new(bytes.to_vec(), 100, 100);
    assert!(new(&[]).is_none());
    assert!(new(&[0; 4]).is_none());
    assert!(new(&[255; 64]).is_none());
    let mut builder = TrieBuilder::default();
    (0..100).for_each(|number| builder.push(number));
    let bytes = builder.finish();
    assert!(new(&bytes).is_some());
    assert!(new(&bytes[..bytes.len() - 1]).is_none());
    let mut beyond = bytes.clone();
    beyond[12] = 200; // the root's first child
    assert!(new(&beyond).is_none());
}
