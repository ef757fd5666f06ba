import CommandLineKit
import Foundation
import HealthLedger
import HealthModel
import ObjectStore

/// Looks again and again whether what a live view reads has changed (R58).
struct SourceChanges: Sendable {
  private let reader: DayReader

  init(_ reader: DayReader) { self.reader = reader }

  /// Calls `changed` after each change, until the task is cancelled.
  func run(_ changed: () async -> Void) async {
    switch reader.source {
    case .path(let path, _): await look(at: path, changed)
    case .streams: await lookAtStreams(changed)
    }
  }

  // MARK: - A file or folder

  /// A kernel's notices are not used: it reports neither what another machine writes to a shared folder
  /// nor a folder that was replaced as a whole.
  private func look(at path: String, _ changed: () async -> Void) async {
    var last = Self.files(path)
    var wait = Duration.milliseconds(400)
    while !Task.isCancelled {
      try? await Task.sleep(for: wait)
      let begun = ContinuousClock.now
      let now = Self.files(path)
      // Folders of very many files are looked at less often.
      wait = max(.milliseconds(400), (ContinuousClock.now - begun) * 20)
      if now != last { await changed() }
      last = now
    }
  }

  /// What distinguishes two states of a file or folder without reading it: the versions of its files and
  /// folders, by name.
  private static func files(_ path: String) -> [String: FileVersion] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    var files = ["": FileVersion(path)].compactMapValues(\.self)
    for name in names where !name.hasPrefix(".") { files[name] = FileVersion(path + "/" + name) }
    return files
  }

  // MARK: - Streams

  /// A folder and a server of the person's own are asked each second. AWS charges for each request.
  private var interval: Duration { reader.opened.hasPricedRequests ? .seconds(5) : .seconds(1) }
  /// How many times only today is listed before everything is. What arrives is nearly always of this hour.
  private static let turnsOfToday = 9

  private func lookAtStreams(_ changed: () async -> Void) async {
    var known: Set<String>?
    var (devices, turn): ([String], Int) = ([], 0)
    while !Task.isCancelled {
      do {
        let isWhole = known == nil || turn >= Self.turnsOfToday
        turn = isWhole ? 0 : turn + 1
        if isWhole { devices = try await reader.opened.streams.devices(of: .healthKit) }
        let found = try await batches(of: isWhole ? nil : devices)
        if isWhole ? found != known : !found.isSubset(of: known ?? []) { await changed() }
        known = isWhole ? found : known?.union(found)
        try? await Task.sleep(for: interval)
      } catch {
        // What fails here fails in the reading, too, which says so.
        known = nil
        await changed()
        try? await Task.sleep(for: .seconds(30))
      }
    }
  }

  /// The batches that bear on today: all, or those of some devices that begin today.
  private func batches(of devices: [String]?) async throws -> Set<String> {
    let (streams, today) = (try reader.opened.streams, try reader.settings.today)
    var found = try await streams.payloads(touching: today).batches
    if let devices {
      let date = reader.settings.now.utcDate
      for device in devices {
        found += try await streams.batches(of: .healthKit, device: device, on: date...date).batches
      }
    } else {
      let dates = (today.adding(days: -3) ?? today)...(today.adding(days: 1) ?? today)
      found += try await streams.batches(of: .healthKit, on: dates).batches
    }
    return Set(found.map(\.key.rawValue))
  }
}
