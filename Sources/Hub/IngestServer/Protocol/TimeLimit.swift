import NIOCore
import NIOPosix
import Synchronization

/// Work that may take only so long.
enum TimeLimit {
  /// The result; nil if the work took too long. Then it was cancelled, and has ended.
  ///
  /// - Parameter channel: the connection of a client with whom the work ends; nil for work that goes on
  ///   whatever happens to it.
  static func run<Value: Sendable>(
    _ seconds: Int, while channel: (any Channel)? = nil,
    _ work: @escaping @Sendable () async -> Value
  ) async -> Value? {
    let task = Task { await work() }
    let late = Late()
    let timer = Timer(seconds: Double(seconds)) {
      late.isSet.store(true, ordering: .releasing)
      task.cancel()
    }
    var watch: DisconnectWatch?
    if let channel { watch = await DisconnectWatch(channel) { task.cancel() } }
    let value = await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
    watch?.remove()
    timer.cancel()
    return late.isSet.load(ordering: .acquiring) ? nil : value
  }

  /// The same of work that can fail.
  ///
  /// - Parameter late: what is thrown if the work took too long.
  static func run<Value: Sendable, Failure: Error>(
    _ seconds: Int, orThrow late: Failure, while channel: (any Channel)? = nil,
    _ work: @escaping @Sendable () async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let result = await run(seconds, while: channel) {
      do throws(Failure) {
        return Result<Value, Failure>.success(try await work())
      } catch {
        return .failure(error)
      }
    }
    return try (result ?? .failure(late)).get()
  }

  private final class Late: Sendable {
    let isSet = Atomic(false)
  }
}

/// Calls something once, after a while.
///
/// A sleeping task that is cancelled leaves its timer until it would have ended. Of thousands of
/// requests a second each would leave one. This leaves nothing once it is cancelled.
struct Timer: Sendable {
  private let scheduled: Scheduled<Void>

  init(seconds: Double, _ body: @escaping @Sendable () -> Void) {
    scheduled = MultiThreadedEventLoopGroup.singleton.any().scheduleTask(
      in: .nanoseconds(Int64(max(0, min(seconds, 86_400)) * 1e9)), body)
  }

  /// Does nothing if it was called.
  func cancel() { scheduled.cancel() }
}

/// Seconds that pass from when it is made, wherever the clock stands.
struct ElapsedTime: Sendable {
  private let begun = ContinuousClock.now

  var seconds: Double { (ContinuousClock.now - begun) / .seconds(1) }
}

/// Notices that the client has closed its connection, while its request is worked on.
struct DisconnectWatch: Sendable {
  private let channel: any Channel
  private let handler: Handler

  /// Watches until `remove` is called.
  ///
  /// - Parameter left: called when the client closes its side, at most twice.
  init(_ channel: any Channel, _ left: @escaping @Sendable () -> Void) async {
    (self.channel, handler) = (channel, Handler(left))
    do {
      // First of all: the handlers of HTTP keep it to themselves until the answer is written.
      try await channel.pipeline.addHandler(handler, position: .first).get()
    } catch {
      // The connection is closed already.
      left()
    }
  }

  func remove() { channel.pipeline.removeHandler(handler, promise: nil) }

  private final class Handler: ChannelInboundHandler, RemovableChannelHandler, Sendable {
    typealias InboundIn = NIOAny
    typealias InboundOut = NIOAny

    private let left: @Sendable () -> Void

    init(_ left: @escaping @Sendable () -> Void) { self.left = left }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
      if let event = event as? ChannelEvent, event == .inputClosed { left() }
      context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
      left()
      context.fireChannelInactive()
    }
  }
}
