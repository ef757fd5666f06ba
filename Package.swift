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

let package = Package(
  name: "s3health",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [
    .library(name: "HealthModel", targets: ["HealthModel"]),
    .library(name: "HealthSamples", targets: ["HealthSamples"]),
    .library(name: "ObjectStore", targets: ["ObjectStore"]),
    .library(name: "HealthLedger", targets: ["HealthLedger"]),
    .library(name: "HealthStreams", targets: ["HealthStreams"]),
    .library(name: "HealthCollector", targets: ["HealthCollector"]),
    .executable(name: "s3health", targets: ["s3health"]),
    .executable(name: "s3healthd", targets: ["s3healthd"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2"),
    // What s3healthd alone is built from.
    .package(
      url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
  ],
  targets: [
    .systemLibrary(
      name: "CCurl", pkgConfig: "libcurl",
      providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]),
    .systemLibrary(
      name: "CCrypto", pkgConfig: "libcrypto",
      providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
    .systemLibrary(
      name: "CExpat", pkgConfig: "expat",
      providers: [.apt(["libexpat1-dev"]), .brew(["expat"])]),
    .systemLibrary(
      name: "CZlib", pkgConfig: "zlib",
      providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
    .systemLibrary(
      name: "CPostgres", pkgConfig: "libpq",
      providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),

    // How the C library gives memory back.
    .systemLibrary(name: "CMemory"),

    // The core: no C library, no network, so that a phone collector can embed it.
    .target(name: "ContentDigests", swiftSettings: house),
    .target(name: "HealthSamples", swiftSettings: memorySafe),
    .target(
      name: "HealthModel", dependencies: ["ContentDigests", "HealthSamples"],
      swiftSettings: memorySafe),
    .target(name: "ObjectStore", dependencies: ["ContentDigests"], swiftSettings: house),
    .target(
      name: "HealthLedger", dependencies: ["HealthModel", "HealthSamples", "ObjectStore"],
      swiftSettings: memorySafe),
    .target(
      name: "HealthStreams",
      dependencies: ["ContentDigests", "HealthModel", "HealthSamples", "ObjectStore"],
      swiftSettings: memorySafe),
    // One day of samples, counted: what exports, streams and live totals share.
    .target(
      name: "DayCounting", dependencies: ["HealthModel", "HealthSamples"],
      swiftSettings: memorySafe),
    .target(
      name: "HealthCollector",
      dependencies: [
        "HealthModel", "HealthSamples", "HealthLedger", "HealthStreams",
        "DayCounting",
      ],
      swiftSettings: memorySafe),

    // The durable queue of raw entries, and gzip for the batches that leave it.
    .target(
      name: "Outbox", dependencies: ["CSQLite", "HealthModel", "HealthStreams"],
      swiftSettings: house),
    // What the program did, and what the person hears of it.
    .target(name: "EventLog", dependencies: ["HealthModel"], swiftSettings: house + small),
    .target(name: "Gzip", dependencies: ["CZlib", "HealthStreams"], swiftSettings: house),

    // Faults, logs and stores around others, and seeded randomness: for races and tests alone.
    .target(name: "StoreTesting", dependencies: ["ObjectStore"], swiftSettings: memorySafe + small),

    // The S3 dialect, from the bytes up.
    .target(name: "Digests", dependencies: ["CCrypto"], swiftSettings: house),
    .target(name: "SigV4", dependencies: ["Digests", "HTTPMessage"], swiftSettings: memorySafe),
    // What is sent and answered, without the library that does it.
    .target(name: "HTTPMessage", swiftSettings: memorySafe),
    .target(
      name: "HTTPTransport", dependencies: ["CCurl", "HTTPMessage"], swiftSettings: house),
    // Talks to a server that takes batches of streams over HTTP.
    .target(
      name: "IngestClient",
      dependencies: [
        "HealthModel", "HealthRecords", "HealthStreams", "HTTPMessage", "HTTPTransport",
      ],
      swiftSettings: memorySafe + small),
    .target(
      name: "S3Store",
      dependencies: [
        "ObjectStore", "SigV4", "Digests", "HTTPMessage", "HTTPTransport", "CExpat",
        .product(name: "Logging", package: "swift-log"),
        .product(name: "Subprocess", package: "swift-subprocess"),
      ],
      swiftSettings: house),

    // Apple Health's export, from its bytes to typed samples.
    .target(
      name: "AppleExport", dependencies: ["HealthModel", "HealthSamples", "CZlib"],
      swiftSettings: house),
    .target(
      name: "HealthSources",
      dependencies: ["HealthModel", "HealthSamples", "AppleExport", "DayCounting"],
      swiftSettings: memorySafe),

    // What programs share: the settings of a store and its opening; inputs to drafts of days.
    .target(
      name: "StoreAccess",
      dependencies: [
        "HealthModel", "ObjectStore", "HealthLedger", "HTTPTransport", "S3Store",
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: house + small),
    .target(
      name: "Intake",
      dependencies: [
        "HealthModel", "HealthSamples", "ObjectStore", "HealthLedger", "AppleExport",
        "HealthSources", "HealthStreams", "HealthCollector",
      ],
      swiftSettings: house),

    // Days of the samples in a store's streams, counted as those of an export are.
    .target(
      name: "StreamDays",
      dependencies: [
        "HealthModel", "HealthSamples", "ObjectStore", "HealthLedger", "HealthStreams",
        "HealthCollector", "HealthSources", "DayCounting",
      ],
      swiftSettings: house),

    // Races the ledger's own machines on a model of a store, and checks recorded histories.
    .target(
      name: "RaceHarness",
      dependencies: [
        "ContentDigests", "HealthModel", "ObjectStore", "HealthLedger", "StoreTesting",
      ],
      swiftSettings: memorySafe),

    // Explores every order of events of the outbox, of syncs and of derived days, on their own
    // machines.
    .target(
      name: "StreamRaces",
      dependencies: [
        "HealthModel", "ObjectStore", "HealthLedger", "HealthStreams",
        "HealthCollector", "Outbox", "StoreTesting",
      ],
      swiftSettings: memorySafe + small),

    // Stands between a client and a real server, and lets requests go wrong as planned.
    .target(
      name: "FaultProxy", dependencies: ["HTTPMessage", "HTTPTransport", "StoreTesting"],
      swiftSettings: house + small),

    // Serves agents: the protocol as a pure machine, two tools that read the ledger.
    .target(
      name: "MCPServer", dependencies: ["HealthModel", "HealthSamples", "HealthLedger"],
      swiftSettings: memorySafe + small),

    // Renders a range of dates as one page of HTML; pure.
    .target(
      name: "HealthReport", dependencies: ["HealthModel", "HealthSamples", "HealthLedger"],
      swiftSettings: memorySafe + small),

    // Days, workouts and sleep as tables that other programs open; pure.
    .target(
      name: "HealthTables", dependencies: ["HealthModel", "HealthSamples"],
      swiftSettings: memorySafe),

    // What the command lines of all programs share: options, settings, words for errors, streams.
    .target(
      name: "CommandLineKit",
      dependencies: [
        "CMemory",
        "HealthModel", "HealthSamples", "ObjectStore", "HealthLedger", "HealthSources",
        "HealthStreams", "Intake", "Gzip", "S3Store", "StoreAccess",
        "ContentDigests", "HealthCollector", "StreamDays", "EventLog", "MetricsPush", "HTTPMessage",
        "HTTPTransport",
        .product(name: "Subprocess", package: "swift-subprocess"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: house + small),

    .executableTarget(
      name: "s3health",
      dependencies: [
        "CommandLineKit", "ContentDigests", "HealthModel", "ObjectStore", "HealthLedger",
        "AppleExport",
        "HealthSources", "S3Store", "HealthSamples", "StoreAccess", "Intake", "HTTPTransport",
        "RaceHarness", "StreamRaces", "FaultProxy",
        "StoreTesting", "MCPServer", "HealthReport", "HealthTables", "HealthStreams",
        "HealthCollector", "StreamDays", "Outbox", "IngestClient", "EventLog",
        "HealthRecords", "MetricsPush", "PrometheusText",
        .product(name: "Subprocess", package: "swift-subprocess"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"),
      ],
      resources: [.embedInCode("Rules")],
      swiftSettings: house + small),

    // Posted records (R56) on the wire, with their checks, for who posts and who stores them.
    .target(
      name: "HealthRecords", dependencies: ["HealthModel", "HealthSamples"],
      swiftSettings: memorySafe),

    // The text that Prometheus reads; pure.
    .target(name: "PrometheusText", swiftSettings: memorySafe),

    // What is pushed to a Prometheus Pushgateway, and what its answers mean; pure.
    .target(
      name: "MetricsPush",
      dependencies: ["HTTPMessage", "HealthModel", "HealthSamples", "PrometheusText"],
      swiftSettings: memorySafe + small),

    // Rows in a person's PostgreSQL.
    .target(
      name: "PostgresTables",
      dependencies: ["CPostgres", "HealthModel", "HealthRecords"],
      swiftSettings: house),

    // Bytes as a square of modules that phones read.
    .target(name: "QRCode", swiftSettings: memorySafe),

    // The routes that phones post to.
    .target(
      name: "IngestServer",
      dependencies: [
        "HealthModel", "ObjectStore", "HealthLedger", "HealthStreams",
        "HealthCollector", "HealthSources", "HealthRecords", "StreamDays", "Digests",
        "PrometheusText", "HealthReport",
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "HummingbirdCore", package: "hummingbird"),
        .product(name: "HummingbirdTLS", package: "hummingbird"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "UnixSignals", package: "swift-service-lifecycle"),
        .product(name: "Logging", package: "swift-log"),
      ],
      resources: [.embedInCode("Description/openapi.json")],
      swiftSettings: house),

    .executableTarget(
      name: "s3healthd",
      dependencies: [
        "HealthModel", "ObjectStore", "HealthLedger", "HealthStreams",
        "HealthRecords", "StreamDays", "Intake", "StoreAccess", "IngestServer",
        "PostgresTables", "Gzip", "CommandLineKit", "HealthSources", "HealthReport",
        "MetricsPush", "QRCode",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: house),

    // Measures what a request costs, against a server that does nothing; no product.
    .executableTarget(
      name: "RequestBenchmark",
      dependencies: ["HTTPMessage", "HTTPTransport", "ObjectStore", "S3Store", "SigV4"],
      path: "Benchmarks/RequestBenchmark", swiftSettings: house),
    // Measures the history checker and the model's schedules; no product.
    .executableTarget(
      name: "RaceBenchmark", dependencies: ["RaceHarness", "StoreTesting"],
      path: "Benchmarks/RaceBenchmark", swiftSettings: house),
    // What scripts/mutate-publish runs; no product.
    .executableTarget(
      name: "RaceTrial", dependencies: ["RaceHarness"],
      path: "Benchmarks/RaceTrial", swiftSettings: house),
    // Measures a scan alone, of an export in any form; no product.
    .executableTarget(
      name: "ExportBenchmark", dependencies: ["HealthSamples", "AppleExport"],
      path: "Benchmarks/ExportBenchmark", swiftSettings: house),
    // Measures what it takes to make days of samples; no product.
    .executableTarget(
      name: "DaysBenchmark", dependencies: ["HealthSamples", "AppleExport", "HealthSources"],
      path: "Benchmarks/DaysBenchmark", swiftSettings: house),

    // Measures adds to the outbox, against SQLite alone; no product.
    .executableTarget(
      name: "OutboxBenchmark", dependencies: ["CSQLite", "HealthModel", "HealthStreams", "Outbox"],
      path: "Benchmarks/OutboxBenchmark", swiftSettings: house),

    // Measures one more sample of a live day; no product.
    .executableTarget(
      name: "LiveBenchmark",
      dependencies: ["HealthModel", "HealthSamples", "HealthStreams", "HealthCollector"],
      path: "Benchmarks/LiveBenchmark", swiftSettings: house),

    // Measures rows into PostgreSQL, beside psql; no product.
    .executableTarget(
      name: "TablesBenchmark",
      dependencies: ["HealthModel", "HealthRecords", "HealthSamples", "PostgresTables"],
      path: "Benchmarks/TablesBenchmark", swiftSettings: house),

    // Measures the text of a push; no product.
    .executableTarget(
      name: "PushBenchmark", dependencies: ["HealthModel", "HealthSamples", "MetricsPush"],
      path: "Benchmarks/PushBenchmark", swiftSettings: house),

    // Tests. TestSupport runs peers and finds servers; the conformance suite is shared by stores.
    .target(
      name: "TestSupport",
      dependencies: [.product(name: "Subprocess", package: "swift-subprocess")],
      path: "Tests/TestSupport", swiftSettings: house),
    .target(
      name: "ObjectStoreConformance", dependencies: ["ObjectStore"],
      path: "Tests/ObjectStoreConformance", swiftSettings: house),
    .testTarget(name: "DigestsTests", dependencies: ["Digests"], swiftSettings: house),
    .testTarget(
      name: "HealthModelTests", dependencies: ["HealthModel", "StoreTesting", "TestSupport"],
      swiftSettings: house),
    .testTarget(
      name: "HealthSamplesTests", dependencies: ["HealthSamples"], swiftSettings: house),
    .testTarget(
      name: "ObjectStoreTests",
      dependencies: [
        "ContentDigests", "ObjectStore", "ObjectStoreConformance", "StoreTesting", "StoreWriter",
        "TestSupport",
        .product(name: "Subprocess", package: "swift-subprocess"),
      ],
      swiftSettings: house),
    // A program that writes to a folder until it is killed.
    .executableTarget(
      name: "StoreWriter", dependencies: ["ObjectStore", "ObjectStoreConformance"],
      path: "Tests/StoreWriter", swiftSettings: house),
    .testTarget(
      name: "HealthLedgerTests", dependencies: ["HealthLedger", "StoreTesting", "TestSupport"],
      swiftSettings: house),
    .testTarget(
      name: "RaceHarnessTests", dependencies: ["RaceHarness", "StoreTesting"], swiftSettings: house),
    .testTarget(
      name: "FaultProxyTests",
      dependencies: [
        "FaultProxy", "HTTPMessage", "HTTPTransport", "ObjectStore", "S3Store", "HealthModel",
        "HealthLedger",
        "StoreTesting", "TestSupport",
      ],
      swiftSettings: house),
    .testTarget(
      name: "SigV4Tests",
      dependencies: ["HealthModel", "HTTPMessage", "SigV4", "StoreTesting", "TestSupport"],
      resources: [.copy("Fixtures")], swiftSettings: house),
    .testTarget(
      name: "HTTPTransportTests",
      dependencies: ["CCurl", "HTTPMessage", "HTTPTransport", "StoreTesting", "TestSupport"],
      swiftSettings: house),
    .testTarget(
      name: "S3StoreTests",
      dependencies: [
        "Gzip", "HealthModel", "HealthStreams", "HTTPMessage", "S3Store", "ObjectStoreConformance",
        "StoreTesting", "TestSupport",
        .product(name: "InMemoryLogging", package: "swift-log"),
      ],
      swiftSettings: house),
    .testTarget(
      name: "AppleExportTests",
      dependencies: [
        "HealthSamples", "AppleExport", "ExportBenchmark", "TestSupport",
      ],
      resources: [.copy("Fixtures")], swiftSettings: house),
    .testTarget(
      name: "HealthSourcesTests",
      dependencies: [
        "HealthModel", "HealthSamples", "AppleExport", "HealthSources", "StoreTesting",
        "TestSupport",
      ],
      resources: [.copy("Fixtures")], swiftSettings: house),
    .testTarget(
      name: "HealthTablesTests", dependencies: ["HealthTables", "HealthModel", "HealthSamples"],
      swiftSettings: house),
    .testTarget(
      name: "MCPServerTests", dependencies: ["MCPServer", "StoreTesting"],
      swiftSettings: house),
    .testTarget(
      name: "HealthReportTests",
      dependencies: [
        "HealthReport", "HealthModel", "HealthSamples", "HealthLedger", "ObjectStore",
        "StoreTesting", "TestSupport",
      ],
      swiftSettings: house),
    .testTarget(
      name: "HealthRecordsTests",
      dependencies: ["HealthRecords", "HealthModel", "HealthSamples"],
      swiftSettings: house),
    .testTarget(
      name: "PrometheusTextTests",
      dependencies: ["PrometheusText", "StoreTesting", "TestSupport"],
      swiftSettings: house),
    .testTarget(
      name: "MetricsPushTests",
      dependencies: [
        "MetricsPush", "HTTPMessage", "HealthModel", "HealthSamples",
        "PrometheusText", "StoreTesting",
      ],
      swiftSettings: house),
    .testTarget(
      name: "PostgresTablesTests",
      dependencies: [
        "PostgresTables", "HealthRecords", "HealthModel", "HealthSamples", "StoreTesting",
        "TestSupport",
      ],
      swiftSettings: house),
    .testTarget(
      name: "QRCodeTests", dependencies: ["QRCode", "HealthModel", "TestSupport"],
      swiftSettings: house),
    .testTarget(
      name: "IngestServerTests",
      dependencies: [
        "IngestServer", "s3healthd", "HealthModel", "HealthStreams", "HealthLedger", "ObjectStore",
        "HealthReport", "Gzip", "QRCode", "StoreTesting",
        "TestSupport",
        .product(name: "Subprocess", package: "swift-subprocess"),
      ],
      swiftSettings: house),
    .testTarget(
      name: "StreamRacesTests", dependencies: ["StreamRaces"], swiftSettings: house),
    .testTarget(
      name: "EventLogTests", dependencies: ["EventLog", "HealthModel"],
      swiftSettings: house),
    .testTarget(
      name: "HealthStreamsTests",
      dependencies: [
        "HealthStreams", "Gzip", "HealthModel", "ObjectStore", "StoreTesting",
        "TestSupport",
      ],
      resources: [.copy("Fixtures")], swiftSettings: house),
    // A program that adds entries to an outbox until it is killed.
    .executableTarget(
      name: "OutboxWriter", dependencies: ["Outbox", "HealthModel", "HealthStreams"],
      path: "Tests/OutboxWriter", swiftSettings: house),
    .testTarget(
      name: "OutboxTests",
      dependencies: [
        "Outbox", "OutboxWriter", "CSQLite", "HealthStreams", "HealthModel", "StoreTesting",
        "TestSupport",
        .product(name: "Subprocess", package: "swift-subprocess"),
      ],
      swiftSettings: house),
    .testTarget(
      name: "IngestClientTests",
      dependencies: [
        "IngestClient", "HealthModel", "HealthStreams", "HTTPMessage", "HTTPTransport",
        "TestSupport",
      ],
      swiftSettings: house),
    .testTarget(
      name: "HealthCollectorTests",
      dependencies: [
        "HealthCollector", "HealthStreams", "HealthLedger", "HealthModel", "HealthSamples",
        "StoreTesting",
      ],
      swiftSettings: house),
    .testTarget(
      name: "StreamDaysTests",
      dependencies: [
        "DayCounting", "StreamDays", "HealthCollector", "HealthStreams", "HealthSources",
        "HealthLedger",
        "HealthModel", "HealthSamples", "ObjectStore", "Gzip", "StoreTesting", "TestSupport",
      ],
      swiftSettings: house),
    .testTarget(
      name: "StoreAccessTests",
      dependencies: ["StoreAccess", "HealthLedger", "ObjectStore", "S3Store"],
      swiftSettings: house),
    .testTarget(
      name: "IntakeTests",
      dependencies: [
        "Intake", "HealthLedger", "HealthModel", "HealthSources", "HealthStreams",
        "HealthCollector",
      ],
      swiftSettings: house),
    .testTarget(
      name: "ArchitectureTests",
      dependencies: ["TestSupport", .product(name: "Subprocess", package: "swift-subprocess")],
      swiftSettings: house),
    .testTarget(
      name: "CommandTests",
      dependencies: [
        "s3health", "s3healthd", "CommandLineKit", "EventLog", "FaultProxy", "HealthLedger",
        "HealthModel", "ObjectStore",
        "StoreAccess", "StoreTesting", "TestSupport",
        .product(name: "Subprocess", package: "swift-subprocess"),
      ],
      swiftSettings: house),
  ],
  swiftLanguageModes: [.v6]
)
