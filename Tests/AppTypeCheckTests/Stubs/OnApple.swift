// swift-format-ignore-file
// What is there on Apple's platforms alone and belongs to the app's own module here. `Keychain` of the
// module Secrets, which uses Security, is one of them. Only for the type check.
import Foundation
import Secrets

extension FileManager {
  func url(forUbiquityContainerIdentifier containerIdentifier: String?) -> URL? { nil }
}

public struct Keychain: SecretStore {
  public init(service: String, accessGroup: String? = nil) {}
  public func secret(named name: String) throws(SecretStoreError) -> Secret? { nil }
  public func keep(_ secret: Secret, named name: String) throws(SecretStoreError) {}
  public func forget(named name: String) throws(SecretStoreError) {}
}
