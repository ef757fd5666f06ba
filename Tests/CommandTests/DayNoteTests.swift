import CommandLineKit
import HealthModel
import Testing

/// What is said of many days: the same once, with their dates.
@Suite(.unit) struct DayNoteTests {
  private func lines(_ notes: [String]) -> [String] {
    DayNotes(notes.map { DayNote($0) }).lines(allIn: "--output json")
  }

  /// Dates from 2024-01-01 on, by their place.
  private func dates(_ places: some Sequence<Int>) throws -> [CalendarDate] {
    let first = try #require(CalendarDate("2024-01-01"))
    return places.compactMap { first.adding(days: $0) }
  }

  @Test func `the same eleven notes of three thousand days are eleven lines`() throws {
    let notes = try dates(0..<3000).flatMap { date in
      (1...11).map { "\(date): metric \($0) was not used" }
    }
    let said = lines(notes)
    #expect(said.count == 11)
    #expect(said.first == "2024-01-01 to 2032-03-18 (3,000 days): metric 1 was not used")
  }

  @Test func `with --verbose every note is a line`() throws {
    let notes = (1...30).map { "the stage \($0) is not known" }
    #expect(lines(notes).last == "and 20 more; --output json has all")
    #expect(DayNotes(notes.map { DayNote($0) }).all == notes)
  }

  @Test func `days that are not consecutive are a few runs, or a number of a span`() throws {
    let few = try dates([0, 1, 4, 7]).map { "\($0): late" }
    #expect(lines(few) == ["2024-01-01 to 2024-01-02, 2024-01-05, 2024-01-08 (4 days): late"])
    let many = try dates(stride(from: 0, through: 30, by: 2)).map { "\($0): late" }
    #expect(lines(many) == ["2024-01-01 to 2024-01-31 (16 of 31 days): late"])
  }

  @Test func `notes on one day, on different days and on the input stay as they are`() {
    let notes = [
      "the file has no zone", "2024-01-01: /days/0/mood is not known", "2024-01-02: late",
      "2024-02-30: no date", "2024-01-01",
    ]
    #expect(lines(notes) == notes)
    #expect(lines(["twice", "twice"]) == ["twice"])
  }

  @Test func `where a day stands in its input does not make its note another one`() throws {
    let notes = try dates(0..<3).enumerated().map { "\($1): /days/\($0)/mood is not known" }
    #expect(lines(notes) == ["2024-01-01 to 2024-01-03 (3 days): /mood is not known"])
  }

  @Test func `notes of one kind with other words say that there are others`() throws {
    let notes = try dates(0..<2).map { date in
      DayNote(on: date, kind: "R12", "\(date) alone", ofSeveral: "id \(date.day) is not a UUID")
    }
    #expect(
      DayNotes(notes).lines(allIn: "verify")
        == ["2024-01-01 to 2024-01-02 (2 days): id 1 is not a UUID, and others of this kind"])
  }

  @Test func `what is still too much is counted, and the place that has all is named`() throws {
    let days = try dates(0..<5)
    let notes = (1...30).flatMap { kind in days.map { "\($0): note \(kind)" } }
    let many = lines(notes)
    #expect(many.count == 11)
    #expect(many.last == "and 100 more; --output json has all")
    let other = DayNotes(notes.map { DayNote($0) }).lines(allIn: "s3health verify")
    #expect(other.last == "and 100 more; s3health verify has all")
    // A line takes no more room than the remark that it is left out.
    #expect(lines((1...11).map { "note \($0)" }).last == "note 11")
  }
}
