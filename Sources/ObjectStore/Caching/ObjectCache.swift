/// Copies of objects that a reader keeps near itself, to spare reads and nothing else (R39).
///
/// A copy is asked for by the version that the store has just listed, so its age is of no account:
/// it is those bytes, or it is not given.
package protocol ObjectCache: Sendable {
  /// The bytes kept of exactly this version of an object; nil where there is no whole copy.
  func body(of key: ObjectKey, _ version: ObjectVersion) -> [UInt8]?

  /// Keeps the bytes of a version; what can't be kept is not, and nobody is the worse for it.
  func keep(_ body: [UInt8], of key: ObjectKey, _ version: ObjectVersion)

  /// Returns when everything given to `keep` until now was kept, or was not.
  func finish() async
}
