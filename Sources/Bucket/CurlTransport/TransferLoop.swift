import CCurl
import HTTPClient
import Synchronization

/// The single thread that drives all transfers of a transport.
///
/// `@unchecked Sendable`: mutexes guard `inbox` and `thread`; `bell` and `multi` are set under the
/// inbox's mutex before the thread starts; only that thread uses everything else.
final class TransferLoop: @unchecked Sendable {
  private let configuration: TransportConfiguration
  private let inbox = Mutex(Inbox())
  private let thread = Mutex<s3h_thread?>(nil)
  /// Wakes the thread. Closed only with the loop, which each sender retains.
  private var bell = s3h_bell(reader: -1, writer: -1)
  private var multi: MultiHandle?
  private var active: [EasyHandle] = []
  private var idle: [EasyHandle] = []
  private let kept = KeptSockets()
  private var deadline = EarliestDeadline()
  /// How many of the active transfers have a gate.
  private var gated = 0

  init(_ configuration: TransportConfiguration) { self.configuration = configuration }

  deinit { s3h_bell_close(bell) }

  /// Submits a transfer, which is finished in every case.
  func submit(_ transfer: Transfer) {
    if let refusal = post(.submit(transfer)) { transfer.finish(.failure(refusal)) }
  }

  /// Runs a task's step on the thread; if there is none, on the global executor.
  func enqueue(_ job: UnownedJob, for executor: UnownedTaskExecutor) {
    if post(.job(job, executor)) != nil { globalConcurrentExecutor.enqueue(ExecutorJob(job)) }
  }

  /// Posts a message to the thread, which is started if necessary. Returns the reason if that
  /// fails.
  private func post(_ message: Inbox.Message) -> HTTPError? {
    var refusal: HTTPError?
    // The phase is read and the message added under one lock, and `end` takes the remaining
    // messages under the same lock. So no message can remain in a loop that has ended.
    let wakes = inbox.withLock { inbox in
      if inbox.phase == .fresh {
        refusal = start()
        if refusal == nil { inbox.phase = .running }
      } else if inbox.phase != .running {
        refusal = .shutDown(sent: false)
      }
      return refusal == nil && inbox.post(message)
    }
    // Outside the lock, which the thread needs as soon as it wakes up.
    if wakes { s3h_bell_ring(bell) }
    return refusal
  }

  /// Cancels a transfer. Has no effect if it has ended, and works if it is submitted only later.
  func cancel(_ transfer: Transfer) {
    // The flag comes first: if the message overtakes the submission, `begin` finds the flag set.
    transfer.isCancelled.store(true, ordering: .releasing)
    let wakes = inbox.withLock { inbox in
      inbox.phase == .running && inbox.post(.cancel(transfer))
    }
    if wakes { s3h_bell_ring(bell) }
  }

  /// Cancels running transfers, closes all connections and waits for the thread to end.
  ///
  /// On the thread itself, where a task may drop the last reference, the thread ends after this
  /// step.
  func stop() {
    if inbox.withLock({ $0.stop() }) { s3h_bell_ring(bell) }
    if let thread = thread.withLock({ $0.take() }) {
      if s3h_thread_is_current(thread) != 0 {
        s3h_thread_detach(thread)
      } else {
        s3h_thread_join(thread)
      }
    }
    _ = CurlLibrary.running.withLock { $0.removeValue(forKey: ObjectIdentifier(self)) }
  }

  /// Creates the multi handle and the thread. Called under the inbox's lock.
  private func start() -> HTTPError? {
    guard CurlLibrary.ready == CURLE_OK else {
      return HTTPError(.internal, "libcurl did not start", mayHaveBeenApplied: false)
    }
    bell = s3h_bell_make()
    // Without a descriptor to wake it up, the thread would sleep through its messages.
    guard bell.reader >= 0 else {
      return HTTPError(
        .noDescriptorLeft, "this process can't open more files", mayHaveBeenApplied: false)
    }
    guard let made = MultiHandle(configuration, bell: bell) else {
      giveUpStart()
      return HTTPError(.internal, "libcurl did not start", mayHaveBeenApplied: false)
    }
    multi = made
    var new = s3h_thread()
    let loop = Unmanaged.passRetained(self)
    guard s3h_thread_start(&new, runLoop, loop.toOpaque()) == 0 else {
      loop.release()
      made.free()
      giveUpStart()
      return HTTPError(
        .noThreadLeft, "this user can't start more threads", mayHaveBeenApplied: false)
    }
    thread.withLock { $0 = new }
    CurlLibrary.running.withLock { $0[ObjectIdentifier(self)] = self }
    return nil
  }

