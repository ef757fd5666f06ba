#if os(Linux)
  import Foundation
  import HealthModel
  import Testing

  @testable import HealthSources

  /// R4: the zone that a Linux machine is set to, where nobody has named one.
  @Suite(.unit) struct MachineZoneTests {
    private let folder = FileManager.default.temporaryDirectory
      .appending(path: "zone-\(UInt64.random(in: .min ... .max))").path

    /// The zone of a machine with these two files; a link has the text of its target.
    private func zone(link: String? = nil, copy: String? = nil, timezone: String? = nil) throws
      -> String?
    {
      let files = FileManager.default
      try files.createDirectory(atPath: folder + "/etc", withIntermediateDirectories: true)
      defer { try? files.removeItem(atPath: folder) }
      let localtime = folder + "/etc/localtime"
      if let link { try files.createSymbolicLink(atPath: localtime, withDestinationPath: link) }
      if let copy { try Data(copy.utf8).write(to: URL(filePath: localtime)) }
      if let timezone { try Data(timezone.utf8).write(to: URL(filePath: folder + "/etc/timezone")) }
      return MachineZone.name(localtime: localtime, timezone: folder + "/etc/timezone")
    }

    @Test func `a link into the database names the zone, whatever else is said`() throws {
      let link = "/usr/share/zoneinfo/Europe/Berlin"
      #expect(try zone(link: link, timezone: "Asia/Tokyo\n") == "Europe/Berlin")
      #expect(try zone(link: "../usr/share/zoneinfo/Asia/Kolkata") == "Asia/Kolkata")
      // Not the zone that this one is another name of.
      #expect(try zone(link: "/usr/share/zoneinfo/Asia/Calcutta") == "Asia/Calcutta")
    }

    @Test func `a copy of a file has its name beside it, or else the zone is not known`() throws {
      #expect(try zone(copy: "TZif", timezone: "Asia/Tokyo\n") == "Asia/Tokyo")
      #expect(try zone(copy: "TZif", timezone: "Asia/Tokyo") == "Asia/Tokyo")
      #expect(try zone(copy: "TZif", timezone: "../../etc/passwd\n") == nil)
      #expect(try zone(copy: "TZif") == nil)
      #expect(try zone(link: "/nonexistent/Europe/Berlin") == "UTC")
    }

    @Test func `a machine that says nothing is at UTC, as the C library has it`() throws {
      #expect(try zone() == "UTC")
    }
  }
#endif
