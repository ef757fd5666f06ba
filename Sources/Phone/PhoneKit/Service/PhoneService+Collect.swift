import HealthCollector
import HealthModel
import HealthStreams
import Outbox

extension PhoneService {
  /// Moves what is new in each feed into the queue, together with the feed's anchor. A feed that fails
  /// does not stop the others.
  ///
  /// A permission that a stream needs and that was taken back is a failure too, and the others go on.
  func collect() async throws {
    var failure: (any Error)? = await missingPermission()
    if settings.hasQueue, let found = try await queueNews() { failure = failure ?? found }
    guard let failure else { return await tell([.succeeded(.collect)]) }
    await failed(.collect, .collectFailed, "\(failure)")
    throw failure
  }

  /// The first failure of a feed.
  private func queueNews() async throws -> (any Error)? {
    var failure: (any Error)?
    // A clock that was set back must not make new data look too old.
    let recent = environment.now().adding(seconds: -Self.firstSyncSeconds)
    let source = RecentSource(
      source: health, since: min(settings.collectsSince ?? recent, recent))
    let mover = ChangeMover(from: source, to: try outbox())
    for feed in HealthKitSampling.types where settings.streams.contains(.healthKit) {
      do {
        _ = try await mover.move(feed: feed) { _ in
          // Time is up. What was moved stays moved.
          try Task.checkCancellation()
        }
      } catch is CancellationError {
        throw CancellationError()
      } catch  where !settings.streams.contains(.healthKit) {
        // Turned off meanwhile: what was being read was not taken.
        break
      } catch {
        failure = failure ?? error
      }
    }
    return failure
  }

  /// Why a stream that is on can't be collected; nil if all can.
  private func missingPermission() async -> PhoneFailure? {
    guard settings.mayCollect else { return nil }
    for permission in settings.permissions {
      let state = await environment.permissions.state(of: permission)
      guard state != .granted else { continue }
      return PhoneFailure("E005: \(permission.title) is not allowed; \(permission.remedy)")
    }
    return nil
  }

  /// Uploads what is queued: one request for each stream that has something, and more beyond 5,000 entries
  /// or 8 MiB.
  func sync() async throws {
    guard settings.hasQueue else { return }
    let report = try await outbox().sync(to: try receiver())
    failuresOfSync = report.failures
    await took(report)
  }
}
