// swift-format-ignore-file
// What is there on Apple's platforms alone and belongs to the app's own module here. `Keychain` of the
// module Secrets and `SystemCloud` of ObjectStore are among them. Only for the type check.
import Foundation
import ObjectStore
import Secrets

public struct SystemCloud: CloudFolders {
  public init() {}
  public func container(_ identifier: String?) -> URL? { nil }
  public func coordinate(
    _ change: CloudChange, of file: URL, _ work: () throws -> Void
  ) throws {}
}

public struct Keychain: SecretStore {
  public init(service: String, accessGroup: String? = nil) {}
  public func secret(named name: String) throws(StoreError) -> Secret? { nil }
  public func keep(_ secret: Secret, named name: String) throws(StoreError) {}
  public func forget(named name: String) throws(StoreError) {}
}
