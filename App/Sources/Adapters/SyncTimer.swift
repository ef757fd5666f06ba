import Dispatch
import PhoneKit

/// A `DispatchSourceTimer`, which goes on in the background while the app runs there.
@MainActor
final class SyncTimer: PhoneTimer {
  private var source: (any DispatchSourceTimer)?

  func start(seconds: Int, _ fire: @escaping @MainActor () -> Void) {
    cancel()
    let next = DispatchSource.makeTimerSource(queue: .main)
    next.schedule(deadline: .now() + .seconds(seconds), leeway: .seconds(1))
    next.setEventHandler { MainActor.assumeIsolated { fire() } }
    next.resume()
    source = next
  }

  func cancel() {
    source?.cancel()
    source = nil
  }
}
