import ObjectStore

extension ConformanceSuite {
  static let concurrencyCases: [ConformanceCase] = [
    ConformanceCase("of sixteen creators exactly one is told that it stored") { bench in
      for round in 0..<12 {
        let name = "race/\(round)"
        let outcomes = try await together(16) { number in
          try await bench.store.put(try bench.key(name), [UInt8(number)], if: .absent)
        }
        let body = try await bench.read(name)?.body
        var told: [Int] = []
        var unsure: [Int] = []
        for (number, outcome) in outcomes.enumerated() {
          switch outcome {
          case .stored: told.append(number)
          case .preconditionFailed: break
          case .unknown: unsure.append(number)
          }
        }
        try expect(told.count <= 1, "\(told.count) creators were told that they stored")
        try expect(told.count == 1 || !unsure.isEmpty, "nobody was told that it stored")
        let possible = (told.isEmpty ? unsure : told).map { [UInt8($0)] }
        try expect(body.map(possible.contains) ?? false, "the object is not the winner's")
      }
    },
    ConformanceCase(
      "a counter by compare-and-swap loses no increment", needs: [.create, .compareAndSwap]
    ) { bench in
      try await bench.stored("counter", [])
      let marks = try await together(16) { number in
        let marks = (0..<3).map { "\(number).\($0)" }
        for mark in marks { try await append(mark, to: "counter", bench) }
        return marks
      }
      let kept = try await marksKept(in: "counter", bench)
      try expect(
        kept.sorted() == marks.flatMap(\.self).sorted(),
        "of 48 marks \(kept.count) are left: \(kept)")
    },
    ConformanceCase(
      "an object under replacement is always whole, and always listed",
      needs: [.create, .compareAndSwap]
    ) { bench in
      let body: @Sendable (Int) -> [UInt8] = { number in
        [UInt8](repeating: UInt8(number), count: 1 + number * 700)
      }
      var etag = try await bench.stored("busy/object", body(0))
      let reader = Task {
        while !Task.isCancelled {
          guard let seen = try await bench.read("busy/object")?.body else {
            throw ConformanceFailure("the object was missing for a moment")
          }
          try expect(seen == body(Int(seen.first ?? 255)), "a torn body of \(seen.count) bytes")
          try expect(try await bench.listing("busy/"), are: ["busy/object"])
        }
      }
      for number in 1..<20 {
        etag = try await bench.stored("busy/object", body(number), if: .matches(etag))
      }
      reader.cancel()
      do { try await reader.value } catch let error as StoreError where error.code == .cancelled {}
    },
    ConformanceCase("a cancelled task ends, and leaves the store in order") { bench in
      let worker = Task {
        for number in 0..<1_000_000 {
          _ = try await bench.store.put(
            try bench.key("cancelled/\(number)"), [UInt8](repeating: 1, count: 100), if: .absent)
          try Task.checkCancellation()
        }
      }
      _ = try await bench.read("absent")
      try await Task.sleep(for: .milliseconds(20))
      worker.cancel()
      _ = await worker.result
      let tooLate = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return try await bench.store.put(try bench.key("never"), [1], if: .absent)
      }
      switch await tooLate.result {
      case .success(.unknown): break
      case .success(let outcome): throw ConformanceFailure("a cancelled write gave \(outcome)")
      case .failure(let error):
        try expect((error as? StoreError)?.code == .cancelled, "it failed with \(error)")
        try await bench.holds("never", nil)
      }
      try await bench.stored("after", [1])
      try await bench.holds("after", [1])
    },
  ]

  /// Adds a mark to the end of an object; where an outcome is unknown, looks for its own mark.
  private static func append(_ mark: String, to name: String, _ bench: Bench) async throws {
    for attempt in 0..<10_000 {
      guard let object = try await bench.read(name) else {
        throw ConformanceFailure("\(name) is missing")
      }
      if marks(in: object.body).contains(mark) { return }
      let outcome = try await bench.store.put(
        try bench.key(name), object.body + Array("\(mark);".utf8), if: .matches(object.etag))
      if case .stored = outcome { return }
      try await Task.sleep(for: .microseconds(Int.random(in: 0...(200 << min(attempt, 6)))))
    }
    throw ConformanceFailure("no compare-and-swap succeeded in 10,000 attempts")
  }

  private static func marksKept(in name: String, _ bench: Bench) async throws -> [String] {
    marks(in: try await bench.read(name)?.body ?? [])
  }

  private static func marks(in body: [UInt8]) -> [String] {
    String(decoding: body, as: UTF8.self).split(separator: ";").map(String.init)
  }
}
