/// Runs the steps of tasks on a loop's thread (`HTTPTransport.executor`).
final class TransferExecutor: TaskExecutor {
  private let loop: TransferLoop

  init(loop: TransferLoop) { self.loop = loop }

  func enqueue(_ job: consuming ExecutorJob) {
    loop.enqueue(UnownedJob(job), for: asUnownedTaskExecutor())
  }
}
