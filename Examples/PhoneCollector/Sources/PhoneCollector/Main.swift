import Foundation
import HealthCollector
import HealthModel
import HealthStreams

/// `PhoneCollector FOLDER [refresh|processing|sync]` does a background task with what is in the folder.
/// Without a folder it lives through a day in a folder of its own, and checks what became of it.
@main
struct Main {
  static func main() async throws {
    let arguments = CommandLine.arguments.dropFirst()
    guard let home = arguments.first else { return try await liveThroughADay() }
    let phone = try PhoneCollector(in: URL(filePath: home))
    let task = arguments.dropFirst().first.flatMap(BackgroundTask.init(rawValue:)) ?? .processing
    let failures = try await phone.run(task)
    print(try phone.status())
    for failure in failures { FileHandle.standardError.write(Data((failure + "\n").utf8)) }
    if !failures.isEmpty { exit(1) }
  }

  private static func liveThroughADay() async throws {
    let home = FileManager.default.temporaryDirectory
      .appending(path: "phone-collector-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: home) }
    let sensors = home.appending(path: "sensors")
    try FileManager.default.createDirectory(at: sensors, withIntermediateDirectories: true)
    try Data(#"{"zone":"Europe/Berlin"}"#.utf8).write(to: home.appending(path: "settings.json"))
    var walked = Data()
    func walk(_ steps: Int, at moment: Timestamp) throws {
      let line = """
        {"sample_type":"HKQuantityTypeIdentifierStepCount","uuid":"\(UUID().uuidString)",\
        "timestamp":"\(moment)","value":\(steps),"unit":"count"}\n
        """
      walked += Data(line.utf8)
      try walked.write(to: sensors.appending(path: "healthkit.jsonl"))
    }
    let phone = try PhoneCollector(in: home)
    try walk(1250, at: Timestamp.now.adding(seconds: -60))
    var failures = try await phone.run(.processing)
    // The watch delivers last night's steps only now.
    try walk(400, at: Timestamp.now.adding(seconds: -86_400))
    failures += try await phone.run(.processing)
    let status = try phone.queues.map { try $0.outbox.status().uploadStats }
    print(try phone.status())
    guard failures.isEmpty, status.allSatisfy({ $0.uploaded == 2 && $0.pending == 0 }) else {
      FileHandle.standardError.write(Data("not what there was: \(failures) \(status)\n".utf8))
      exit(1)
    }
  }
}
