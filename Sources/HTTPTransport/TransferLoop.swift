import CCurl
import HTTPMessage
import Synchronization

/// The one thread that drives all transfers of a transport.
///
/// `@unchecked Sendable`: `inbox` and `thread` are guarded by mutexes; `bell` and `multi` are set
/// under the inbox's before the thread starts; everything else is touched by that thread alone.
final class TransferLoop: @unchecked Sendable {
  private let configuration: HTTPTransport.Configuration
  private let inbox = Mutex(Inbox())
  private let thread = Mutex<s3h_thread?>(nil)
  /// Wakes the thread; closed only with the loop, which each sender holds.
  private var bell = s3h_bell(reader: -1, writer: -1)
  private var multi: MultiHandle?
  private var active: [EasyHandle] = []
  private var idle: [EasyHandle] = []
  private let kept = KeptSockets()
  private var deadline = EarliestDeadline()

  init(_ configuration: HTTPTransport.Configuration) { self.configuration = configuration }

  deinit { s3h_bell_close(bell) }

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
    // The phase is looked at and the message left under one lock, and `end` takes what is left under
    // the same: no message can be left with a loop that has ended.
    let wakes = inbox.withLock { inbox in
      if inbox.phase == .fresh {
        refusal = start()
        if refusal == nil { inbox.phase = .running }
      } else if inbox.phase != .running {
        refusal = .shutDown(sent: false)
      }
      return refusal == nil && inbox.post(message)
    }
    // Outside the lock, which the thread wants as soon as it is awake.
    if wakes { s3h_bell_ring(bell) }
    return refusal
  }

  /// Asks for a transfer's end; harmless where it has ended or comes only later.
  func cancel(_ transfer: Transfer) {
    // The flag first: where the message overtakes the submission, `begin` finds the flag set.
    transfer.isCancelled.store(true, ordering: .releasing)
    let wakes = inbox.withLock { inbox in
      inbox.phase == .running && inbox.post(.cancel(transfer))
    }
    if wakes { s3h_bell_ring(bell) }
  }

  /// Cancels what is under way, closes all connections and waits for the thread's end.
  ///
  /// On the thread itself, where a task may drop the last reference, it ends after this step.
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

  /// Makes the multi handle and the thread; called under the inbox's lock.
  private func start() -> HTTPError? {
    guard CurlLibrary.ready == CURLE_OK else {
      return HTTPError(.internal, "libcurl did not start", mayHaveBeenApplied: false)
    }
    bell = s3h_bell_make()
    // Without a descriptor to be woken by, the thread would sleep over what it is asked for.
    guard bell.reader >= 0 else {
      return HTTPError(
        .noDescriptorLeft, "no more files may be opened", mayHaveBeenApplied: false)
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
        .noThreadLeft, "no more threads may be started", mayHaveBeenApplied: false)
    }
    thread.withLock { $0 = new }
    CurlLibrary.running.withLock { $0[ObjectIdentifier(self)] = self }
    return nil
  }

  /// Leaves nothing of a start that failed, so that the next request may try again.
  private func giveUpStart() {
    multi = nil
    s3h_bell_close(bell)
    bell = s3h_bell(reader: -1, writer: -1)
  }

  /// The thread's body.
  fileprivate func run() {
    guard let multi else { return }
    while drainInbox(multi) == .running, multi.runDueTimer(.now) {
      collectFinished(multi)
      let now = ContinuousClock.now
      let next = expire(multi, now)
      // Decided under the lock: whoever posts after this rings the bell, on which the wait ends;
      // what was posted before it keeps the thread from waiting. So no message is slept over.
      let sleeps = inbox.withLock { $0.fallAsleep() }
      guard multi.wait(until: sleeps ? next : now, from: now) else { break }
      // Before the answers are told: what they bring about is then no news to this thread.
      inbox.withLock { $0.wakeUp() }
      collectFinished(multi)
    }
    end(multi)
  }

  /// Does what the inbox says; returns the phase.
  ///
  /// A task's step mostly says something more, such as its next request: that is done too before
  /// the sockets are looked at again, but not without end.
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
    guard transfer.deadline > .now else {
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
  private func abandon(_ transfer: Transfer, _ multi: MultiHandle) {
    // Without a slot it has not begun, and `begin` will see the flag, or it has ended.
    guard let slot = transfer.slot else { return }
    retire(slot, multi) { transfer, _ in .failure(.cancelled(sent: transfer.sends > 0)) }
  }

  /// Ends what is past its deadline; returns when to look again.
  ///
  /// libcurl's own timeout does not hold for a transfer that waits for a free connection.
  private func expire(
    _ multi: MultiHandle, _ now: ContinuousClock.Instant
  ) -> ContinuousClock.Instant {
    if deadline.hasPassed(now) {
      // From the end: `retire` fills a gap with the last one, which was looked at already.
      for slot in active.indices.reversed() where active[slot].transfer?.deadline ?? now <= now {
        retire(slot, multi) { transfer, _ in .failure(.timedOut(transfer)) }
      }
      deadline = EarliestDeadline(active.compactMap { $0.transfer?.deadline })
    }
    return deadline.instant ?? now + .seconds(60)
  }

  /// Finishes all transfers that libcurl has done with.
  private func collectFinished(_ multi: MultiHandle) {
    while let (curl, result) = multi.nextDone() {
      guard let transfer = EasyHandle.transfer(of: curl), let slot = transfer.slot else { continue }
      // Not a byte of the request was sent, so that even what is sent only once may begin again.
      if transfer.verdict == .deadConnection, renew(transfer, active[slot], multi) { continue }
      kept.note(transfer)
      retire(slot, multi) { transfer, easy in transfer.outcome(result, easy) }
    }
  }

  /// Begins anew, on a new connection, what was not sent because a reused one had ended.
  private func renew(_ transfer: Transfer, _ easy: EasyHandle, _ multi: MultiHandle) -> Bool {
    multi.remove(easy)
    guard easy.requireNewConnection(), multi.add(easy) else { return false }
    transfer.verdict = nil
    return true
  }

  /// Takes a transfer out of libcurl's hands, resumes its sender and keeps the handle for reuse.
  private func retire(
    _ slot: Int, _ multi: MultiHandle, _ outcome: (Transfer, EasyHandle) -> Transfer.Outcome
  ) {
    var easy = active[slot]
    if let last = active.popLast(), slot < active.count {
      active[slot] = last
      last.transfer?.slot = slot
    }
    // Out of libcurl's hands before the sender hears of it: no callback touches the transfer then.
    multi.remove(easy)
    var wentAsPlanned = false
    if let transfer = easy.takeTransfer() {
      transfer.slot = nil
      let outcome = outcome(transfer, easy)
      if case .success(let response) = outcome { wentAsPlanned = response.sends == 1 }
      transfer.finish(outcome)
    }
    if wentAsPlanned { easy.forgetRequest() } else { easy.reset() }
    if idle.count < configuration.maximumConnections { idle.append(easy) } else { easy.free() }
  }

  /// Ends all transfers, also those that were submitted meanwhile.
  private func end(_ multi: MultiHandle) {
    while !active.isEmpty {
      retire(active.count - 1, multi) { transfer, _ in
        .failure(.shutDown(sent: transfer.sends > 0))
      }
    }
    // From here on `post` refuses, so these are the last.
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

/// The thread's start, which owns a retain of its loop.
private func runLoop(_ pointer: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  if let pointer { Unmanaged<TransferLoop>.fromOpaque(pointer).takeRetainedValue().run() }
  return nil
}
