import Foundation
import TestSupport
import Testing

/// The first page of SPEC.md is enough to write a reader: Tests/Peers/spec_reader.py is written from
/// it alone, and gives the answers of `get`.
@Suite(.process) struct SpecReaderTests {
  /// What a reader makes of a day.
  private enum Answer: Equatable {
    /// The revision's id, what is shown of the eight metrics, and whether it is called damaged.
    case day(id: String, shown: [String: String], isDamaged: Bool)
    case noRevision, noneReadable, unavailable
  }

  /// The same as it is expected: the steps as they are shown, or why there are none.
  enum Outcome: Equatable {
    case steps(String)
    case damaged(String)
    case noRevision, noneReadable, unavailable
  }

  /// What is done to a day of two revisions, with 1 and then 2 steps, and what is read then.
  struct Case: Sendable {
    let name: String
    let outcome: Outcome
    /// Run by a shell in the day's folder. `$O` and `$N` are the files of the two revisions,
    /// `$POINTER` is the first one's latest.json, `$SECOND` is the moment of the newest id, and
    /// `edit FILE OF TO` puts one text in the place of another.
    let script: String

    init(_ name: String, _ outcome: Outcome, _ script: String) {
      (self.name, self.outcome, self.script) = (name, outcome, script)
    }
  }

  static let cases = pointers + revisions + documents + obstacles

  private static let pointers = [
    Case("nothing is wrong", .steps("2.0"), ":"),
    Case("latest.json is missing", .steps("2.0"), "rm latest.json"),
    Case("latest.json is stale", .steps("2.0"), "mv first latest.json"),
    Case("latest.json is not JSON", .steps("2.0"), "printf { > latest.json"),
    Case("latest.json is of another date", .steps("2.0"), "edit latest.json 2025- 2024-"),
    Case("latest.json is a link", .steps("2.0"), "mv latest.json l; ln -s l latest.json"),
    Case("latest.json is a folder", .steps("2.0"), "rm latest.json; mkdir latest.json"),
    Case("latest.json is evicted", .steps("2.0"), "mv latest.json .latest.json.icloud"),
    Case("only latest.json is left", .noneReadable, "rm -r revisions"),
    Case("only a wrong one is left", .noRevision, "rm -r revisions; edit latest.json 2025- 2024-"),
    Case("only a large one is left", .noRevision, "rm -r revisions; printf %4096s >> latest.json"),
    Case("nothing is left", .noRevision, "rm -r revisions latest.json"),
  ]

  private static let revisions = [
    Case("the newest is gone", .steps("1.0"), "rm $N"),
    Case("the newest is a folder", .steps("1.0"), "rm $N; mkdir $N"),
    Case("the newest is cut", .steps("1.0"), "head -c 99 $N > t; mv t $N"),
    Case("the newest is too large", .steps("1.0"), "printf %65536s >> $N"),
    Case("none is readable", .noneReadable, "echo > $N; echo > $O"),
    Case(
      "two more are of the same second", .steps("9.0"),
      """
      edit $N '"digest":"[^"]*",' ''
      sed 's/"steps":2/"steps":8/' $N > revisions/$SECOND-FFFFFFFF.json
      sed 's/"steps":2/"steps":9/' $N > revisions/$SECOND-ffffffff.json
      """),
    Case("one is from the future", .steps("2.0"), "cp $N revisions/29990101T000000Z-AAAAAAAA.json"),
    Case(
      "foreign names lie beside", .steps("2.0"),
      """
      echo > revisions/x.json; echo > revisions/29990101T000000Z-AAAAAAAA; ln -s nil notes
      cp $O revisions/29990230T000000Z-AAAAAAAA.json; cp $O revisions/29990101T000000Z-AAA.json
      """),
  ]

