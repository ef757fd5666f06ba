import Foundation

/// Ends the program as a signal that nobody handles ends it, so that whoever started it sees why.
///
/// The signal is raised on this thread alone and let through here: one sent to the process may be
/// taken by whoever listens for it (libdispatch reads signals that every thread blocks), and nothing
/// would end.
func endBySignal(_ number: Int32) -> Never {
  signal(number, SIG_DFL)
  var signals = sigset_t()
  sigemptyset(&signals)
  sigaddset(&signals, number)
  pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  raise(number)
  _exit(128 + number)
}
