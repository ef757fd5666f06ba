/// Everything that decides where and how a store's requests go; holds no secret.
package struct S3Configuration: Hashable, Sendable {
  package var bucket: String
  /// Begins every key of this store; no slash at either end, empty for the whole bucket.
  package var prefix: String
  /// Nil for AWS itself, in `region`.
  package var endpoint: S3Endpoint?
  /// The region that requests are signed for.
  package var region: String
  package var addressingStyle: AddressingStyle
  /// PEM file that replaces the system's certificate authorities.
  package var caBundle: String?
  /// Lets plain http leave this machine.
  package var allowsPlaintext: Bool
  package var serverSideEncryption: ServerSideEncryption
  /// Bound on one HTTP exchange, connecting included.
  package var requestTimeout: Duration
  package var connectTimeout: Duration
  /// Most sends of one request, the first included; at least 1.
  package var maximumAttempts: Int
  /// The profile of the AWS files that was used, if one was.
  package var profile: String?
  /// Where each setting came from, in a fixed order, for `doctor`.
  package var origins: [SettingOrigin]

  package init(
    bucket: String, prefix: String = "", endpoint: S3Endpoint? = nil,
    region: String = S3Configuration.defaultRegion, addressingStyle: AddressingStyle = .auto,
    caBundle: String? = nil, allowsPlaintext: Bool = false,
    serverSideEncryption: ServerSideEncryption = .none, requestTimeout: Duration = .seconds(30),
    connectTimeout: Duration = .seconds(5), maximumAttempts: Int = 5, profile: String? = nil,
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

  /// What is signed for where no region is set: AWS's own default for S3.
  package static let defaultRegion = "us-east-1"
}

extension S3Configuration {
  /// Where the bucket's name goes.
  package enum AddressingStyle: String, Hashable, Sendable, CaseIterable {
    /// Path for a custom endpoint, or a bucket whose name fits no host label; otherwise virtual.
    case auto
    /// `https://host/bucket/key`.
    case path
    /// `https://bucket.host/key`.
    case virtual
  }

  /// What the store is asked to encrypt new objects with.
  package enum ServerSideEncryption: Hashable, Sendable {
    /// No header: the bucket's own default.
    case none
    /// `AES256`.
    case aes256
    /// `aws:kms`, with the bucket's or account's default key where the id is nil.
    case kms(keyID: String?)
  }

  /// True where the bucket's name belongs into the path: `addressingStyle` with auto decided.
  package var usesPathStyle: Bool {
    switch addressingStyle {
    case .path: true
    case .virtual: false
    case .auto: endpoint != nil || !BucketName.fitsHostLabel(bucket)
    }
  }

  /// The endpoint itself, or AWS's for `region`.
  package var effectiveEndpoint: S3Endpoint { endpoint ?? .aws(service: "s3", region: region) }
}