  private static let documents = [
    Case("one of an unknown version", .steps("1.0"), "edit $N health.v0 health.v1"),
    Case("one of another date", .steps("1.0"), #"edit $N '"date":"2025' '"date":"2024'"#),
    Case("a number as a text", .steps("1.0"), #"edit $N '"steps":2' '"steps":"2"'"#),
    Case("a member twice", .steps("1.0"), #"edit $N '"steps":2' '"steps":2,"steps":2'"#),
    Case("a value that is not a number", .steps("1.0"), #"edit $N '"steps":2' '"steps":NaN'"#),
    Case("an unknown status", .steps("1.0"), #"edit $N '"steps":"ok"' '"steps":"okay"'"#),
    Case("an unknown reason", .steps("1.0"), "edit $N no_data later"),
    Case("an end before the start", .steps("1.0"), #"edit $N '"end":"2025' '"end":"2024'"#),
    Case("a number, not ok", .steps("1.0"), #"edit $N '"steps":"ok"' '"steps":"no_data"'"#),
    Case("ok, not a number", .steps("1.0"), #"edit $N '"steps":2' '"steps":null'"#),
    Case("a byte-order mark", .steps("1.0"), #"printf '\357\273\277' | cat - $N > t; mv t $N"#),
    Case(
      "a metric left out", .damaged("no_data"),
      #"edit $N ',"steps":2' ''; edit $N ',"steps":"ok"' ''"#),
    Case("another digit", .damaged("3.0"), #"edit $N '"steps":2' '"steps":3'"#),
    Case("a digest of another form", .damaged("2.0"), "edit $N sha256 md5"),
    Case(
      "an unknown member, no digest", .steps("2.0"),
      #"edit $N '"digest":"[^"]*"' '"mood":"good"'"#),
    Case("blanks", .steps("2.0"), "edit $N , ' , '"),
  ]

  private static let obstacles = [
    Case("the newest is a link", .unavailable, "mv $N n; ln -s ../n $N"),
    Case("the newest is a pipe", .unavailable, "rm $N; mkfifo $N"),
    Case("the newest is evicted", .unavailable, "mv $N revisions/.${N#*/}.icloud"),
    Case("an older one is a link", .steps("2.0"), "rm $O; ln -s nil $O"),
    Case("the revisions are a link", .unavailable, "mv revisions r; ln -s r revisions"),
    Case("the revisions are evicted", .unavailable, "mv revisions r; echo > .revisions.icloud"),
  ]

  /// Numbers that RFC 8785 spells otherwise than most languages do, for the digest's sake.
  private static let oddNumbers =
    #""active_energy_kcal": 1e-7, "exercise_minutes": 1.5e21, "stand_hours": 0.1"#

  /// What the eight metrics show: the number, or the status.
  private func shown(_ numbers: Any?, _ statuses: Any? = nil) -> [String: String] {
    let numbers = numbers as? [String: Any] ?? [:]
    let statuses = statuses as? [String: Any] ?? [:]
    let shown = PlantedDocument.metrics.map { name, _, _ in
      let number = (numbers[name] as? Double).map { "\($0)" }
      return (name, number ?? numbers[name] as? String ?? statuses[name] as? String ?? "no_data")
    }
    return Dictionary(uniqueKeysWithValues: shown)
  }

  /// What the reader in Python makes of dates, in their order.
  private func peer(_ folder: URL, _ dates: [String]) async throws -> [Answer] {
    let output = try await PeerPython.run("spec_reader.py", arguments: [folder.path] + dates)
    let lines = String(decoding: output, as: UTF8.self).split(separator: "\n")
    try #require(lines.count == dates.count)
    return try lines.enumerated().map { place, line in
      let value = try JSONSerialization.jsonObject(with: Data(line.utf8))
      let day = try #require(value as? [String: Any])
      #expect(day["date"] as? String == dates[place])
      if let id = day["revision_id"] as? String {
        let isDamaged = try #require(day["damaged"] as? Bool)
        return .day(id: id, shown: shown(day["metrics"]), isDamaged: isDamaged)
      }
      switch day["none"] as? String {
      case "no revision": return .noRevision
      case "no readable revision": return .noneReadable
      default:
        #expect(day["error"] is String, "\(day)")
        return .unavailable
      }
    }
  }

  /// What the program makes of a date.
  private func answer(_ program: Program, _ folder: URL, _ date: String) async throws -> Answer {
    let run = try await program.run(
      "get", date, "--output", "json", "--with-id", "--store", folder.path)
    switch run.exitCode {
    case 0:
      let id = try #require(try run.json()["revision_id"] as? String)
      let document = try #require(try run.json()["document"] as? [String: Any])
      return .day(
        id: id, shown: shown(document["metrics"], document["metric_status"]),
        isDamaged: run.errors.contains("[R60]"))
    case 66:
      return run.errors.contains("no data for") ? .noRevision : .noneReadable
    default:
      #expect(run.exitCode == 69, "\(run.errors)")
      return .unavailable
    }
  }

  private func outcome(_ answer: Answer) -> Outcome {
    switch answer {
    case .day(_, let shown, let isDamaged):
      isDamaged ? .damaged(shown["steps"] ?? "") : .steps(shown["steps"] ?? "")
    case .noRevision: .noRevision
    case .noneReadable: .noneReadable
    case .unavailable: .unavailable
    }
  }

  @Test func `R30, R41, R60: a reader of the first page answers as get does`() async throws {
    let program = try Program()
    let folder = try program.folder("store")
    // A day for each case, two revisions each.
    let dates = Self.cases.indices.map { PlantedDate(number: 20_089 + $0) }
    let data = folder.appending(path: "health/v0/data")
    for steps in [1, 2] {
      let days = dates.map {
        #"{"date": "\#($0.text)", "metrics": {"steps": \#(steps), \#(Self.oddNumbers)}}"#
      }
      try await program.succeeds(
        ["put", "--input", "-", "--date", "all", "--store", folder.path],
        input: #"{"days": [\#(days.joined(separator: ","))]}"#)
      guard steps == 1 else { continue }
      for date in dates {
        let day = data.appending(path: date.path)
        try FileManager.default.copyItem(
          at: day.appending(path: "latest.json"), to: day.appending(path: "first"))
      }
    }
    for (date, planted) in zip(dates, Self.cases) {
      let day = data.appending(path: date.path).path
      let names = try FileManager.default.contentsOfDirectory(atPath: day + "/revisions").sorted()
      try #require(names.count == 2)
      let script = """
        edit() { sed "s/$2/$3/g" "$1" > t && mv t "$1"; }
        cd '\(day)' && O=revisions/\(names[0]) N=revisions/\(names[1]) SECOND=\(names[1].prefix(16))
        \(planted.script)
        """
      #expect(try await program.inShell(script).run([]).exitCode == 0, "\(planted.name)")
    }
    let read = try await peer(folder, dates.map(\.text))
    for ((date, planted), read) in zip(zip(dates, Self.cases), read) {
      let answer = try await answer(program, folder, date.text)
      #expect(read == answer, "\(planted.name)")
      #expect(outcome(answer) == planted.outcome, "\(planted.name): \(answer)")
    }
  }

  @Test func `R41 the reader and get take the same documents in a year of faults`() async throws {
    let program = try Program()
    let store = PlantedStore(from: PlantedDate(number: 15_300), days: 360, seed: 31)
    let folder = try program.folder("planted")
    try store.write(to: folder)
    let dates = store.days.map(\.date.text)
    let range = try await program.succeeds([
      "get", "--from", dates[0], "--to", dates[359], "--output", "json", "--store", folder.path,
    ]).json()
    let ids = try #require(range["revision_ids"] as? [String: String])
    let documents = try #require(range["days"] as? [[String: Any]])
    var answers: [String: Answer] = [:]
    for date in try #require(range["missing_dates"] as? [String]) { answers[date] = .noRevision }
    for date in try #require(range["invalid_dates"] as? [String]) { answers[date] = .noneReadable }
    for document in documents {
      let date = try #require(document["date"] as? String)
      answers[date] = .day(
        id: ids[date] ?? "", shown: shown(document["metrics"], document["metric_status"]),
        isDamaged: false)
    }
    #expect(ids.count > 100 && answers.count == dates.count)
    #expect(answers.values.contains(.noneReadable))
    let read = try await peer(folder, dates)
    for (date, read) in zip(dates, read) { #expect(read == answers[date], "\(date)") }
  }

  @Test func `the first page stays a page, and the reader has at most 120 lines`() throws {
    let sections = try Document("SPEC.md").text.split(separator: "\n## ")
    let page = try #require(sections.dropFirst().first)
    #expect(page.hasPrefix("A reader in one page\n"))
    #expect(page.split(whereSeparator: \.isWhitespace).count <= 350)
    let reader = try Document("Tests/Peers/spec_reader.py").text
    #expect(reader.split(separator: "\n", omittingEmptySubsequences: false).count - 1 <= 120)
    let imports = reader.matches(of: #/(?m)^(?:import|from) (\w+)/#).map { String($0.1) }
    let library = [
      "contextlib", "datetime", "decimal", "hashlib", "json", "pathlib", "re", "stat", "sys",
      "unicodedata",
    ]
    #expect(imports.sorted() == library)
  }
}
