import ObjectStore

extension ConformanceSuite {
  static let readingCases: [ConformanceCase] = [
    ConformanceCase("reading an absent key gives nothing", needs: []) { bench in
      try await bench.holds("absent", nil)
      try await bench.holds("absent/deeper/still", nil)
    },
    ConformanceCase("a key that is only the beginning of another holds nothing") { bench in
      try await bench.stored("folder/object", [1])
      try await bench.holds("folder", nil)
      try await bench.holds("folder/obj", nil)
      try await bench.delete("folder")
      try await bench.holds("folder/object", [1])
    },
    ConformanceCase("an empty body is a body") { bench in
      try await bench.stored("empty", [])
      try await bench.holds("empty", [])
      try expect(try await bench.listing("empty"), are: ["empty"])
    },
    ConformanceCase("every byte value comes back as it was") { bench in
      let body = (0..<4096).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ $0 / 256) }
      try await bench.stored("binary", body)
      try await bench.holds("binary", body)
    },
    ConformanceCase("a body of one megabyte comes back as it was") { bench in
      let body = (0..<1 << 20).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 9) }
      try await bench.stored("large", body)
      try await bench.holds("large", body)
    },
    ConformanceCase("an object beyond the limit is refused, one at the limit is read") { bench in
      let body = [UInt8](repeating: 7, count: 1000)
      try await bench.stored("limited", body)
      let read = try await bench.read("limited", limit: 1000)
      try expect(read?.body == body, "not read at its own size")
      do {
        _ = try await bench.read("limited", limit: 999)
        throw ConformanceFailure("1000 bytes were read with a limit of 999")
      } catch let error as StoreError {
        try expect(error.code == .tooLarge, "the error was \(error.code)")
      }
    },
    ConformanceCase("a write is read and listed as soon as it is acknowledged") { bench in
      for number in 10..<20 {
        let etag = try await bench.stored("seen/\(number)", [UInt8(number)])
        let read = try await bench.holds("seen/\(number)", [UInt8(number)])
        try expect(read == etag, "the etag read is not the one that the write gave")
        let expected = (10...number).map { "seen/\($0)" }
        try expect(try await bench.listing("seen/"), are: expected)
      }
    },
    ConformanceCase("the etag foretold for a body is the one that its write gets") { bench in
      let body = Array("foretold".utf8)
      guard let foretold = bench.store.predictedETag(of: body) else { return }
      let etag = try await bench.stored("foretold", body)
      try expect(etag == foretold, "foretold \(foretold.rawValue), got \(etag.rawValue)")
    },
  ]
}
