internal import HTTPTypes
import NIOCore
internal import NIOHTTP1
internal import NIOHTTPTypes
internal import NIOHTTPTypesHTTP1
import Synchronization

/// The connections of one server: gives each a place, and closes those that make room (R54).
final class ConnectionTable: Sendable {
  private struct State {
    var places: ConnectionPlaces
    var channels: [Int: any Channel] = [:]
    var last = 0
  }

  private let state: Mutex<State>

  init(_ limits: HubLimits) {
    state = Mutex(
      State(
        places: ConnectionPlaces(
          most: limits.connections, mostOfOne: limits.connectionsPerAddress)))
  }

  /// Nil if there is no place.
  func enter(_ channel: any Channel, of network: String) -> Int? {
    let (number, cut) = state.withLock { state -> (Int?, (any Channel)?) in
      state.last += 1
      switch state.places.enter(state.last, of: network) {
      case .refused: return (nil, nil)
      case .admitted:
        state.channels[state.last] = channel
        return (state.last, nil)
      case .admittedInsteadOf(let other):
        state.channels[state.last] = channel
        return (state.last, state.channels.removeValue(forKey: other))
      }
    }
    cut?.close(promise: nil)
    return number
  }

  func set(_ connection: Int, isIdle: Bool) {
    state.withLock { $0.places.set(connection, isIdle: isIdle) }
  }

  func leave(_ connection: Int) {
    state.withLock { state in
      state.places.leave(connection)
      state.channels[connection] = nil
    }
  }
}

/// Answers 503 on a connection for which there is no place, says when the others are idle, and has
/// one of HTTP/1.0 closed after its answer (R54).
///
/// `@unchecked Sendable`: only its channel's event loop uses it.
final class ConnectionGate: ChannelDuplexHandler, RemovableChannelHandler, @unchecked Sendable {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  /// How many connections may wait for their 503, and for how long.
  static let (refused, patience) = (256, TimeAmount.seconds(5))

  private let table: ConnectionTable
  private let isSecure: Bool
  private var place = Place.none
  /// Requests without a whole answer.
  private var open = 0

  private enum Place {
    case none, held(Int), refused
  }

  init(_ table: ConnectionTable, isSecure: Bool) {
    (self.table, self.isSecure) = (table, isSecure)
  }

  func handlerAdded(context: ChannelHandlerContext) {
    let operations = context.pipeline.syncOperations
    if let codec = try? operations.handler(type: HTTP1ToHTTPServerCodec.self) {
      try? operations.addHandler(VersionWatch(), position: .before(codec))
    }
    if context.channel.isActive { enter(context) }
  }

  func channelActive(context: ChannelHandlerContext) {
    enter(context)
    context.fireChannelActive()
  }

  func channelInactive(context: ChannelHandlerContext) {
    leave()
    context.fireChannelInactive()
  }

  func handlerRemoved(context: ChannelHandlerContext) { leave() }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let part = unwrapInboundIn(data)
    switch place {
    case .refused: return refuse(part, context)
    case .held(let connection):
      if case .head = part {
        open += 1
        if open == 1 { table.set(connection, isIdle: false) }
      }
    case .none: break
    }
    context.fireChannelRead(data)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    if case .held(let connection) = place, open > 0, case .end = unwrapOutboundIn(data) {
      open -= 1
      if open == 0 { table.set(connection, isIdle: true) }
    }
    context.write(data, promise: promise)
  }

  private func enter(_ context: ChannelHandlerContext) {
    guard case .none = place else { return }
    let network = SignInAttempts.network(context.remoteAddress?.ipAddress ?? "")
    guard let connection = table.enter(context.channel, of: network) else {
      place = .refused
      let channel = context.channel
      context.eventLoop.scheduleTask(in: Self.patience) { channel.close(promise: nil) }
      return
    }
    place = .held(connection)
  }

  private func leave() {
    if case .held(let connection) = place { table.leave(connection) }
    place = .none
  }

  /// The answer follows the head; the connection ends with the request, or when its time is over.
  private func refuse(_ part: HTTPRequestPart, _ context: ChannelHandlerContext) {
    switch part {
    case .head:
      let answer = RequestFailure.unavailable(
        "the server has as many connections as it takes", retryAfter: 1
      ).answer
      var fields = answer.fields(isSecure: isSecure)
      fields[.contentLength] = "\(answer.body.count)"
      fields[.connection] = "close"
      let head = HTTPResponse(status: .init(code: answer.status), headerFields: fields)
      context.write(wrapOutboundOut(.head(head)), promise: nil)
      context.write(wrapOutboundOut(.body(ByteBuffer(bytes: answer.body))), promise: nil)
      context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    case .body: break
    case .end: context.close(promise: nil)
    }
  }
}

/// A client of HTTP/1.0 waits for the end of the connection, unless it says otherwise.
private final class VersionWatch: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard case .head(var head) = unwrapInboundIn(data), !head.isKeepAlive else {
      return context.fireChannelRead(data)
    }
    head.headers.replaceOrAdd(name: "Connection", value: "close")
    context.fireChannelRead(wrapInboundOut(.head(head)))
  }
}

/// Which connections a server has, and which idle one makes room for a further one (R54). Pure.
struct ConnectionPlaces {
  private let most: Int
  private let mostOfOne: Int
  private var held: [Int: Place] = [:]
  private var counts: [String: Int] = [:]
  private var turn = 0

  private struct Place {
    let network: String
    /// When it became idle, as a turn; nil while it has a request without a whole answer.
    var idleSince: Int?
  }

  enum Verdict: Hashable {
    case admitted
    /// It takes the place of the one that was idle for the longest time, which is to be closed.
    case admittedInsteadOf(Int)
    /// All places are taken by connections with requests.
    case refused
  }

  /// - Parameters:
  ///   - most: the most connections.
  ///   - mostOfOne: the most of one network, so that others still get in.
  init(most: Int, mostOfOne: Int) { (self.most, self.mostOfOne) = (most, mostOfOne) }

  /// A connection was accepted: it is idle until its first request.
  mutating func enter(_ connection: Int, of network: String) -> Verdict {
    let idle: Int?
    if counts[network] ?? 0 >= mostOfOne {
      idle = longestIdle { $0.network == network }
    } else if held.count >= most {
      idle = longestIdle { _ in true }
    } else {
      add(connection, network)
      return .admitted
    }
    guard let idle else { return .refused }
    leave(idle)
    add(connection, network)
    return .admittedInsteadOf(idle)
  }

  /// A request began, or its answer is whole.
  mutating func set(_ connection: Int, isIdle: Bool) {
    turn += 1
    held[connection]?.idleSince = isIdle ? turn : nil
  }

  mutating func leave(_ connection: Int) {
    guard let place = held.removeValue(forKey: connection) else { return }
    let count = (counts[place.network] ?? 0) - 1
    counts[place.network] = count > 0 ? count : nil
  }

  private mutating func add(_ connection: Int, _ network: String) {
    turn += 1
    held[connection] = Place(network: network, idleSince: turn)
    counts[network, default: 0] += 1
  }

  private func longestIdle(_ isMeant: (Place) -> Bool) -> Int? {
    held.filter { $0.value.idleSince != nil && isMeant($0.value) }
      .min { ($0.value.idleSince ?? 0) < ($1.value.idleSince ?? 0) }?.key
  }
}
