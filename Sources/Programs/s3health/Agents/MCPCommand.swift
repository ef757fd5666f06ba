import ArgumentParser
import CommandLineKit
import Dispatch
import Foundation
import HealthLedger
import Logging
import MCPServer

/// `mcp`: serves agents over stdin and stdout (R50 to R53).
struct MCPCommand: ConfiguredCommand {
  static let configuration = CommandConfiguration(
    commandName: "mcp",
    abstract: "Serve AI agents over stdio (Model Context Protocol).",
    discussion: """
      An agent's program starts this server and communicates with it over stdin and stdout. \
      docs/MCP.md has the configuration to paste. The server only reads, and ends when its input \
      ends.

        s3health mcp --store s3://health/me --endpoint-url https://minio.home:9000
        s3health mcp --tool-names underscore
      """)

  @Option(
    help: .init(
      "How tools are named in lists: dotted or underscore.",
      discussion: "Use underscore for clients that allow no dots. Calls may use either."))
  var toolNames: ToolNaming = .dotted

  @OptionGroup var zone: ZoneOption

  @OptionGroup(title: "Store") var store: StoreOptions

  func perform() async throws(LedgerError) -> ExitCode {
    let settings = try await Settings(store, timeZone: zone.timezone).completed(asksStore: false)
    // Reported now and not to the agent, because no later call could succeed.
    _ = try settings.today
    let lasting = LastingStore(settings)
    do throws(LedgerError) {
      _ = try await lasting.open()
    } catch  where error.code != .invalidArguments {
      StandardStreams.say(error)
    }
    return try await serve(lasting)
  }

  private func serve(_ lasting: LastingStore) async throws(LedgerError) -> ExitCode {
    let (input, output) = (StandardInput(), OutputQueue())
    let log = Logger(label: "mcp")
    let streams = AgentServer.Streams(
      read: { () async throws(LedgerError) in try await input.read() },
      write: { output.put($0) }, drained: { await output.drained() },
      note: { log.debug("\($0)") })
    let machine = ProtocolMachine(
      MessageHandler(version: Program.version, naming: toolNames))
    let server = AgentServer(machine, streams) { call in
      await HealthTools.answer(call, timeZoneName: await lasting.timeZoneName()) {
        work async throws(LedgerError) in try await lasting.run(work)
      }
    }
    EndSignals.listen(for: [SIGINT, SIGTERM]) { number, isFirst in
      guard isFirst else { return }
      let code = Self.exitCode(of: number)
      // A client that does not read the output must not keep the process alive.
      DispatchQueue.global().asyncAfter(deadline: .now() + 1) { _exit(code.rawValue) }
      Task {
        await server.stop()
        await output.flushed()
        _exit(code.rawValue)
      }
    }
    try await server.run()
    await output.flushed()
    // If the client is interrupted as well, it closes its end at the same moment.
    return EndSignals.first.map(Self.exitCode) ?? .success
  }

  /// 130 for SIGINT (R40). SIGTERM requests a normal end.
  private static func exitCode(of signal: Int32) -> ExitCode {
    signal == SIGINT ? ExitCode(130) : .success
  }
}

extension ToolNaming: ExpressibleByArgument {}
