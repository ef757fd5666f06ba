import CCurl
import Synchronization

/// The one thread that drives all transfers of a transport.
///
/// `@unchecked Sendable`: `inbox` and `thread` are guarded by mutexes; `multi` is set under the
/// inbox's before the thread starts; everything else is touched by that thread alone.
final class TransferLoop: @unchecked Sendable {
  private let configuration: HTTPTransport.Configuration
  private let inbox = Mutex(Inbox())
  private let thread = Mutex<s3h_thread?>(nil)
  /// How many senders are about to wake the thread: while there are any, `multi` must live.
  private let wakers = Atomic<Int>(0)
  private var multi: OpaquePointer?
  private var active: [EasyHandle] = []
  private var idle: [EasyHandle] = []
  private var deadline = EarliestDeadline()

  init(_ configuration: HTTPTransport.Configuration) { self.configuration = configuration }

  /// Hands over a transfer, which is finished in every case.
  func submit(_ transfer: Transfer) {
    if let refusal = post(.submit(transfer)) { transfer.finish(.failure(refusal)) }
  }

  /// Runs a task's step on the thread; where there is none, on the global executor.
  func enqueue(_ job: UnownedJob, for executor: UnownedTaskExecutor) {
    if post(.job(job, executor)) != nil { globalConcurrentExecutor.enqueue(ExecutorJob(job)) }
  }

  /// Hands a message to the thread, which is started for it; returns why that can't be.
  private func post(_ message: Inbox.Message) -> HTTPError? {
    var refusal: HTTPError?
    let wakes = inbox.withLock { inbox in
      if inbox.phase == .fresh {
        refusal = start()
        if refusal == nil { inbox.phase = .running }
      } else if inbox.phase != .running {
        refusal = .shutDown(sent: false)
      }
      return refusal == nil && announce(inbox.post(message))
    }
    if wakes { wake() }
    return refusal
  }

  /// Asks for a transfer's end; harmless where it has ended or comes only later.
  func cancel(_ transfer: Transfer) {
    transfer.isCancelled.store(true, ordering: .releasing)
    let wakes = inbox.withLock { inbox in
      inbox.phase == .running && announce(inbox.post(.cancel(transfer)))
    }
    if wakes { wake() }
  }

  /// Cancels what is under way, closes all connections and waits for the thread's end.
  ///
  /// On the thread itself, where a task may drop the last reference, it ends after this step.
  func stop() {
    if inbox.withLock({ announce($0.stop()) }) { wake() }
    if let thread = thread.withLock({ $0.take() }) {
      if s3h_thread_is_current(thread) != 0 {
        s3h_thread_detach(thread)
      } else {
        s3h_thread_join(thread)
      }
    }
    _ = CurlLibrary.running.withLock { $0.removeValue(forKey: ObjectIdentifier(self)) }
  }

  /// Makes the multi handle and the thread; called under the inbox's lock.
  private func start() -> HTTPError? {
    guard CurlLibrary.ready == CURLE_OK, let made = curl_multi_init() else {
      return HTTPError(.internal, "libcurl did not start", mayHaveBeenApplied: false)
    }
    // Without a descriptor to be woken by, the thread would sleep over what it is asked for.
    guard curl_multi_wakeup(made) == CURLM_OK else {
      curl_multi_cleanup(made)
      return HTTPError(
        .internal, "no file descriptor is left for transfers: raise the limit (ulimit -n)",
        mayHaveBeenApplied: false)
    }
    let most = configuration.maximumConnections
    _ = s3h_multi_set_long(made, CURLMOPT_MAX_TOTAL_CONNECTIONS, most)
    _ = s3h_multi_set_long(
      made, CURLMOPT_MAX_HOST_CONNECTIONS, configuration.maximumConnectionsPerHost ?? 0)
    _ = s3h_multi_set_long(made, CURLMOPT_MAXCONNECTS, most)
    multi = made
    var new = s3h_thread()
    let loop = Unmanaged.passRetained(self)
    guard s3h_thread_start(&new, runLoop, loop.toOpaque()) == 0 else {
      loop.release()
      curl_multi_cleanup(made)
      multi = nil
      return HTTPError(.internal, "no thread for transfers", mayHaveBeenApplied: false)
    }
    thread.withLock { $0 = new }
    CurlLibrary.running.withLock { $0[ObjectIdentifier(self)] = self }
    return nil
  }

  /// Notes, under the inbox's lock, that the caller will wake the thread.
  private func announce(_ wakes: Bool) -> Bool {
    if wakes { wakers.add(1, ordering: .relaxed) }
    return wakes
  }

