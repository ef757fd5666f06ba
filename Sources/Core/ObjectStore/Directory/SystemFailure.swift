import Foundation

/// A failed system call: its `errno`, and what it was for.
package struct SystemFailure: Error {
  package let number: Int32
  /// What was being done, such as `opening a folder`.
  let doing: String

  /// The call that failed last.
  package init(_ number: Int32 = errno) { self.init("a system call", number: number) }

  init(_ doing: String, number: Int32 = errno) {
    (self.doing, self.number) = (doing, number)
  }

  /// The system's words for the error, such as `Permission denied`.
  package var reason: String { String(cString: strerror(number)) }

  /// The system's words for an error of a file manager, or else the error's own description.
  package static func reason(of error: any Error) -> String {
    guard let system = (error as? CocoaError)?.underlying as? POSIXError else { return "\(error)" }
    return String(cString: strerror(system.code.rawValue))
  }
}

extension SystemFailure {
  var isSymbolicLink: Bool { number == ELOOP }

  /// The failure as a store's error, with a remedy.
  func storeError(root: String, key: ObjectKey? = nil) -> StoreError {
    let text = "\(doing) in \(root) failed: \(reason)"
    func error(
      _ code: StoreError.Code, _ remedy: StoreError.Remedy, isRetryable: Bool = false,
      cause: StoreError.Cause? = nil
    ) -> StoreError {
      var error = StoreError(
        code, text, key: key?.rawValue, remedy: remedy, isRetryable: isRetryable)
      error.cause = cause
      return error
    }
    switch number {
    case EACCES, EPERM:
      return error(
        .notAuthorized, "give this user the right to read and write the folder", cause: .permission)
    case EROFS:
      return error(
        .unavailable, "the file system is read-only: choose another folder", cause: .permission)
    case ENOSPC, EDQUOT:
      return error(
        .unavailable, "the disk or quota is full: free some space", isRetryable: true, cause: .full)
    case EFBIG:
      return error(.unavailable, "raise the limit for the size of files")
    case ENAMETOOLONG:
      return error(.invalidRequest, "this file system takes only shorter names: shorten the prefix")
    case EILSEQ:
      return error(.invalidRequest, "this file system can't hold such a name: choose another one")
    case EMFILE:
      return error(.unavailable, .raiseLimit(of: .openFiles), isRetryable: true)
    case ENFILE, ENOMEM, EAGAIN:
      return error(.unavailable, "close other programs, or try again", isRetryable: true)
    case ELOOP:
      return error(
        .unreadable, "symbolic links inside a store are not followed: put a real folder there")
    case EXDEV:
      return error(
        .unavailable, "a folder inside it is another file system: choose that folder as the store")
    case EISDIR, ENOTDIR, EEXIST, ENOTEMPTY:
      return error(.unreadable, "a file or folder is in the way: move it elsewhere")
    default:
      return error(.unavailable, "check the disk or network drive, then try again")
    }
  }

  /// Why the root itself can't be opened.
  func rootError(_ root: String) -> StoreError {
    switch number {
    case ENOENT:
      StoreError(
        .storeMissing, "the folder \(root) does not exist",
        remedy: "create it, or check that its disk is mounted")
    case ENOTDIR, ELOOP:
      StoreError(
        .invalidRequest, "\(root) is not a folder", remedy: "name a folder as the store")
    default: storeError(root: root)
    }
  }
}
