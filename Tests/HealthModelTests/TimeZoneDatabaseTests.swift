import Foundation
import StoreTesting
import Testing

@testable import HealthModel

/// R4: what the database's files say, and what becomes of files that are not whole.
@Suite(.unit) struct TimeZoneDatabaseTests {
  /// A folder of zone files for one test.
  private struct Folder: ~Copyable {
    let url: URL
    var database: TimeZoneDatabase { TimeZoneDatabase(.folder(url.path)) }

    init() throws {
      url = FileManager.default.temporaryDirectory.appending(path: "zones-\(UUID().uuidString)")
      try FileManager.default.createDirectory(
        at: url.appending(path: "Etc"), withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func write(_ bytes: [UInt8], as name: String) throws {
      try Data(bytes).write(to: url.appending(path: name))
    }
  }

  /// A file of version 2 with one type of local time, no change, and a closing rule.
  private static func file(offset: Int32 = 0, rule: String) -> [UInt8] {
    func header(types: UInt32, characters: UInt32) -> [UInt8] {
      Array("TZif2".utf8) + Array(repeating: 0, count: 15)
        + [0, 0, 0, 0, types, characters].flatMap { number in
          [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
        }
    }
    let type = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: offset >> $0) } + [0, 0]
    let block = header(types: 1, characters: 4) + type + Array("QQQ\0".utf8)
    return block + block + Array("\n\(rule)\n".utf8)
  }

  @Test(arguments: [
    // Rule, date, start's and end's offset: each form of a POSIX TZ string (RFC 9636, 3.3.2).
    ("EST5EDT,M3.2.0,M11.1.0", "2026-03-08", "-05:00", "-04:00"),
    ("EST5EDT,M3.2.0,M11.1.0", "2026-11-01", "-04:00", "-05:00"),
    ("IST-1GMT0,M10.5.0,M3.5.0/1", "2026-03-29", "+00:00", "+01:00"),
    ("AAA3BBB,J60,J300", "2024-03-01", "-03:00", "-02:00"),
    ("AAA3BBB,J60,J300", "2023-03-01", "-03:00", "-02:00"),
    ("AAA3BBB,J59,J300", "2024-02-28", "-03:00", "-02:00"),
    ("AAA3BBB,59,300", "2024-02-29", "-03:00", "-02:00"),
    ("AAA3BBB,59,300", "2023-03-01", "-03:00", "-02:00"),
    ("AAA3BBB1:30,M4.1.6/26,M10.5.4/-3", "2026-04-05", "-03:00", "-01:30"),
    ("AAA3BBB1:30,M4.1.6/26,M10.5.4/-3", "2026-10-28", "-01:30", "-03:00"),
    ("<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", "2026-04-05", "+11:00", "+10:30"),
    ("<-03>3<-02>,0/0,J365/25", "2026-12-31", "-02:00", "-02:00"),
    ("<-03>3<-02>,0/0,J365/25", "2026-01-01", "-02:00", "-02:00"),
    ("<+0545>-5:45", "2026-07-01", "+05:45", "+05:45"),
  ])
  func `R4: every form of closing rule is followed`(
    _ rule: String, _ date: String, _ startOffset: String, _ endOffset: String
  ) throws {
    let folder = try Folder()
    try folder.write(Self.file(rule: rule), as: "Etc/Ruled")
    let day = try ReportingDay(
      date: try #require(CalendarDate(date)), timeZoneName: "Etc/Ruled", in: folder.database)
    #expect(day.start.description.hasSuffix(startOffset))
    #expect(day.end.description.hasSuffix(endOffset))
  }

  @Test(arguments: [
    "EST", "EST5EDT", "EST5EDT,M3.2.0", "EST5EDT,M13.2.0,M11.1.0", "EST5EDT,M3.6.0,M11.1.0",
    "EST5EDT,M3.2.7,M11.1.0", "EST5EDT,J0,J300", "EST5EDT,M3.2.0,M11.1.0x", "5", "E5", "<+05",
    "EST99", "EST5EDT,J366,J1",
  ])
  func `R4: a file whose closing rule is not understood is not a zone`(_ rule: String) throws {
    let folder = try Folder()
    try folder.write(Self.file(rule: rule), as: "Etc/Ruled")
    #expect(throws: ReportingDay.Failure.unknownTimeZone("Etc/Ruled")) {
      _ = try ReportingDay(
        date: try #require(CalendarDate("2026-01-01")), timeZoneName: "Etc/Ruled",
        in: folder.database)
    }
  }

  @Test func `R4: a damaged file is not a zone or gives some day, and never ends the program`()
    throws
  {
    let date = try #require(CalendarDate("2026-03-08"))
    var random = SplitMix64(seed: 9636)
    let whole = Self.file(offset: -18_000, rule: "EST5EDT,M3.2.0,M11.1.0")
    let folder = try Folder()
    for number in 0..<400 {
      var bytes = whole
      if random.chance(3) { bytes.removeLast(Int.random(in: 1...bytes.count, using: &random)) }
      for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = random.pick([0, 1, 127, 128, 255])
      }
      try folder.write(bytes, as: "Etc/Z\(number)")
      if let day = try? ReportingDay(
        date: date, timeZoneName: "Etc/Z\(number)", in: folder.database)
      {
        #expect(day.start.timestamp < day.end.timestamp)
      }
    }
  }

  #if os(Linux)
    @Test func `R4: on Linux the folder of TZDIR counts, or else the system's`() throws {
      let folder = try Folder()
      try folder.write(Self.file(rule: "UTC0"), as: "Etc/UTC")
      #expect(TimeZoneDatabase.onLinux(named: folder.url.path).source == .folder(folder.url.path))
      let system = TimeZoneDatabase.onLinux(named: nil)
      #expect(system.knows("Europe/Berlin") && system.names.count > 400)
      #expect(system.names == system.names.sorted())
      // As the C library has it, a name that is not a path counts for nothing.
      #expect(TimeZoneDatabase.onLinux(named: "zones").source == system.source)
    }

    @Test func `R4: without a database no zone is known, and the reason is another one`() throws {
      let none = TimeZoneDatabase.onLinux(named: "/nonexistent")
      #expect(none.source == .missing && none.names.isEmpty && !none.knows("UTC"))
      let date = try #require(CalendarDate("2026-03-29"))
      #expect(throws: ReportingDay.Failure.noTimeZoneDatabase) {
        _ = try ReportingDay(date: date, timeZoneName: "Europe/Berlin", in: none)
      }
    }
  #endif

  @Test func `R4: a file has its name from the place in a zoneinfo folder`() {
    let database = TimeZoneDatabase.current
    #expect(database.name(ofFile: "/usr/share/zoneinfo/Europe/Berlin") == "Europe/Berlin")
    #expect(database.name(ofFile: "../usr/share/zoneinfo/posix/Asia/Tokyo") == "Asia/Tokyo")
    #expect(database.name(ofFile: "/usr/share/zoneinfo/../../etc/passwd") == nil)
    #expect(database.name(ofFile: "/etc/localtime") == nil)
  }
}
