internal import HTTPTypes
import NIOCore
internal import NIOHTTP1
internal import NIOHTTPTypes
internal import NIOHTTPTypesHTTP1
import Synchronization

/// How many connections each address has, so that none takes the places of all (R54).
final class AddressCounts: Sendable {
  private let most: Int
  private let counts = Mutex<[String: Int]>([:])

  init(most: Int) { self.most = most }

  /// False if the address has as many as it may.
  func enter(_ address: String) -> Bool {
    counts.withLock { counts in
      let count = counts[address] ?? 0
      guard count < most else { return false }
      counts[address] = count + 1
      return true
    }
  }

  func leave(_ address: String) {
    counts.withLock { counts in
      let count = (counts[address] ?? 0) - 1
      counts[address] = count > 0 ? count : nil
    }
  }
}

/// Closes a connection of an address that has too many, and one of HTTP/1.0 after its answer (R54).
///
/// `@unchecked Sendable`: only its channel's event loop uses it.
final class ConnectionGate: ChannelInboundHandler, RemovableChannelHandler, @unchecked Sendable {
  typealias InboundIn = HTTPRequestPart

  private let counts: AddressCounts
  /// The network of the other end, once it is counted.
  private var counted: String?

  init(_ counts: AddressCounts) { self.counts = counts }

  func handlerAdded(context: ChannelHandlerContext) {
    let operations = context.pipeline.syncOperations
    if let codec = try? operations.handler(type: HTTP1ToHTTPServerCodec.self) {
      try? operations.addHandler(VersionWatch(), position: .before(codec))
    }
    if context.channel.isActive { count(context) }
  }

  func channelActive(context: ChannelHandlerContext) {
    count(context)
    context.fireChannelActive()
  }

  func channelInactive(context: ChannelHandlerContext) {
    leave()
    context.fireChannelInactive()
  }

  func handlerRemoved(context: ChannelHandlerContext) { leave() }

  private func count(_ context: ChannelHandlerContext) {
    guard counted == nil else { return }
    let network = SignInAttempts.network(context.remoteAddress?.ipAddress ?? "")
    guard counts.enter(network) else { return context.close(promise: nil) }
    counted = network
  }

  private func leave() {
    if let counted { counts.leave(counted) }
    counted = nil
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
