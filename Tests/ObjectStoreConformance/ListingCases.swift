import ObjectStore

extension ConformanceSuite {
  /// Names around `/` (0x2F): `-` and `.` sort before it, digits after it.
  private static let siblings = [
    "a-b/c", "a.json", "a/b-c", "a/b.c/d", "a/b/c", "a0", "aa/b", "b",
  ]

  private static func fill(_ bench: Bench, _ names: [String]) async throws {
    _ = try await together(8) { worker in
      for number in stride(from: worker, to: names.count, by: 8) {
        try await bench.stored(names[number], Array("\(number)".utf8))
      }
    }
  }

  /// All pages of a shallow listing, without the bench's prefix.
  private static func shallow(
    _ bench: Bench, _ below: String, limit: Int
  ) async throws -> (keys: [String], folders: [String]) {
    var request = ListRequest(prefix: bench.prefix + below, limit: limit)
    request.isShallow = true
    var (keys, folders): ([String], [String]) = ([], [])
    for _ in 0..<100 {
      let page = try await bench.store.list(request)
      try expect(
        page.entries.count + page.folders.count <= limit, "a page of more than \(limit)")
      keys += page.entries.map { String($0.key.dropFirst(bench.prefix.count)) }
      folders += page.folders.map { String($0.dropFirst(bench.prefix.count)) }
      guard let next = page.next else { return (keys, folders) }
      request.continuation = next
    }
    throw ConformanceFailure("a shallow listing does not end")
  }

  static let listingCases: [ConformanceCase] = [
    ConformanceCase("an empty prefix lists nothing", needs: []) { bench in
      try expect(try await bench.listing(), are: [])
      let page = try await bench.store.list(ListRequest(prefix: bench.prefix + "no/such"))
      try expect(page.next == nil, "an empty listing goes on")
    },
    ConformanceCase("a listing is in the order of the whole key's bytes") { bench in
      try await fill(bench, siblings.reversed())
      try expect(try await bench.listing(), are: siblings)
      let mixed = ["B", "Z/a", "_", "c", "z~", "~", "\u{E9}", "\u{FF5E}", "\u{1F600}"]
      try await fill(bench, mixed.map { "mixed/" + $0 })
      try expect(try await bench.listing("mixed/"), are: mixed.map { "mixed/" + $0 })
    },
    ConformanceCase("a prefix may end inside a segment") { bench in
      try await fill(bench, siblings)
      for prefix in ["a", "a-", "a-b", "a.", "a/", "a/b", "a/b/", "a/b.", "aa", "b", "c", "a/b/cc"]
      {
        try expect(
          try await bench.listing(prefix), are: siblings.filter { $0.hasPrefix(prefix) })
      }
    },
    ConformanceCase("a listing starts after a marker, there or not") { bench in
      try await fill(bench, siblings)
      let absent = ["", "A", "a", "a-", "a-b", "a/", "a/b", "a/b/", "a/b/c/d", "a/c", "b0"]
      for marker in siblings + absent where !(bench.prefix + marker).isEmpty {
        let later = siblings.filter { marker.utf8.lexicographicallyPrecedes($0.utf8) }
        try expect(try await bench.listing(startAfter: marker), are: later)
        try expect(
          try await bench.listing("a/", startAfter: marker),
          are: later.filter { $0.hasPrefix("a/") })
      }
    },
    ConformanceCase("pages of any size join to the whole") { bench in
      try await fill(bench, siblings)
      for limit in 1...siblings.count + 1 {
        try expect(try await bench.page(limit: limit), are: Array(siblings.prefix(limit)))
        try expect(try await bench.listing(limit: limit), are: siblings)
        try expect(
          try await bench.listing("a/", startAfter: "a/b-c", limit: limit),
          are: ["a/b.c/d", "a/b/c"])
      }
    },
    ConformanceCase("a shallow listing gives what is directly below, and each folder once") {
      bench in
      try await fill(bench, siblings)
      let expected: [(String, keys: [String], folders: [String])] = [
        ("", ["a.json", "a0", "b"], ["a-b/", "a/", "aa/"]),
        ("a", ["a.json", "a0"], ["a-b/", "a/", "aa/"]), ("a/", ["a/b-c"], ["a/b.c/", "a/b/"]),
        ("a/b", ["a/b-c"], ["a/b.c/", "a/b/"]), ("a/b/", ["a/b/c"], []), ("c", [], []),
      ]
      for (prefix, keys, folders) in expected {
        for limit in [1, 2, 3, 1000] {
          let found = try await shallow(bench, prefix, limit: limit)
          try expect(found.keys, are: keys)
          try expect(found.folders, are: folders)
        }
      }
      for name in siblings.filter({ $0.hasPrefix("a/") }) { try await bench.delete(name) }
      try expect(try await shallow(bench, "", limit: 1000).folders, are: ["a-b/", "aa/"])
    },
    ConformanceCase("a listing gives sizes, and etags if any") { bench in
      let etag = try await bench.stored("sized", [1, 2, 3, 4, 5])
      let page = try await bench.store.list(ListRequest(prefix: bench.prefix))
      try expect(page.entries.count == 1, "listed \(page.entries.count) entries")
      for entry in page.entries {
        try expect(entry.size == 5, "a size of \(entry.size)")
        try expect(entry.etag == nil || entry.etag == etag, "listed \(entry)")
      }
    },
    ConformanceCase("more than a thousand keys come in full pages") { bench in
      let names = (0..<1005).map { "many/\(10_000 + $0)" }
      try await fill(bench, names)
      try expect(try await bench.page("many/"), are: Array(names.prefix(1000)))
      try expect(try await bench.listing("many/"), are: names)
      try expect(
        try await bench.listing("many/", startAfter: names[2]), are: Array(names.dropFirst(3)))
    },
  ]
}
