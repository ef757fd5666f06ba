internal import HTTPTypes
import HealthModel
import HealthStreams
internal import Hummingbird
internal import HummingbirdCore
internal import Logging
import NIOCore
internal import NIOHTTPTypes
import Synchronization

/// What a request knows of its connection.
struct HubContext: InitializableFromSource {
  let channel: any Channel

  init(source: ApplicationRequestContextSource) { channel = source.channel }
}

/// Answers requests: everything between the bytes of HTTP and a route (R54).
///
/// Nothing of a body is read before the device is known and may send it.
struct HubResponder: HTTPResponder {
  let hub: Hub
  let routes: RouteTable
  let admission: Admission
  /// Whether the server speaks https itself.
  var isSecure = false
  /// Who may say that a client speaks https.
  var proxies: [AddressRange] = []
  /// Takes what is to be said of each request.
  let report: @Sendable (RequestRecord) -> Void

  /// Ends a connection whose further bytes nobody reads, after the answer was written.
  private struct Closed: Error {}

  func respond(to request: Request, context: HubContext) async throws -> Response {
    let begun = ContinuousClock.now
    var record = RequestRecord(at: hub.now())
    let fields = request.head.headerFields
    let announcesBody =
      !fields[values: .transferEncoding].isEmpty || (fields[.contentLength] ?? "0") != "0"
    let source = BodySource(request.body, hasBody: announcesBody)
    var answer: Answer
    var isHead = request.head.method == .head
    var wantsClose = false
    var hold: Admission.Hold?
    do throws(RequestFailure) {
      let head = try CheckedHead(request.head)
      wantsClose = head.wantsClose
      answer = try await self.answer(head, source, context, &record, &hold, isHead: &isHead)
    } catch {
      (record.code, record.cause) = (error.code, error.cause)
      answer = error.worded(by: hub.remedy).answer
    }
    record.status = answer.status
    record.counts = answer.counts
    record.device = record.device ?? answer.device
    record.person = record.person ?? answer.person
    record.code = record.code ?? answer.code
    record.milliseconds = Int((ContinuousClock.now - begun) / .milliseconds(1))
    report(record)
    if isHead { answer.events?.close() }
    if let events = answer.events, !isHead {
      // A page that listens holds its connection to the end.
      let closes = wantsClose || !source.isWhole || request.head.method == .get
      return stream(events, answer, context, closes: closes)
    }
    answer = AnswerPacking(compression: hub.compression).answer(
      answer, to: fields[values: .acceptEncoding])
    return response(
      answer, source, context, hold, isHead: isHead, closes: wantsClose || !source.isWhole)
  }

  private func answer(
    _ head: CheckedHead, _ source: BodySource, _ context: HubContext,
    _ record: inout RequestRecord, _ hold: inout Admission.Hold?, isHead: inout Bool
  ) async throws(RequestFailure) -> Answer {
    let route: Route
    switch routes.find(head.method, head.path) {
    case .noSuchPath: throw RequestFailure(404, "not_found", "this server has no page at this path")
    case .otherMethods(let allowed):
      record.path = head.path
      throw RequestFailure(
        405, "method_not_allowed", "this path takes \(allowed)",
        headers: [HeaderField("Allow", allowed)])
    case .found(let found, let withoutBody): (route, isHead) = (found, withoutBody)
    }
    (record.method, record.path) = (isHead ? "HEAD" : route.method.rawValue, route.path)
    let peer = context.channel.remoteAddress?.ipAddress
    let isSecure = PageRequest.isSecure(
      isSecure, forwarded: head.forwardedScheme, from: peer, by: proxies)
    switch route.access {
    case .open(let handle): return await handle()
    case .page(let handle):
      let body = try await body(head, source, context, &record, limit: PageRequest.maximumBytes)
      let request = PageRequest(
        path: head.path, host: head.host, query: head.query, fields: head.fields, body: body,
        isSecure: isSecure, peer: peer, at: hub.now())
      return try await bounded { () async throws(RequestFailure) in try await handle(request) }
    case .token(let endpoint, let handle):
      let origin = ServerOrigin(host: head.host, isSecure: isSecure, peer: peer)
      let device = try await authenticate(head, origin, for: endpoint, &record)
      do throws(RequestFailure) {
        return try await answer(
          head, source, context, &record, &hold, from: device, endpoint, limit: route.limit, handle)
      } catch {
        throw endpoint == .owntracks ? error.asOwnTracksKeeps : error
      }
    }
  }

