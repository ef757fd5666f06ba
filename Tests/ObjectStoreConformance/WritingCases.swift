import ObjectStore

extension ConformanceSuite {
  static let writingCases: [ConformanceCase] = [
    ConformanceCase("a created object is there") { bench in
      try await bench.stored("created", [1, 2, 3])
      try await bench.holds("created", [1, 2, 3])
    },
    ConformanceCase("a second create is refused and changes nothing") { bench in
      try await bench.stored("once", [1])
      try await bench.refused("once", [2, 2], if: .absent)
      try await bench.refused("once", [1], if: .absent)
      try await bench.holds("once", [1])
    },
    ConformanceCase(
      "a replace with the current etag is applied", needs: [.create, .compareAndSwap]
    ) { bench in
      let first = try await bench.stored("replaced", [1])
      let second = try await bench.stored("replaced", [2, 2], if: .matches(first))
      try expect(first != second, "the etag did not change with the content")
      let read = try await bench.holds("replaced", [2, 2])
      try await bench.stored("replaced", [3], if: .matches(read ?? first))
      try await bench.holds("replaced", [3])
    },
    ConformanceCase("a replace with a stale etag is refused", needs: [.create, .compareAndSwap]) {
      bench in
      let first = try await bench.stored("stale", [1])
      try await bench.stored("stale", [2], if: .matches(first))
      try await bench.refused("stale", [3], if: .matches(first))
      try await bench.holds("stale", [2])
    },
    ConformanceCase("a replace never creates", needs: [.create, .compareAndSwap]) { bench in
      let other = try await bench.stored("other", [1])
      try await bench.refused("missing", [1], if: .matches(other))
      try await bench.holds("missing", nil)
      try await bench.stored("missing", [2])
      try await bench.delete("missing")
      try await bench.refused("missing", [3], if: .matches(other))
      try expect(try await bench.listing(), are: ["other"])
    },
    ConformanceCase("the etag follows the content", needs: [.create, .compareAndSwap]) { bench in
      var etags: [ETag] = [try await bench.stored("tagged", [0])]
      for number in 1..<6 {
        etags.append(
          try await bench.stored("tagged", [UInt8(number)], if: .matches(etags[number - 1])))
      }
      try expect(Set(etags).count == etags.count, "two contents share an etag")
      let read = try await bench.holds("tagged", [5])
      try expect(read == etags.last, "the etag changed without a write")
    },
    ConformanceCase("a delete removes, and again does nothing") { bench in
      try await bench.stored("gone/object", [1])
      try await bench.delete("gone/object")
      try await bench.delete("gone/object")
      try await bench.delete("gone/never/there")
      try await bench.holds("gone/object", nil)
      try expect(try await bench.listing("gone"), are: [])
    },
    ConformanceCase("a create after a delete is applied") { bench in
      try await bench.stored("again/object", [1])
      try await bench.delete("again/object")
      try await bench.stored("again/object", [2])
      try await bench.holds("again/object", [2])
      try await bench.delete("again/object")
      try await bench.stored("again", [3])
      try await bench.holds("again", [3])
    },
    ConformanceCase("a delete leaves its neighbours") { bench in
      for name in ["n/a", "n/b", "n/c/d", "n/c/e"] { try await bench.stored(name, [1]) }
      try await bench.delete("n/b")
      try await bench.delete("n/c/d")
      try expect(try await bench.listing("n"), are: ["n/a", "n/c/e"])
    },
  ]
}
