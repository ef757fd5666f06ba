#if canImport(Security)
  import Foundation
  public import ObjectStore
  import Security

  /// Secrets in the Keychain, as generic passwords of one service.
  ///
  /// They can be read once the device was unlocked after its start, so that background runs find them,
  /// and they stay on this device: no backup and no iCloud Keychain holds them.
  public struct Keychain: SecretStore {
    private let service: String
    private let accessGroup: String?

    /// - Parameters:
    ///   - service: names the app's secrets, such as its bundle identifier.
    ///   - accessGroup: for an app and its extensions; nil for the app alone.
    public init(service: String, accessGroup: String? = nil) {
      (self.service, self.accessGroup) = (service, accessGroup)
    }

    /// The secret of this name; nil if there is none.
    public func secret(named name: String) throws(StoreError) -> Secret? {
      try SecretLimits.check(name)
      var query = place(name)
      query[kSecReturnData] = true
      query[kSecMatchLimit] = kSecMatchLimitOne
      var found: CFTypeRef?
      let status = SecItemCopyMatching(query as CFDictionary, &found)
      if status == errSecItemNotFound { return nil }
      guard status == errSecSuccess else { throw failed("read", name, status) }
      guard let data = found as? Data, let text = String(validating: data, as: UTF8.self) else {
        throw StoreError(
          .invalidRequest, "the secret \(name) of the Keychain is not text",
          remedy: "keep the secret again")
      }
      return Secret(text)
    }

    /// Keeps a secret in the place of any other of this name.
    public func keep(_ secret: Secret, named name: String) throws(StoreError) {
      try SecretLimits.check(secret, name)
      let content: [CFString: Any] = [
        kSecValueData: Data(secret.revealed.utf8),
        kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
      ]
      // Another task may add or remove it between the two calls; then the other call is right.
      for _ in 0..<3 {
        var status = SecItemUpdate(place(name) as CFDictionary, content as CFDictionary)
        if status == errSecItemNotFound {
          status = SecItemAdd(
            place(name).merging(content) { $1 } as CFDictionary, nil)
        }
        if status == errSecSuccess { return }
        guard status == errSecDuplicateItem else { throw failed("kept", name, status) }
      }
      throw failed("kept", name, errSecDuplicateItem)
    }

    /// Removes a secret, if there is one.
    public func forget(named name: String) throws(StoreError) {
      try SecretLimits.check(name)
      let status = SecItemDelete(place(name) as CFDictionary)
      guard status == errSecSuccess || status == errSecItemNotFound else {
        throw failed("removed", name, status)
      }
    }

    private func place(_ name: String) -> [CFString: Any] {
      var place: [CFString: Any] = [
        kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecAttrAccount: name,
        kSecUseDataProtectionKeychain: true,
      ]
      if let accessGroup { place[kSecAttrAccessGroup] = accessGroup }
      return place
    }

    private func failed(_ what: String, _ name: String, _ status: OSStatus) -> StoreError {
      if status == errSecInteractionNotAllowed {
        return StoreError(
          .unavailable, "the secret \(name) can't be \(what) before the device is unlocked",
          remedy: "try again after it was unlocked", isRetryable: true)
      }
      let reason = SecCopyErrorMessageString(status, nil) as String? ?? "error \(status)"
      return StoreError(
        .unavailable, "the secret \(name) can't be \(what) in the Keychain: \(reason)")
    }
  }
#endif
