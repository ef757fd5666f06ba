import ArgumentParser
import Foundation
import Gzip
import HealthLedger
import HealthStreams
import IngestServer
import StoreAccess

struct ServeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve", abstract: "Serve the endpoints that phones post to.")

  @Option(help: .init("The store: s3://bucket/prefix, file:///path or a path.", valueName: "store"))
  var store: String?

  @Option(help: .init("Where to listen.", valueName: "host:port"))
  var listen = "127.0.0.1:8080"

  @Option(help: .init("The file of tokens.", valueName: "file"))
  var tokens: String?

  func run() async throws {
    var given = GivenSettings()
    given.store = store.map { Given($0, by: "--store") }
    let environment = ProcessInfo.processInfo.environment
    let settings = try StoreSettings(given, environment: environment)
    let opened = try OpenedStore(settings, for: .writing, userAgent: "s3healthd/0.1.0")
    guard let layout = StreamLayout(prefix: opened.ledger.layout.prefix) else {
      throw ValidationError("the store's prefix is too long")
    }
    let streams = StreamStore(
      store: opened.ledger.store, layout: layout, compression: ZlibCompression())
    let keeper = try TokenKeeper(
      TokenFile(tokens ?? settings.directories.configuration + "/tokens.json"))
    let hub = Hub(
      streams: streams, tokens: keeper, compression: ZlibCompression(),
      now: LedgerEnvironment.system.now,
      report: { record in FileHandle.standardError.write(Data("\(record)\n".utf8)) })
    let parts = listen.split(separator: ":")
    guard parts.count == 2, let port = Int(parts[1]) else { throw ValidationError("--listen") }
    try await HubServer(hub, at: .init(host: String(parts[0]), port: port)).run { port in
      FileHandle.standardError.write(Data("listening on port \(port)\n".utf8))
    }
  }
}