  /// Cleans up after a failed start, so that the next request can try again.
  private func giveUpStart() {
    multi = nil
    s3h_bell_close(bell)
    bell = s3h_bell(reader: -1, writer: -1)
  }

  /// The thread's main function.
  fileprivate func run() {
    guard let multi else { return }
    while drainInbox(multi) == .running, multi.runDueTimer(.now) {
      collectFinished(multi)
      let now = ContinuousClock.now
      let next = min(expire(multi, now), openGates(now))
      // Decided under the lock: a later post rings the bell, which ends the wait, and an earlier
      // post keeps the thread from waiting. So no message is missed.
      let sleeps = inbox.withLock { $0.fallAsleep() }
      guard multi.wait(until: sleeps ? next : now, from: now) else { break }
      // Before the answers are delivered, so that new messages that result from them need not wake
      // this thread.
      inbox.withLock { $0.wakeUp() }
      collectFinished(multi)
    }
    end(multi)
  }

  /// Handles the messages of the inbox. Returns the phase.
  ///
  /// A task's step often posts another message, such as its next request. That one is handled as
  /// well before the sockets are checked again, but only a limited number of times.
  private func drainInbox(_ multi: MultiHandle) -> Inbox.Phase {
    var (messages, phase) = inbox.withLock { ($0.take(), $0.phase) }
    var rounds = 0
    while !messages.isEmpty {
      for message in messages {
        switch message {
        case .submit(let transfer): begin(transfer, multi)
        case .cancel(let transfer): abandon(transfer, multi)
        case .job(let job, let executor): job.runSynchronously(on: executor)
        }
      }
      rounds += 1
      guard rounds < 64 else { break }
      (messages, phase) = inbox.withLock { ($0.take(), $0.phase) }
    }
    return phase
  }

  private func begin(_ transfer: Transfer, _ multi: MultiHandle) {
    guard !transfer.isCancelled.load(ordering: .acquiring) else {
      transfer.finish(.failure(.cancelled(sent: false)))
      return
    }
    let now = ContinuousClock.now
    guard transfer.deadline > now else {
      transfer.finish(.failure(.timedOut(transfer)))
      return
    }
    guard var easy = idle.popLast() ?? EasyHandle() else {
      transfer.finish(
        .failure(HTTPError(.internal, "no memory for a transfer", mayHaveBeenApplied: false)))
      return
    }
    let prepared = easy.prepare(transfer, configuration, kept)
    guard prepared == CURLE_OK, multi.add(easy) else {
      // Releases the reference if libcurl refused the handle after it was prepared.
      _ = easy.takeTransfer()
      transfer.finish(
        .failure(HTTPError(prepared, detail: easy.detail(prepared), transfer: transfer)))
      easy.free()
      return
    }
    transfer.slot = active.count
    active.append(easy)
    if transfer.request.gate != nil { gated += 1 }
    deadline.add(transfer.deadline)
  }

  /// Drops a transfer because its sender cancelled it. libcurl closes its connection.
  private func abandon(_ transfer: Transfer, _ multi: MultiHandle) {
    // Without a slot it has either not begun, and `begin` will see the flag, or it has ended.
    guard let slot = transfer.slot else { return }
    retire(slot, multi) { transfer, _ in .failure(.cancelled(sent: transfer.sends > 0)) }
  }

  /// Ends transfers past their deadline. Returns when to check again.
  ///
  /// libcurl's own timeout does not apply to a transfer that waits for a free connection.
  private func expire(
    _ multi: MultiHandle, _ now: ContinuousClock.Instant
  ) -> ContinuousClock.Instant {
    if deadline.hasPassed(now) {
      // From the end: `retire` fills a gap with the last element, which was already checked.
      for slot in active.indices.reversed() where active[slot].transfer?.deadline ?? now <= now {
        retire(slot, multi) { transfer, _ in .failure(.timedOut(transfer)) }
      }
      deadline = EarliestDeadline(active.compactMap { $0.transfer?.deadline })
    }
    return deadline.instant ?? now + .seconds(60)
  }

  /// Lets the bodies go whose gate opens. Returns when to check again.
  ///
  /// All of them are let go before any is sent, so that they leave one right after the other.
  private func openGates(_ now: ContinuousClock.Instant) -> ContinuousClock.Instant {
    guard gated > 0 else { return now + .seconds(60) }
    var next = now + .seconds(60)
    for easy in active {
      guard let transfer = easy.transfer, transfer.passage == .held,
        let gate = transfer.request.gate
      else { continue }
      if gate.opens(at: now) {
        transfer.passage = .through
        easy.resume()
        next = now
      } else {
        next = min(next, gate.opening ?? now)
      }
    }
    return next
  }