  private func answer(
    _ head: CheckedHead, _ source: BodySource, _ context: HubContext,
    _ record: inout RequestRecord, _ kept: inout Admission.Hold?, from device: AuthenticatedDevice,
    _ endpoint: Endpoint,
    limit: Int?,
    _ handle: @escaping @Sendable (AuthenticatedRequest) async throws(RequestFailure) -> Answer
  ) async throws(RequestFailure) -> Answer {
    try admission.admit(device.name)
    let limit = limit ?? hub.limits.bodyBytes
    let hold = Admission.Hold(admission, of: device.name)
    try hold.grow(to: weight(of: head, limit: limit))
    defer { withExtendedLifetime(hold) {} }
    let body = try await body(head, source, context, &record, limit: limit, hold)
    let request = AuthenticatedRequest(
      device: device, body: body,
      order: await hub.receipt(isKept: head.method == "POST" && endpoint.isStored),
      query: head.query, host: head.host, fields: head.fields)
    // A receipt goes on when its sender leaves; what is only read does not.
    let watched = endpoint.isStored ? nil : context.channel
    let answer = try await bounded(
      by: seconds(hub.limits.handlingSeconds, for: body.count), while: watched
    ) { () async throws(RequestFailure) in try await handle(request) }
    if answer.body.count > Self.longAnswer {
      try hold.grow(to: hold.count + answer.body.count)
      kept = hold
    }
    return answer
  }

  /// An answer of more bytes counts as held until it is written, and how long that may take.
  private static let (longAnswer, writeSeconds) = (65_536, 60.0)

  /// A long body may take as long as the usual ones that it would be.
  private func seconds(_ usual: Int, for bytes: Int) -> Int {
    usual * (1 + bytes / max(1, hub.limits.bodyBytes))
  }

  private func authenticate(
    _ head: CheckedHead, _ origin: ServerOrigin?, for endpoint: Endpoint,
    _ record: inout RequestRecord
  ) async throws(RequestFailure) -> AuthenticatedDevice {
    let secret = Credentials.secret(in: head.fields) ?? []
    let found =
      if let sent = GrantSecret(String(decoding: secret, as: UTF8.self)) {
        try await hub.tokens.agent(reading: sent, for: origin?.resource, at: hub.now())
      } else {
        try hub.tokens.token(sending: secret)?.device
      }
    guard let device = found else {
      let challenge = challenge(endpoint, origin, isWrong: !secret.isEmpty)
      throw RequestFailure(
        401, "not_authorized",
        "this needs a device token that the server knows, as X-Device-Token: TOKEN or "
          + "Authorization: Bearer TOKEN",
        headers: [HeaderField("WWW-Authenticate", challenge)])
    }
    (record.device, record.person) = (device.name, device.person)
    guard device.endpoints.contains(endpoint) else {
      throw RequestFailure(
        403, "out_of_scope",
        "the token may not be used for this endpoint (\(endpoint.rawValue))",
        // An administrator's token has no person (R65).
        remedy: .endpoint(endpoint, endpoint == .people ? nil : device.person))
    }
    return device
  }

  /// How to get in. An agent is led to where a person lets it in (RFC 9728), if there is such a place.
  private func challenge(_ endpoint: Endpoint, _ origin: ServerOrigin?, isWrong: Bool) -> String {
    guard endpoint == .agents, hub.own.dashboard != nil, let origin else {
      return #"Bearer realm="s3healthd", Basic realm="s3healthd""#
    }
    return #"Bearer realm="s3healthd", "# + (isWrong ? #"error="invalid_token", "# : "")
      + #"resource_metadata="\#(origin.resourceMetadata)", scope="\#(AgentGrant.scope)""#
  }

  /// How many bytes a request is expected to hold; it may turn out to hold more. Packed text of
  /// health data is a tenth to a thirtieth of what it holds.
  private func weight(of head: CheckedHead, limit: Int) -> Int {
    guard head.hasBody else { return 0 }
    let usual = min(limit, hub.limits.bodyBytes)
    guard let announced = head.announced, announced <= limit else { return usual }
    return head.isGzip ? max(announced, min(usual, announced * 30)) : announced
  }

