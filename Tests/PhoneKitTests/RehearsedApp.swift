import Foundation
import HealthModel
import PhoneKit
import Secrets
import Synchronization

/// The app in a folder of its own, over a real queue, with sensors and a clock of the test.
final class RehearsedApp: Sendable {
  let folder = FileManager.default.temporaryDirectory.appending(path: "phone-\(UUID())")
  let health = RehearsedHealth()
  let permissions: RehearsedPermissions
  private let clock: Mutex<Timestamp>
  private let shown = Mutex<[String]>([])
  private let free = Mutex(1_000_000_000)
  private let zone = Mutex("Europe/Berlin")

  init(
    now: Timestamp = .now, answers: [PhonePermission: PhonePermission.State] = [:]
  ) throws {
    clock = Mutex(now)
    permissions = RehearsedPermissions(answers: answers)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  var now: Timestamp { clock.withLock { $0 } }
  func pass(_ seconds: Int) { clock.withLock { $0 = $0.adding(seconds: seconds) } }
  func fly(to name: String) { zone.withLock { $0 = name } }
  func setFreeSpace(_ bytes: Int) { free.withLock { $0 = bytes } }

  /// The texts of the notifications so far.
  var notifications: [String] { shown.withLock { $0 } }

  var secrets: SecretFolder { SecretFolder(path: folder.appending(path: "secrets").path) }

  var environment: PhoneEnvironment {
    var environment = PhoneEnvironment(
      folder: folder, secrets: secrets, health: health, permissions: permissions,
      notify: { [self] _, text in shown.withLock { $0.append(text) } },
      timeZoneName: { [self] in zone.withLock { $0 } })
    environment.now = { [self] in now }
    environment.retryDelay = .zero
    environment.freeSpace = { [self] _ in free.withLock { $0 } }
    return environment
  }

  /// Makes the settings impossible to keep, as a full disk does.
  func lockSettings() throws {
    let file = folder.appending(path: "settings.json")
    try FileManager.default.removeItem(at: file)
    try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
  }

  /// Runs as many pieces as a slow machine needs.
  func runToItsEnd(_ service: PhoneService) async {
    for _ in 0..<20 {
      if await service.run(.processing).isComplete { return }
    }
  }

  /// A service after the first steps, whose hub does not answer.
  func service() async throws -> PhoneService {
    for permission in PhonePermission.allCases { permissions.set(.granted, of: permission) }
    let service = try PhoneService(environment)
    try await service.keep(token: Secret("token"))
    try await service.change {
      ($0.receiver, $0.onboarding) = (.hub(url: "http://127.0.0.1:9"), .finished)
    }
    return service
  }
}
