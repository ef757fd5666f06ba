// swift-tools-version: 6.2
import PackageDescription

/// A collector as a phone embeds it: products of s3health alone. On Linux it is built as for a phone
/// with S3HEALTH_TRANSPORT=urlsession, which leaves out libcurl, OpenSSL and expat.
let package = Package(
  name: "PhoneCollector",
  platforms: [.macOS(.v15), .iOS(.v18)],
  dependencies: [.package(name: "s3health", path: "../..")],
  targets: [
    .executableTarget(
      name: "PhoneCollector",
      dependencies: [
        .product(name: "HealthModel", package: "s3health"),
        .product(name: "ObjectStore", package: "s3health"),
        .product(name: "HealthLedger", package: "s3health"),
        .product(name: "HealthStreams", package: "s3health"),
        .product(name: "HealthCollector", package: "s3health"),
        .product(name: "Outbox", package: "s3health"),
        .product(name: "S3Store", package: "s3health"),
        .product(name: "SyncClients", package: "s3health"),
      ],
      swiftSettings: [.treatAllWarnings(as: .error)])
  ]
)
