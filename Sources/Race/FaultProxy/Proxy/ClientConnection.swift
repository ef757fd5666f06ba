import Dispatch
import Foundation
import HTTPClient
import Synchronization

/// One client's connection, served request by request on its own thread.
struct ClientConnection {
  let socket: ClientSocket
  let state: ProxyState

  /// Serves until either side ends the connection. Closes the socket.
  func serve() {
    defer { socket.close() }
    var reader = RequestReader(state.limits)
    while !state.isStopping, let request = receive(&reader) {
      guard carryOut(request), !request.closes else { return }
    }
  }

  /// The next complete request; nil if the connection is to end.
  private func receive(_ reader: inout RequestReader) -> ProxiedRequest? {
    var deadline = ContinuousClock.now + state.limits.idleTime
    var hasBegun = false
    while true {
      do throws(RequestRefusal) {
        if let request = try reader.next() { return request }
      } catch {
        return refuse(error)
      }
      if !hasBegun, !reader.isBetweenRequests {
        hasBegun = true
        deadline = .now + state.limits.requestTime
      }
      if reader.takesContinue(), !socket.send(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)) {
        return nil
      }
      switch socket.receive(upTo: reader.appetite, until: deadline) {
      case .bytes(let bytes): reader.take(bytes)
      case .ended:
        if hasBegun, !state.isStopping { state.noteRefused() }
        return nil
      case .timedOut: return hasBegun ? refuse(.tooSlow) : nil
      }
    }
  }

  private func refuse(_ refusal: RequestRefusal) -> ProxiedRequest? {
    state.noteRefused()
    if socket.send(AnswerBytes(refusal).whole) {
      // Otherwise, data that the client still sends would reset the connection, and the answer
      // would be lost.
      drain()
    }
    return nil
  }

  private func drain() {
    let deadline = ContinuousClock.now + .seconds(1)
    var left = 1 << 20
    while left > 0, case .bytes(let bytes) = socket.receive(upTo: left, until: deadline) {
      left -= bytes.count
    }
  }

  /// Does what the plan says for a request. Returns false if the connection has ended.
  private func carryOut(_ request: ProxiedRequest) -> Bool {
    state.start()
    defer { state.end() }
    let decision = state.decide(request)
    let treatment = Treatment(decision.fault)
    var replies: [Upstream.Reply] = []
    switch treatment.sending {
    case .never: break
    case .once: replies = [forward(request)]
    case .twice: replies = [forward(request), forward(request)]
    case .withoutConditions: replies = [forward(request.unconditional)]
    case .onceAndAgainLater:
      replies = [forward(request)]
      sendLater(request, decision)
    case .whenReleased:
      let place = state.hold()
      wait { state.isReleased(place) }
      if state.isStopping { break }
      replies = [forward(request)]
    case .late:
      wait { socket.clientHasLeft }
      sendLater(request, decision)
      state.note(request, decision, replies: [], client: "gone", applied: .unknown)
      return false
    }
    if treatment.isSlow { pause(decision.slowness) }
    let client = answer(request, decision, treatment.ending, replies.last)
    state.note(request, decision, replies: replies, client: client)
    return client.first?.isNumber ?? false
  }

  /// Gives the client its answer or the fault. Returns the word for the log: a status if all is
  /// well.
  private func answer(
    _ request: ProxiedRequest, _ decision: ProxyDecision, _ ending: Treatment.Ending,
    _ reply: Upstream.Reply?
  ) -> String {
    let response: HTTPResponse
    switch (ending, reply) {
    case (.answer(let madeUp), _): response = madeUp.response(to: decision.number)
    case (.close, _): return "closed"
    case (.reset, _):
      socket.close(resetting: true)
      return "reset"
    case (.silence, _):
      wait { socket.clientHasLeft }
      return "gone"
    // If the server gave no answer, the client gets none either.
    case (_, nil), (_, .failure): return "closed"
    case (_, .success(let theirs)): response = theirs
    }
    let bytes = AnswerBytes(response, to: request.method, closes: request.closes)
    let (sent, word) =
      switch ending {
      case .halfTheHead: (bytes.halfOfHead, "truncated")
      case .halfTheBody: (bytes.halfOfBody, "truncated")
      default: (bytes.whole, "\(response.status)")
      }
    return socket.send(sent) ? word : "gone"
  }

  /// Sends to the server and waits for its answer. The transport limits the time.
  private func forward(_ request: ProxiedRequest) -> Upstream.Reply {
    let answered = DispatchSemaphore(value: 0)
    let reply = Reply()
    state.upstream.send(request) { result in
      reply.value.withLock { $0 = result }
      answered.signal()
    }
    answered.wait()
    return reply.value.withLock(\.self)
  }

  private final class Reply: Sendable {
    let value = Mutex<Upstream.Reply>(
      .failure(HTTPError(.internal, "not sent", mayHaveBeenApplied: false)))
  }

  private func sendLater(_ request: ProxiedRequest, _ decision: ProxyDecision) {
    state.lateSends.begin { [state] in
      do {
        try await Task.sleep(for: decision.lateness)
      } catch {
        state.note(request, decision, late: true, replies: [], client: "gone")
        return
      }
      let reply = await state.upstream.send(request)
      state.note(request, decision, late: true, replies: [reply], client: "gone")
    }
  }

  /// Waits until a condition holds, the proxy stops, or the time is over.
  private func wait(until isSo: () -> Bool) {
    let deadline = ContinuousClock.now + state.limits.patience
    while !state.isStopping, !isSo(), ContinuousClock.now < deadline { usleep(5_000) }
  }

  private func pause(_ duration: Duration) {
    let deadline = ContinuousClock.now + duration
    wait { ContinuousClock.now >= deadline }
  }
}
