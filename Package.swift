// swift-tools-version: 6.2
import PackageDescription

/// Every target is held to Swift 6 with warnings as errors.
let house: [SwiftSetting] = [
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

/// Targets that touch neither C nor raw memory also prove it to the compiler.
let memorySafe: [SwiftSetting] = house + [.strictMemorySafety()]

/// Targets that do their work once for a command rather than once for a sample or request: in release
/// builds they are small instead of fast. Not for targets of the library products: a package that
/// others depend on can't have such flags there.
let small: [SwiftSetting] = [.unsafeFlags(["-Osize"], .when(configuration: .release))]
let houseSmall = house + small

/// The same for libraries that wait for stores, where a program of ours is built for a release: scripts/lib/checks.sh
/// sets it.
let smallInPrograms = Context.environment["S3HEALTH_SMALL"] == nil ? [] : small

/// Set by `scripts/test`, whose build is not optimised: what its tests spend most of their time in is, all the
/// same. A flag of the frontend, because those of the command line come after a target's.
let hot: [SwiftSetting] =
  Context.environment["S3HEALTH_WHOLE"] == nil ? [] : [.unsafeFlags(["-Xfrontend", "-O"])]
let memorySafeSmall = memorySafe + small

/// Set by `scripts/test quick`: the core and the input alone, so that a change of theirs is tried within a
/// minute.
let isQuick = Context.environment["S3HEALTH_QUICK"] != nil

/// Set to `urlsession` to build on Linux what an app gets: `URLSession`, Foundation's XML parser and no
/// C library but zlib and SQLite. The programs are left out, unless it is `urlsession+programs`: then
/// s3health and s3race reach their stores as an app does.
let transport = Context.environment["S3HEALTH_TRANSPORT"] ?? ""
let isPhone = transport.hasPrefix("urlsession")
let hasPrograms = !isQuick && (!isPhone || transport == "urlsession+programs")

/// What the tests of a usual run do without: what measures, and PhonePreview. `scripts/test all` and the
/// scripts of Benchmarks/ set the variable.
let hasExtras = isPhone || Context.environment["S3HEALTH_BENCHMARKS"] != nil
let extras: Set = ["RequestBenchmark", "RaceTrial", "ReceiptBenchmark", "PhonePreview"]

/// Set by `scripts/test all`, whose tests are also those of the folders called Thorough. A usual run does
/// not even compile them.
let isThorough = Context.environment["S3HEALTH_TESTS"] == "all"
let haveThorough: Set = [
  "AppleExportTests", "ArchitectureTests", "AWSCredentialsTests", "CommandTests",
  "FaultProxyTests", "HealthLedgerTests", "HealthSourcesTests", "HTTPTransportTests",
  "IngestServerTests", "MCPServerTests", "ObjectStoreTests", "OutboxTests", "PhoneKitTests",
  "PhoneTrialTests", "RaceTests", "S3StoreTests",
]

func isLeftOut(_ name: String) -> Bool {
  !hasExtras && extras.contains(name)
    || !isThorough && ["AppTypeCheckTests", "PhoneDay"].contains(name)
}

/// For targets that have other parts in an app than in the programs.
let parts: [SwiftSetting] = [
  isPhone ? .define("PHONE") : .define("PHONE", .when(platforms: [.iOS]))
]

// Where targets stand: Sources/ROOM/NAME. A room uses those before it, and never one after it
// (ARCHITECTURE.md).
extension Target {
  /// A library of a room.
  static func library(
    _ name: String, in room: String, _ dependencies: [Dependency],
    resources: [Resource]? = nil, _ settings: [SwiftSetting]
  ) -> Target {
    .target(
      name: name, dependencies: dependencies, path: "Sources/\(room)/\(name)", resources: resources,
      swiftSettings: settings)
  }

  /// A program of a room.
  static func program(
    _ name: String, in room: String, _ dependencies: [Dependency], resources: [Resource]? = nil,
    _ settings: [SwiftSetting]
  ) -> Target {
    .executableTarget(
      name: name, dependencies: dependencies, path: "Sources/\(room)/\(name)", resources: resources,
      swiftSettings: settings)
  }

  /// A C library of the system.
  ///
  /// One without a formula of Homebrew is part of Apple's SDKs, and is taken from there: what pkg-config
  /// finds on a Mac is built for macOS, and would be linked into an app for iOS too.
  static func system(
    _ name: String, _ pkgConfig: String? = nil, apt: String? = nil, brew: String? = nil
  ) -> Target {
    #if os(Linux)
      let pkgConfig = pkgConfig
    #else
      let pkgConfig = brew == nil ? nil : pkgConfig
    #endif
    return .systemLibrary(
      name: name, path: "Sources/System/\(name)", pkgConfig: pkgConfig,
      providers: (apt.map { [.apt([$0])] } ?? []) + (brew.map { [.brew([$0])] } ?? []))
  }

  /// Measures something; no product.
  static func benchmark(_ name: String, _ dependencies: [Dependency]) -> Target {
    .executableTarget(
      name: name, dependencies: dependencies, path: "Benchmarks/\(name)", swiftSettings: house)
  }

  /// The tests of Tests/NAME, and the programs that they run where those are built.
  static func tests(
    _ name: String, _ dependencies: [Dependency], running programs: [String] = [],
    exclude: [String] = [], resources: [Resource]? = nil
  ) -> Target {
    .testTarget(
      name: name,
      dependencies: dependencies
        + programs.filter { !isQuick && !isLeftOut($0) }.map { .byName(name: $0) },
      exclude: exclude + (!isThorough && haveThorough.contains(name) ? ["Thorough"] : []),
      resources: resources, swiftSettings: house + parts,
      // All tests are one program of 330 MB. The linker gold needs three times as long for it.
      linkerSettings: [.unsafeFlags(["-use-ld=lld"], .when(platforms: [.linux]))])
  }
}

extension Target.Dependency {
  static let argumentParser = product(name: "ArgumentParser", package: "swift-argument-parser")
  static let logging = product(name: "Logging", package: "swift-log")
  static let subprocess = product(name: "Subprocess", package: "swift-subprocess")

  /// Not in an app.
  static func programs(
    _ name: String, on platforms: [Platform] = [.linux, .macOS]
  ) -> [Target.Dependency] {
    isPhone ? [] : [.target(name: name, condition: .when(platforms: platforms))]
  }

  /// In an app alone.
  static func apps(_ name: String) -> [Target.Dependency] {
    [.target(name: name, condition: isPhone ? nil : .when(platforms: [.iOS]))]
  }
}

/// System: the C libraries.
let system: [Target] = [
  .system("CCurl", "libcurl", apt: "libcurl4-openssl-dev", brew: "curl"),
  .system("CCrypto", "libcrypto", apt: "libssl-dev", brew: "openssl@3"),
  .system("CExpat", "expat", apt: "libexpat1-dev", brew: "expat"),
  .system("CZlib", "zlib", apt: "zlib1g-dev"),
  .system("CDeflate", "libdeflate", apt: "libdeflate-dev", brew: "libdeflate"),
  .system("CSQLite", "sqlite3", apt: "libsqlite3-dev"),
  .system("CPostgres", "libpq", apt: "libpq-dev", brew: "libpq"),
  .system("CQRCode", "libqrencode", apt: "libqrencode-dev", brew: "qrencode"),
  // How the C library gives memory back.
  .system("CMemory"),
  .system("CFolders"),
]

/// Core: no C library and no network, so that a phone can embed it.
let core: [Target] = [
  .library("ContentDigests", in: "Core", [], house + hot),
  .library("HealthModel", in: "Core", ["ContentDigests"], memorySafe + hot),
  .library("ObjectStore", in: "Core", ["CFolders", "ContentDigests"], house),
  .library(
    "HealthLedger", in: "Core", ["HealthModel", "ObjectStore"],
    memorySafe + hot + smallInPrograms),
  .library(
    "HealthStreams", in: "Core", ["ContentDigests", "HealthModel", "ObjectStore"],
    memorySafe + hot),
  .library(
    "HealthCollector", in: "Core", ["HealthModel", "HealthLedger", "HealthStreams"],
    memorySafe + smallInPrograms),
]

/// Bucket: HTTP, and the S3 dialect from the bytes up.
let bucket: [Target] = [
  .library(
    "Digests", in: "Bucket",
    ["ContentDigests"] + Target.Dependency.programs("CCrypto", on: [.linux]), house + parts),
  .library("Gzip", in: "Bucket", ["CZlib", "HealthStreams"], house),
  // What is sent and answered, without the library that does it.
  .library("HTTPClient", in: "Bucket", ["ContentDigests"], memorySafe),
  .library("CurlTransport", in: "Bucket", ["CCurl", "HTTPClient"], house),
  .library("URLSessionTransport", in: "Bucket", ["HTTPClient"], house),
  .library("Secrets", in: "Bucket", ["ObjectStore"], memorySafe),
  .library("XMLTree", in: "Bucket", [], memorySafe),
  .library("ExpatReader", in: "Bucket", ["CExpat", "XMLTree"], house),
  .library("FoundationXMLReader", in: "Bucket", ["XMLTree"], house),
  .library(
    "SigV4", in: "Bucket", ["ContentDigests", "Digests", "HTTPClient", "Secrets"], memorySafe),
  .library(
    "S3Store", in: "Bucket",
    ["ObjectStore", "SigV4", "Digests", "HTTPClient", "XMLTree", .logging]
      + Target.Dependency.programs("ExpatReader")
      + Target.Dependency.apps("FoundationXMLReader"), house + parts),
  // A bucket as an app opens it.
  .library(
    "S3Session", in: "Bucket",
    ["ObjectStore", "S3Store", "Secrets", "SigV4", "URLSessionTransport"], house),
]

/// Input: from files, payloads and streams to drafts of days.
let input: [Target] = [
  .library("AppleExport", in: "Input", ["HealthModel", "CZlib"], house),
  .library(
    "HealthSources", in: "Input",
    [
      "HealthModel", "ObjectStore", "HealthLedger", "HealthStreams", "HealthCollector",
      "AppleExport",
    ], memorySafeSmall),
  .library(
    "StreamDays", in: "Input",
    [
      "HealthModel", "ObjectStore", "HealthLedger", "HealthStreams", "HealthCollector",
      "HealthSources",
    ], houseSmall),
]

/// Output: what is made of days, and what leaves the machine.
let output: [Target] = [
  .library(
    "HealthReport", in: "Output", ["ContentDigests", "HealthModel", "HealthLedger"],
    resources: [.embedInCode("Resources")],
    memorySafeSmall),
  .library(
    "HealthExports", in: "Output", ["ContentDigests", "HTTPClient", "HealthModel"], memorySafe),
  .library(
    "MCPServer", in: "Output", ["ContentDigests", "HealthModel", "HealthLedger"], memorySafeSmall),
  .library(
    "Outbox", in: "Output",
    [
      "CSQLite", "HTTPClient", "HealthExports", "HealthModel", "HealthStreams", "ObjectStore",
    ], house),
  // What a program or an app did, and which notifications a person gets of it.
  .library("HealthEvents", in: "Output", ["HealthModel", "ObjectStore"], house),
  // What an app sends to: a hub, a bucket, a Pushgateway.
  .library(
    "SyncClients", in: "Output",
    [
      "Gzip", "HTTPClient", "HealthExports", "HealthLedger", "HealthModel", "HealthStreams",
      "ObjectStore", "Outbox", "Secrets", "URLSessionTransport",
    ], house),
]

/// Phone: the behaviour of a phone's app, without Apple's frameworks.
let phoneRoom: [Target] = [
  .library(
    "PhoneKit", in: "Phone",
    [
      "HealthModel", "ObjectStore", "HealthLedger", "HealthStreams", "HealthCollector",
      "HealthEvents", "HealthExports", "Outbox", "S3Session", "S3Store", "Secrets", "SyncClients",
    ], house),
  // Prints the screens of the app, as a person would see them.
  .program(
    "PhonePreview", in: "Phone",
    ["HealthCollector", "HealthModel", "HealthStreams", "PhoneKit", "Secrets"], house),
]

/// Programs: the command lines.
let programs: [Target] = [
  // AWS's variables, files and chain of credentials.
  .library(
    "AWSCredentials", in: "Programs",
    [
      "Digests", "HTTPClient", "ObjectStore", "S3Store", "Secrets", "SigV4", .subprocess,
    ], houseSmall),
  .library(
    "CommandLineKit", in: "Programs",
    [
      "AWSCredentials", "CMemory", "ContentDigests", "Digests", "HealthModel", "ObjectStore",
      "HealthLedger",
      "HealthStreams", "HealthEvents",
      "HealthCollector", "HealthSources", "StreamDays", "HealthExports", "Gzip", "HTTPClient",
      "CurlTransport", "S3Store", .subprocess, .argumentParser, .logging,
    ] + (isPhone ? ["URLSessionTransport"] : []), houseSmall + parts),
  .program(
    "s3health", in: "Programs",
    [
      "CommandLineKit", "ContentDigests", "HealthModel", "ObjectStore", "HealthLedger",
      "AppleExport", "HealthSources", "S3Store", "CurlTransport", "MCPServer", "HealthReport",
      "HealthExports", "HealthStreams", "HealthCollector", "StreamDays", "Outbox",
      "HealthEvents", .subprocess, .argumentParser, .logging,
    ], resources: [.embedInCode("Rules")], houseSmall),
]

/// Hub: what phones post to.
let hub: [Target] = [
  .library("PostgresTables", in: "Hub", ["CPostgres", "HealthModel", "HealthExports"], house),
  .library(
    "IngestServer", in: "Hub",
    [
      "HealthModel", "ObjectStore", "HealthLedger", "HealthStreams", "HealthCollector",
      "HealthSources", "HealthExports", "StreamDays", "ContentDigests", "Digests", "HTTPClient",
      "HealthReport", "MCPServer", "Gzip", "CDeflate",
      .product(name: "Hummingbird", package: "hummingbird"),
      .product(name: "HummingbirdCore", package: "hummingbird"),
      .product(name: "HummingbirdTLS", package: "hummingbird"),
      .product(name: "NIOCore", package: "swift-nio"),
      .product(name: "NIOPosix", package: "swift-nio"),
      .product(name: "NIOHTTP1", package: "swift-nio"),
      .product(name: "NIOSSL", package: "swift-nio-ssl"),
      .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      .product(name: "UnixSignals", package: "swift-service-lifecycle"),
      .logging,
    ], resources: [.embedInCode("Description/openapi.json")], house),
  .program(
    "s3healthd", in: "Hub",
    [
      "HealthModel", "ObjectStore", "HealthLedger", "HealthStreams", "HealthExports",
      "StreamDays", "IngestServer", "PostgresTables", "Gzip", "CommandLineKit", "HealthSources",
      "MCPServer", "CQRCode",
      "HealthReport", .argumentParser,
    ], house),
]

/// Race: orders of events on a model and on real stores, and faults on the way to them.
let race: [Target] = [
  .library("StoreTesting", in: "Race", ["ObjectStore"], memorySafeSmall),
  .library(
    "Race", in: "Race",
    [
      "ContentDigests", "HealthModel", "ObjectStore", "HealthLedger", "HealthStreams",
      "HealthCollector", "Outbox", "StoreTesting",
    ], memorySafe + hot),
  .library(
    "FaultProxy", in: "Race", ["HTTPClient", "CurlTransport", "StoreTesting"], houseSmall),
  .program(
    "s3race", in: "Race",
    [
      "CommandLineKit", "HealthModel", "ObjectStore", "HealthLedger", "HealthCollector",
      "HealthSources", "S3Store", "Race", "FaultProxy", "StoreTesting", .subprocess,
      .argumentParser,
    ], houseSmall),
]

/// What Benchmarks/ measures with.
let benchmarks: [Target] = [
  .benchmark(
    "RequestBenchmark",
    ["AWSCredentials", "HTTPClient", "CurlTransport", "ObjectStore", "S3Store", "SigV4"]),
  .benchmark("RaceTrial", ["Race"]),
  .benchmark("ExportBenchmark", ["HealthModel", "AppleExport"]),
  .benchmark("ReceiptBenchmark", ["Digests", "HealthModel", "HealthStreams", "IngestServer"]),
]

/// Tests: TestSupport runs peers and finds servers; the conformance suite is shared by stores.
let tests: [Target] = [
  .target(
    name: "TestSupport", dependencies: ["HealthModel", .subprocess], path: "Tests/TestSupport",
    swiftSettings: house),
  .target(
    name: "ObjectStoreConformance", dependencies: ["ObjectStore"],
    path: "Tests/ObjectStoreConformance", swiftSettings: house),
  // Programs that write to a folder, and add to an outbox, until they are killed.
  .executableTarget(
    name: "StoreWriter", dependencies: ["ObjectStore", "ObjectStoreConformance"],
    path: "Tests/StoreWriter", swiftSettings: house),
  .executableTarget(
    name: "OutboxWriter", dependencies: ["Outbox", "HealthModel", "HealthStreams"],
    path: "Tests/OutboxWriter", swiftSettings: house),

  // The example of a phone's collector, for the tests that kill it. Its own package builds it from the
  // products alone.
  .executableTarget(
    name: "PhoneTrial",
    dependencies: [
      "HealthModel", "ObjectStore", "HealthLedger", "HealthStreams", "HealthCollector", "Outbox",
      "S3Session", "S3Store", "Secrets", "SyncClients",
    ], path: "Examples/PhoneCollector/Sources/PhoneCollector", swiftSettings: house),

  // Lives through a phone's day until it is killed.
  .executableTarget(
    name: "PhoneDay", dependencies: ["HealthModel", "HealthStreams", "PhoneKit", "Secrets"],
    path: "Tests/PhoneDay", swiftSettings: house),

  .tests("HealthModelTests", ["HealthModel", "StoreTesting", "TestSupport"]),
  .tests(
    "ObjectStoreTests",
    [
      "ContentDigests", "ObjectStore", "ObjectStoreConformance", "StoreTesting", "TestSupport",
      .subprocess,
    ], running: ["StoreWriter"]),
  .tests("HealthLedgerTests", ["HealthLedger", "StoreTesting", "TestSupport"]),
  .tests(
    "HealthStreamsTests",
    ["HealthStreams", "Gzip", "HealthModel", "ObjectStore", "StoreTesting", "TestSupport"],
    resources: [.copy("Fixtures")]),
  .tests(
    "HealthCollectorTests",
    [
      "HealthCollector", "HealthStreams", "HealthLedger", "HealthModel", "StoreTesting",
      "TestSupport",
    ]),
  .tests("DigestsTests", ["ContentDigests", "Digests", "TestSupport"]),
  .tests("SecretsTests", ["Secrets", "TestSupport"]),
  .tests(
    "SigV4Tests",
    ["ContentDigests", "SigV4", "StoreTesting", "TestSupport"],
    resources: [.copy("Fixtures")]),
  .tests(
    "HTTPTransportTests",
    ["HTTPClient", "URLSessionTransport", "StoreTesting", "TestSupport"]
      + (isPhone ? [] : ["CCurl", "CurlTransport"]),
    exclude: isPhone ? ["Curl"] : isThorough ? [] : ["Curl/Thorough"]),
  .tests(
    "XMLReaderTests",
    ["FoundationXMLReader", "TestSupport", "XMLTree"] + (isPhone ? [] : ["ExpatReader"])),
  .tests(
    "AWSCredentialsTests",
    ["AWSCredentials", "S3Store", "Secrets", "SigV4", "StoreTesting", "TestSupport"]),
  .tests(
    "S3StoreTests",
    [
      "Gzip", "HealthModel", "HealthStreams", "HTTPClient", "S3Store", "SigV4",
      "XMLTree", "ObjectStoreConformance", "StoreTesting", "TestSupport",
      isPhone ? "URLSessionTransport" : "CurlTransport",
      .product(name: "InMemoryLogging", package: "swift-log"),
    ]),
  .tests(
    "AppleExportTests", ["HealthModel", "AppleExport", "TestSupport"],
    running: ["ExportBenchmark"], resources: [.copy("Fixtures")]),
  .tests(
    "HealthSourcesTests",
    [
      "HealthModel", "AppleExport", "HealthSources", "HealthLedger", "HealthStreams",
      "HealthCollector", "StoreTesting", "TestSupport",
    ], resources: [.copy("Fixtures")]),
  .tests(
    "StreamDaysTests",
    [
      "StreamDays", "HealthCollector", "HealthStreams", "HealthSources", "HealthLedger",
      "HealthModel", "ObjectStore", "Gzip", "StoreTesting", "TestSupport",
    ]),
  .tests(
    "HealthReportTests",
    [
      "HealthReport", "HealthModel", "HealthLedger", "ObjectStore", "StoreTesting",
      "TestSupport",
    ]),
  .tests(
    "HealthExportsTests",
    ["HealthExports", "HTTPClient", "HealthModel", "StoreTesting", "TestSupport"]),
  .tests("MCPServerTests", ["MCPServer", "StoreTesting", "TestSupport"]),
  .tests(
    "OutboxTests",
    [
      "Outbox", "CSQLite", "Gzip", "HealthStreams", "HealthModel", "HTTPClient", "ObjectStore",
      "StoreTesting", "TestSupport", .subprocess, isPhone ? "URLSessionTransport" : "CurlTransport",
    ], running: ["OutboxWriter"]),
  .tests(
    "SyncClientsTests",
    [
      "SyncClients", "HealthModel", "HealthStreams", "ObjectStore", "Outbox", "Secrets",
      "TestSupport",
    ]),
  .tests("S3SessionTests", ["S3Session", "ObjectStore", "S3Store", "Secrets", "TestSupport"]),
  .tests(
    "CommandLineKitTests",
    [
      "AWSCredentials", "CommandLineKit", "HealthEvents", "HealthExports", "HealthLedger",
      "HealthModel", "ObjectStore", "S3Store", "TestSupport",
    ]),
  .tests(
    "ProgramTests",
    [
      "s3health", "CommandLineKit", "HealthEvents", "HealthLedger", "HealthModel", "ObjectStore",
      "TestSupport", .subprocess,
    ], running: ["s3healthd", "s3race"]),
  // The greatest of all. It runs the programs and does not say so, because it would be compiled after them.
  .tests(
    "CommandTests",
    [
      "CommandLineKit", "FaultProxy", "HealthLedger", "HealthModel", "StoreTesting", "TestSupport",
      .subprocess,
    ]),
  .tests(
    "PostgresTablesTests",
    ["PostgresTables", "HealthExports", "HealthModel", "StoreTesting", "TestSupport"]),
  .tests(
    "IngestServerTests",
    [
      "IngestServer", "MCPServer", "s3healthd", "ContentDigests", "HealthModel", "HealthStreams",
      "HealthLedger", "ObjectStore", "HealthReport", "Gzip", "StoreTesting", "TestSupport",
      .subprocess,
    ]),
  .tests(
    "PhoneTrialTests",
    [
      "CurlTransport", "Gzip", "HealthExports", "HealthLedger", "HealthModel", "HealthStreams",
      "ObjectStore", "PhoneKit", "S3Session", "S3Store", "Secrets", "SigV4", "StoreTesting",
      "SyncClients", "TestSupport",
    ], running: ["PhoneTrial", "PhoneDay", "s3healthd"]),
  .tests(
    "PhoneKitTests",
    [
      "PhoneKit", "HealthCollector", "HealthModel", "HealthStreams", "ObjectStore", "Outbox",
      "Secrets", "TestSupport",
    ]),
  .tests(
    "AppTypeCheckTests", ["HealthCollector", "TestSupport", .subprocess],
    running: ["PhonePreview"], exclude: ["Stubs"]),
  .tests("RaceTests", ["Race", "StoreTesting", "TestSupport"]),
  .tests(
    "FaultProxyTests",
    [
      "FaultProxy", "HTTPClient", "CurlTransport", "ObjectStore", "S3Store", "HealthModel",
      "HealthLedger", "StoreTesting", "TestSupport",
    ]),
  .tests("ArchitectureTests", ["TestSupport", .subprocess]),
]

/// What a phone's build keeps besides the core and its tests.
let phone = Set((system + core).map(\.name)).union([
  "Digests", "Gzip", "HTTPClient", "URLSessionTransport", "Secrets", "XMLTree",
  "FoundationXMLReader", "SigV4", "S3Store", "S3Session", "HealthExports", "Outbox", "SyncClients",
  "HealthEvents", "PhoneKit", "PhonePreview", "PhoneKitTests",
  "StoreTesting", "TestSupport", "ObjectStoreConformance", "OutboxWriter", "DigestsTests",
  "SecretsTests", "SigV4Tests", "HTTPTransportTests", "XMLReaderTests", "S3StoreTests",
  "HealthExportsTests", "S3SessionTests", "OutboxTests", "SyncClientsTests",
  "HealthCollectorTests", "PhoneTrial",
]).union(!hasPrograms ? [] : (bucket + input + output + programs + race).map(\.name))

/// What a quick build leaves out, and the tests of it: all but the core and the input, and what these stand on.
let notQuick = Set((output + phoneRoom + programs + hub + race).map(\.name))
  .subtracting(["StoreTesting"])
  .union([
    "CPostgres", "CQRCode", "CurlTransport", "URLSessionTransport", "S3Session", "StoreWriter",
    "OutboxWriter",
    "PhoneTrial", "PhoneTrialTests", "PhoneDay", "PhoneKitTests", "AppTypeCheckTests",
    "AWSCredentialsTests", "CommandLineKitTests", "CommandTests", "FaultProxyTests",
    "HTTPTransportTests", "HealthExportsTests", "HealthReportTests", "IngestServerTests",
    "MCPServerTests", "OutboxTests", "PostgresTablesTests", "ProgramTests", "RaceTests",
    "S3SessionTests", "S3StoreTests", "SyncClientsTests",
  ])

/// What only the programs are built from.
let programPackages: [Package.Dependency] = [
  .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2")
]

/// What s3healthd alone is built from.
let hubPackages: [Package.Dependency] = [
  .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
  .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
  .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
  .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
]

let programProducts: [Product] = [
  .executable(name: "s3health", targets: ["s3health"]),
  .executable(name: "s3healthd", targets: ["s3healthd"]),
  .executable(name: "s3race", targets: ["s3race"]),
]

let package = Package(
  name: "s3health",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: isQuick
    ? []
    : [
      .library(name: "HealthModel", targets: ["HealthModel"]),
      .library(name: "ObjectStore", targets: ["ObjectStore"]),
      .library(name: "HealthLedger", targets: ["HealthLedger"]),
      .library(name: "HealthStreams", targets: ["HealthStreams"]),
      .library(name: "HealthCollector", targets: ["HealthCollector"]),
      .library(name: "Outbox", targets: ["Outbox"]),
      .library(name: "S3Store", targets: ["S3Store", "S3Session", "Secrets"]),
      .library(name: "SyncClients", targets: ["SyncClients", "Secrets"]),
      .library(name: "PhoneKit", targets: ["PhoneKit"]),
    ] + (isPhone ? [] : programProducts),
  dependencies: [
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2"),
  ] + (hasPrograms ? programPackages : []) + (isQuick || isPhone ? [] : hubPackages),
  targets: (system + core + bucket + input + output + phoneRoom + programs + hub + race + benchmarks
    + tests)
    .filter {
      (isPhone ? phone.contains($0.name) : !(isQuick && notQuick.contains($0.name)))
        && !isLeftOut($0.name)
    },
  swiftLanguageModes: [.v6]
)
