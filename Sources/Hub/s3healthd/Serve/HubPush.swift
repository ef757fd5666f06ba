import CommandLineKit
import HealthLedger
import HealthModel
import IngestServer
import StreamDays

/// Pushes the newest values to the gateways that the settings name: at once when today or yesterday is
/// published, else every five minutes (R57). Whatever becomes of it, phones are answered.
struct HubPush: Sendable {
  private var run: PushRun
  private let signal = WakeSignal()

  /// Seconds between pushes while nothing is published.
  private static let interval = 300
  /// Seconds of one request, and of all attempts of a push: the next one waits for a gateway that hangs.
  private static let (timeout, limit) = (10, 30)
  /// How long a push waits for further days of the same request.
  private static let pause = Duration.seconds(1)

  /// Nil if no gateway is named, or if its settings can't be used, which is said.
  init?(_ settings: Settings, _ opened: OpenedStore, _ cache: DayCache) async {
    guard !settings.store.push.gateways.isEmpty, let options = try? PushOptions.parse([]) else {
      return nil
    }
    do throws(LedgerError) {
      run = try await PushRun(
        settings, options, opened, timeout: .seconds(Self.timeout), output: .changes,
        streams: cache)
    } catch {
      StandardStreams.remark("warning: nothing is pushed to Prometheus: \(error.message)")
      return nil
    }
    let signal = signal
    run.news = StoreNews(waiting: {
      await signal.wait()
      try? await Task.sleep(for: Self.pause)
    })
  }

  /// A day was published.
  func published(_ date: CalendarDate, today: CalendarDate) {
    if date >= today.adding(days: -1) ?? today { signal.raise() }
  }

  /// Pushes until the task is cancelled.
  func keepPushing() async {
    do throws(LedgerError) {
      _ = try await run.loop(every: Self.interval, within: Self.limit)
    } catch {
      StandardStreams.remark("warning: nothing is pushed to Prometheus any more: \(error.message)")
    }
  }
}