  /// Finishes all transfers that libcurl has completed.
  private func collectFinished(_ multi: MultiHandle) {
    while let (curl, result) = multi.nextDone() {
      guard let transfer = EasyHandle.transfer(of: curl), let slot = transfer.slot else { continue }
      // Not a byte of the request was sent, so even a request that is sent only once may start
      // again.
      if transfer.verdict == .deadConnection, renew(transfer, active[slot], multi) { continue }
      kept.note(transfer)
      retire(slot, multi) { transfer, easy in transfer.outcome(result, easy) }
    }
  }

  /// Restarts on a new connection a transfer that was not sent because a reused connection was
  /// closed.
  private func renew(_ transfer: Transfer, _ easy: EasyHandle, _ multi: MultiHandle) -> Bool {
    multi.remove(easy)
    guard easy.requireNewConnection(), multi.add(easy) else { return false }
    transfer.verdict = nil
    return true
  }

  /// Removes a transfer from libcurl, resumes its sender and keeps the handle for reuse.
  private func retire(
    _ slot: Int, _ multi: MultiHandle, _ outcome: (Transfer, EasyHandle) -> Transfer.Outcome
  ) {
    var easy = active[slot]
    if let last = active.popLast(), slot < active.count {
      active[slot] = last
      last.transfer?.slot = slot
    }
    // Remove it from libcurl before resuming the sender, so that no callback uses the transfer any
    // more.
    multi.remove(easy)
    var wentAsPlanned = false
    if let transfer = easy.takeTransfer() {
      transfer.slot = nil
      if let gate = transfer.request.gate {
        gated -= 1
        if transfer.passage != .through { gate.leave(hasArrived: transfer.passage == .held) }
      }
      let outcome = outcome(transfer, easy)
      if case .success(let response) = outcome { wentAsPlanned = response.sends == 1 }
      transfer.finish(outcome)
    }
    if wentAsPlanned { easy.forgetRequest() } else { easy.reset() }
    if idle.count < configuration.maximumConnections { idle.append(easy) } else { easy.free() }
  }

  /// Ends all transfers, including those submitted in the meantime.
  private func end(_ multi: MultiHandle) {
    while !active.isEmpty {
      retire(active.count - 1, multi) { transfer, _ in
        .failure(.shutDown(sent: transfer.sends > 0))
      }
    }
    // From here on `post` refuses messages, so these are the last.
    let late = inbox.withLock { inbox in
      inbox.phase = .stopped
      return inbox.take()
    }
    for message in late {
      switch message {
      case .submit(let transfer): transfer.finish(.failure(.shutDown(sent: false)))
      case .cancel: break
      case .job(let job, _): globalConcurrentExecutor.enqueue(ExecutorJob(job))
      }
    }
    for easy in idle { easy.free() }
    idle = []
    multi.free()
  }
}

/// The thread's entry point, which owns a reference to its loop.
private func runLoop(_ pointer: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  if let pointer { Unmanaged<TransferLoop>.fromOpaque(pointer).takeRetainedValue().run() }
  return nil
}

/// The next deadline of many transfers.
///
/// It is never later than any added deadline. It may be earlier, if that transfer has ended.
struct EarliestDeadline {
  private(set) var instant: ContinuousClock.Instant?

  init(_ deadlines: [ContinuousClock.Instant] = []) { instant = deadlines.min() }

  mutating func add(_ deadline: ContinuousClock.Instant) {
    instant = instant.map { min($0, deadline) } ?? deadline
  }

  func hasPassed(_ now: ContinuousClock.Instant) -> Bool { instant.map { $0 <= now } ?? false }
}

extension Duration {
  /// Rounded up, between 1 (libcurl reads 0 as "no limit") and a million seconds.
  var milliseconds: Int {
    let (seconds, attoseconds) = components
    guard seconds >= 0, attoseconds >= 0 else { return 1 }
    guard seconds < 1_000_000 else { return 1_000_000_000 }
    let part = (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
    return max(1, Int(seconds) * 1000 + Int(part))
  }
}

/// libcurl's global state, initialised with the first request because it takes milliseconds.
enum CurlLibrary {
  /// The result of the one `curl_global_init`.
  static let ready: CURLcode = {
    let result = curl_global_init(Int(CURL_GLOBAL_DEFAULT))
    // Exit handlers run last in, first out, so the threads end before OpenSSL frees what they use.
    return s3h_at_exit(stopAllLoops) == 0 ? result : CURLE_FAILED_INIT
  }()

  static let running = Mutex<[ObjectIdentifier: TransferLoop]>([:])
}

/// Ends every loop that is still running when the process exits.
private func stopAllLoops() {
  for loop in CurlLibrary.running.withLock({ Array($0.values) }) { loop.stop() }
}