  /// Wakes the thread; outside the lock, which the thread wants as soon as it is awake.
  private func wake() {
    _ = multi.map(curl_multi_wakeup)
    wakers.subtract(1, ordering: .releasing)
  }

  /// The thread's body.
  fileprivate func run() {
    guard let multi else { return }
    while true {
      guard heed(multi) == .running else { break }
      var running: CInt = 0
      guard curl_multi_perform(multi, &running) == CURLM_OK else { break }
      reap(multi)
      let patience = expire(multi)
      if inbox.withLock({ $0.fallAsleep() }) { curl_multi_poll(multi, nil, 0, patience, nil) }
    }
    end(multi)
  }

  /// Does what the inbox says; returns the phase.
  ///
  /// A task's step mostly says something more, such as its next request: that is heeded too before
  /// libcurl looks over all its handles again, but not without end.
  private func heed(_ multi: OpaquePointer) -> Inbox.Phase {
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

  private func begin(_ transfer: Transfer, _ multi: OpaquePointer) {
    guard !transfer.isCancelled.load(ordering: .acquiring) else {
      transfer.finish(.failure(.cancelled(sent: false)))
      return
    }
    guard transfer.deadline > .now else {
      transfer.finish(.failure(.timedOut(transfer)))
      return
    }
    guard let easy = idle.popLast() ?? EasyHandle() else {
      transfer.finish(
        .failure(HTTPError(.internal, "no memory for a transfer", mayHaveBeenApplied: false)))
      return
    }
    let prepared = easy.prepare(transfer, configuration)
    guard prepared == CURLE_OK, curl_multi_add_handle(multi, easy.curl) == CURLM_OK else {
      // Balances the retain where libcurl refused the handle only after it was prepared.
      _ = easy.takeTransfer()
      transfer.finish(
        .failure(HTTPError(prepared, detail: easy.detail(prepared), transfer: transfer)))
      easy.free()
      return
    }
    transfer.slot = active.count
    active.append(easy)
    deadline.add(transfer.deadline)
  }

  /// Drops a transfer for its sender's sake; libcurl closes the connection it was on.
  private func abandon(_ transfer: Transfer, _ multi: OpaquePointer) {
    guard let slot = transfer.slot else { return }
    retire(slot, multi) { transfer, _ in .failure(.cancelled(sent: transfer.sends > 0)) }
  }

  /// Ends what is past its deadline; returns how many milliseconds the next one is away.
  ///
  /// libcurl's own timeout does not hold for a transfer that waits for a free connection.
  private func expire(_ multi: OpaquePointer) -> CInt {
    let now = ContinuousClock.now
    if deadline.hasPassed(now) {
      for slot in active.indices.reversed() where active[slot].transfer?.deadline ?? now <= now {
        retire(slot, multi) { transfer, _ in .failure(.timedOut(transfer)) }
      }
      deadline = EarliestDeadline(active.compactMap { $0.transfer?.deadline })
    }
    return deadline.milliseconds(from: now)
  }

  /// Finishes all transfers that libcurl has done with.
  private func reap(_ multi: OpaquePointer) {
    var curl: OpaquePointer?
    var result = CURLE_OK
    while s3h_multi_next_done(multi, &curl, &result) != 0 {
      guard let slot = curl.flatMap(EasyHandle.transfer(of:))?.slot else { continue }
      retire(slot, multi) { transfer, easy in transfer.outcome(result, easy) }
    }
  }

  /// Takes a transfer out of libcurl's hands, resumes its sender and keeps the handle for reuse.
  private func retire(
    _ slot: Int, _ multi: OpaquePointer, _ outcome: (Transfer, EasyHandle) -> Transfer.Outcome
  ) {
    let easy = active[slot]
    if let last = active.popLast(), slot < active.count {
      active[slot] = last
      last.transfer?.slot = slot
    }
    curl_multi_remove_handle(multi, easy.curl)
    if let transfer = easy.takeTransfer() {
      transfer.slot = nil
      transfer.finish(outcome(transfer, easy))
    }
    easy.reset()
    if idle.count < configuration.maximumConnections { idle.append(easy) } else { easy.free() }
  }

  /// Ends all transfers, also those that were submitted meanwhile.
  private func end(_ multi: OpaquePointer) {
    while !active.isEmpty {
      retire(active.count - 1, multi) { transfer, _ in
        .failure(.shutDown(sent: transfer.sends > 0))
      }
    }
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
    while wakers.load(ordering: .acquiring) > 0 { s3h_yield() }
    curl_multi_cleanup(multi)
  }
}

/// The thread's start, which owns a retain of its loop.
private func runLoop(_ pointer: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  if let pointer { Unmanaged<TransferLoop>.fromOpaque(pointer).takeRetainedValue().run() }
  return nil
}