  private func body(
    _ head: CheckedHead, _ source: BodySource, _ context: HubContext,
    _ record: inout RequestRecord, limit: Int, _ hold: Admission.Hold? = nil
  ) async throws(RequestFailure) -> [UInt8] {
    if let announced = head.announced, announced > limit { throw .bodyTooLarge(limit) }
    if head.expectsContinue, head.hasBody {
      // If the connection is gone, reading the body will show it.
      try? await context.channel.writeAndFlush(HTTPResponsePart.head(.init(status: .continue)))
    }
    let bytes = try await source.read(
      limit: limit, seconds: seconds(hub.limits.bodySeconds, for: head.announced ?? 0),
      announced: head.announced,
      growing: { (count) throws(RequestFailure) in try hold?.grow(to: count) })
    record.bytes = bytes.count
    guard head.isGzip else { return bytes }
    // First as long as most are, then as long as any may be.
    let expected = min(limit, max(hub.limits.bodyBytes, hold?.count ?? 0))
    for limit in Set([expected, limit]).sorted() {
      try hold?.grow(to: limit)
      do throws(BatchCompressionError) {
        return try hub.compression.gunzip(bytes, limit: limit)
      } catch {
        switch error {
        case .tooLarge: continue
        case .damaged: throw RequestFailure(400, "not_gzip", "the body is not gzip, or is damaged")
        case .failed: throw .unavailable("the body can't be unpacked at the moment")
        }
      }
    }
    throw .bodyTooLarge(limit)
  }

  /// Gives a receipt up after its time, so that no create of it can arrive long after (R49).
  private func bounded(
    by limit: Int? = nil, while channel: (any Channel)? = nil,
    _ work: @escaping @Sendable () async throws(RequestFailure) -> Answer
  ) async throws(RequestFailure) -> Answer {
    let seconds = limit ?? hub.limits.handlingSeconds
    let late = RequestFailure.unavailable(
      "the store took longer than \(seconds) seconds; send the same again")
    return try await TimeLimit.run(seconds, orThrow: late, while: channel, work)
  }

  /// Writes events until the subscription ends, the client leaves, or nothing of them gets through.
  private func stream(
    _ events: EventSubscription, _ answer: Answer, _ context: HubContext, closes: Bool
  ) -> Response {
    var fields = answer.fields(isSecure: isSecure)
    if closes { fields[.connection] = "close" }
    let channel = context.channel
    events.onStuck { channel.close(promise: nil) }
    return Response(
      status: .init(code: answer.status), headers: fields,
      body: ResponseBody(contentLength: nil) { writer in
        // Not by the body of the request: it may have been read already.
        let watch = await DisconnectWatch(channel) { events.end() }
        defer {
          watch.remove()
          events.close()
        }
        while let bytes = await events.next() {
          try await writer.write(ByteBuffer(bytes: bytes))
          events.written()
        }
        try await writer.finish(nil)
        if closes { throw Closed() }
      })
  }

  private func response(
    _ answer: Answer, _ source: BodySource, _ context: HubContext, _ hold: Admission.Hold?,
    isHead: Bool, closes: Bool
  ) -> Response {
    var fields = answer.fields(isSecure: isSecure)
    if answer.status != 204 { fields[.contentLength] = "\(answer.body.count)" }
    if closes { fields[.connection] = "close" }
    let status = HTTPResponse.Status(code: answer.status)
    let bytes = isHead ? [] : answer.body
    let channel = context.channel
    guard closes || hold != nil else {
      return Response(
        status: status, headers: fields,
        body: bytes.isEmpty ? ResponseBody() : ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }
    return Response(
      status: status, headers: fields,
      body: ResponseBody(contentLength: nil) { writer in
        let timer = hold.map { _ in
          Timer(seconds: Self.writeSeconds) { channel.close(promise: nil) }
        }
        defer {
          timer?.cancel()
          withExtendedLifetime(hold) {}
        }
        if !bytes.isEmpty { try await writer.write(ByteBuffer(bytes: bytes)) }
        try await writer.finish(nil)
        guard closes else { return }
        await source.drain()
        throw Closed()
      })
  }
}
