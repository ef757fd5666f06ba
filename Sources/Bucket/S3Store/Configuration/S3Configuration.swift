/// Everything that determines where and how a store's requests are sent. Contains no secret.
package struct S3Configuration: Hashable, Sendable {
  package var bucket: String
  /// The prefix of every key of this store, without slashes at both ends; empty for the whole
  /// bucket.
  package var prefix: String
  /// Nil for AWS itself in `region`.
  package var endpoint: S3Endpoint?
  /// The region that requests are signed for.
  package var region: String
  package var addressingStyle: AddressingStyle
  /// PEM file that replaces the system's certificate authorities.
  package var caBundle: String?
  /// Whether requests may leave this machine over plain http.
  package var allowsPlaintext: Bool
  package var serverSideEncryption: ServerSideEncryption
  /// Time limit of one HTTP exchange, including connecting.
  package var requestTimeout: Duration
  package var connectTimeout: Duration
  /// The most sends of one request, including the first; at least 1.
  package var maximumAttempts: Int
  /// The profile of the AWS files that was used, if there is one.
  package var profile: String?
  /// The origin of each setting, in a fixed order, for `doctor`.
  package var origins: [SettingOrigin]

  package init(
    bucket: String, prefix: String = "", endpoint: S3Endpoint? = nil,
    region: String = S3Configuration.defaultRegion, addressingStyle: AddressingStyle = .auto,
    caBundle: String? = nil, allowsPlaintext: Bool = false,
    serverSideEncryption: ServerSideEncryption = .none, requestTimeout: Duration = .seconds(30),
    connectTimeout: Duration = .seconds(5), maximumAttempts: Int = 10, profile: String? = nil,
    origins: [SettingOrigin] = []
  ) {
    self.bucket = bucket
    self.prefix = prefix
    self.endpoint = endpoint
    self.region = region
    self.addressingStyle = addressingStyle
    self.caBundle = caBundle
    self.allowsPlaintext = allowsPlaintext
    self.serverSideEncryption = serverSideEncryption
    self.requestTimeout = requestTimeout
    self.connectTimeout = connectTimeout
    self.maximumAttempts = maximumAttempts
    self.profile = profile
    self.origins = origins
  }

  /// The region to sign for if none is set: AWS's own default for S3.
  package static let defaultRegion = "us-east-1"
}

extension S3Configuration {
  /// Where requests put the bucket's name.
  package enum AddressingStyle: String, Hashable, Sendable, CaseIterable {
    /// Path for a custom endpoint or for a bucket name that is not a valid host label; otherwise
    /// virtual.
    case auto
    /// `https://host/bucket/key`.
    case path
    /// `https://bucket.host/key`.
    case virtual
  }

  /// The server-side encryption of new objects.
  package enum ServerSideEncryption: Hashable, Sendable {
    /// No header: the bucket's default.
    case none
    /// `AES256`.
    case aes256
    /// `aws:kms`; a nil id means the default key of the bucket or account.
    case kms(keyID: String?)
  }

  /// True if the bucket's name is in the path: `addressingStyle` with auto decided.
  package var usesPathStyle: Bool {
    switch addressingStyle {
    case .path: true
    case .virtual: false
    case .auto: endpoint != nil || !BucketName.fitsHostLabel(bucket)
    }
  }

  /// The endpoint, or AWS's for `region`.
  package var effectiveEndpoint: S3Endpoint { endpoint ?? .aws(region: region) }
}

/// One setting, its value and its origin, for `doctor`. Never a secret.
package struct SettingOrigin: Hashable, Sendable {
  /// The setting's name, such as `region`.
  package let setting: String
  /// The effective value, as a person would write it.
  package let value: String
  /// The origin, such as `AWS_REGION`, `~/.aws/config [profile x]`, `default`.
  package let origin: String

  package init(_ setting: String, value: String, origin: String) {
    (self.setting, self.value, self.origin) = (setting, value, origin)
  }
}

/// Which names a bucket may have.
package enum BucketName {
  /// 3 to 255 letters, digits, `.`, `-` and `_`, with a letter or digit at both ends. This is what
  /// S3 servers have accepted so far, and nothing that could change the meaning of a URL.
  package static func isValid(_ name: String) -> Bool {
    let bytes = Array(name.utf8)
    guard (3...255).contains(bytes.count), bytes.allSatisfy(isNameByte),
      let first = bytes.first, let last = bytes.last, isAlphanumeric(first), isAlphanumeric(last)
    else { return false }
    return name.firstRange(of: "..") == nil && IPv4Address(name) == nil
  }

  /// True if the name can be a single label of a host name, so that a wildcard certificate covers
  /// it.
  package static func fitsHostLabel(_ name: String) -> Bool {
    name.utf8.count <= 63
      && name.utf8.allSatisfy {
        isNameByte($0) && $0 != 0x2E && $0 != 0x5F && !(0x41...0x5A).contains($0)
      }
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    isAlphanumeric(byte) || byte == 0x2D || byte == 0x2E || byte == 0x5F
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: false
    }
  }
}
