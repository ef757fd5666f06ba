import Foundation
import HealthModel
import ObjectStore

/// The zone that this machine is set to (R4).
enum MachineZone {
  /// The zone's name; nil if the machine's settings do not say which one it is.
  static var name: String? {
    #if canImport(Darwin)
      TimeZone.current.identifier
    #else
      name(localtime: "/etc/localtime", timezone: "/etc/timezone")
    #endif
  }

  /// The name that two files of a Linux machine say. `localtime` is a link into the database, or a
  /// copy of one of its files beside which `timezone` has the name. Without either it is UTC.
  static func name(localtime: String, timezone: String) -> String? {
    if let name = name(ofFile: localtime) { return name }
    if let bytes = try? SmallFile.read(timezone, maximumBytes: 255) {
      let line = bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
      let text = String(decoding: line, as: UTF8.self)
      if TimeZoneDatabase.current.knows(text) { return text }
    }
    return FileManager.default.fileExists(atPath: localtime) ? nil : "UTC"
  }

  /// The zone of a file in the database, or of a link to one.
  static func name(ofFile path: String) -> String? {
    let database = TimeZoneDatabase.current
    var path = path
    // A name can be a link to another name, so the first one counts.
    for _ in 0..<8 {
      if let name = database.name(ofFile: path) { return name }
      guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path) else {
        break
      }
      let folder = URL(filePath: path).deletingLastPathComponent().path
      path = target.hasPrefix("/") ? target : folder + "/" + target
    }
    return database.name(ofFile: URL(filePath: path).resolvingSymlinksInPath().path)
  }
}
