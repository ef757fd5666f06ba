import ArgumentParser
import CommandLineKit
import Foundation
import HealthLedger
import HealthModel
import HealthStreams
import IngestServer
import MCPServer
import StreamDays

/// `serve`: the endpoints that phones post to (R54).
struct ServeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Serve the endpoints that phones post to.",
    discussion: """
      Listens until SIGTERM or SIGINT, then finishes what it has accepted. Prints one line for each \
      request on stderr: never a token or a health value. Devices need a token from \
      `s3healthd token add`.

        s3healthd serve --store s3://health/me --listen 0.0.0.0:8443 \\
          --tls-cert cert.pem --tls-key key.pem
        s3healthd serve --store ~/health --listen 127.0.0.1:8080

      Plain http is served on loopback only, or with --allow-plaintext, behind a proxy that speaks \
      https. A proxy that is not on this machine must be named with --proxy, to be believed that a \
      client speaks https.
      """)

  @Option(
    help: .init(
      "Where to listen: an address and a port.",
      discussion: "IPv6 in brackets, as in [::1]:8080. Port 0 takes any free one.",
      valueName: "host:port"))
  var listen: ListenAddress = .init(host: "127.0.0.1", port: 8080)

  @Option(
    help: .init("PEM file of the certificate, with its chain.", valueName: "file"),
    completion: .file())
  var tlsCert: String?

  @Option(
    help: .init("PEM file of the certificate's private key.", valueName: "file"),
    completion: .file())
  var tlsKey: String?

  @Option(
    help: .init(
      "Address or network of a proxy whose X-Forwarded-Proto counts. Repeatable.",
      discussion: "Such as 192.168.7.2 or 172.16.0.0/12. Proxies on this machine always count.",
      valueName: "address"))
  var proxy: [AddressRange] = []

  @Option(
    help: .init(
      "Where to serve /metrics for Prometheus, in plain http and without a token.",
      valueName: "host:port"))
  var metricsListen: ListenAddress?

  @OptionGroup var tokens: TokenFileOptions
  @OptionGroup var limits: LimitOptions

  @Option(
    help: .init("Reporting time zone of days. Default: this machine's.", valueName: "iana-name"),
    completion: .timeZones)
  var timezone: String?

  @OptionGroup var database: DatabaseOptions
  @OptionGroup var conflict: ConflictOption
  @OptionGroup var store: StoreOptions

  func validate() throws {
    if (tlsCert == nil) != (tlsKey == nil) {
      throw ValidationError("--tls-cert and --tls-key must be given together")
    }
  }

  func run() async throws {
    // It asks for the certificate to be read again, also while the server still starts.
    signal(SIGHUP, SIG_IGN)
    try await reportingErrors(.text) { () async throws(LedgerError) in
      Diagnostics.start(store)
      guard tlsCert != nil || listen.isLoopback || store.allowPlaintext else {
        throw LedgerError(
          .invalidArguments,
          "\(listen) would take tokens and health data over plain http",
          remedy: .text(
            "give --tls-cert and --tls-key, listen on 127.0.0.1, or add --allow-plaintext behind a "
              + "proxy that speaks https"))
      }
      guard store.whose.person == nil else {
        throw LedgerError(
          .invalidArguments, "a server serves all people of its store",
          rule: "R65",
          remedy: .text("leave out --person, and make tokens with s3healthd token add --person"))
      }
      let settings = try Settings(store, timeZone: timezone, forAllPeople: true)
      let opened = try OpenedStore(settings, for: .writing)
      let counters = HubCounters()
      let ended = OpenedStore.endedSessions(settings.store.directories.data)
      let alone = try settings.terms(forPeople: false)
      let terms =
        alone.isZoneSet
        ? TermsCache(alone) : TermsCache(alone, kept: opened.keptZones) { PersonChoices() }
      let dashboard = try opened.dashboard(settings, terms, ended: ended)
      let tables =
        try database.isGiven
        ? PostgresRecords(tables: database.tables(onConflict: conflict.onConflict)) : nil
      let tokens = try tokens.place(settings.store, opened)
      let cache = DayCache(limit: OpenedStore.cacheBytes)
      let push = await HubPush(settings, opened, cache)
      let agents = LastingStore(settings)
      try await opened.claim(settings)
      let places = WorkPlaces(count: Self.placesForDays)
      let own = PersonHub(
        streams: try opened.streams(HubCompression()), terms: terms, tables: tables,
        days: try opened.recompute(
          terms, counters, dashboard, tables, cache, places: places, push),
        dashboard: dashboard, agents: Self.agents(agents, terms))
      let usual = try settings.terms(forPeople: true)
      let shared = People(of: opened.ledger)
      // Which installation derives is a matter of one store.
      let isShared = opened.backend != .icloudDrive
      let people =
        !isShared
        ? nil
        : ServedPeople { person throws(LedgerError) in
          let opened = try opened.person(person)
          let terms = TermsCache(usual, kept: opened.keptZones) { () throws(LedgerError) in
            try await shared.choices(of: person)
          }
          let dashboard = try opened.dashboard(settings, terms, ended: ended, of: person)
          let tables = tables?.of(person)
          return PersonHub(
            of: person, streams: try opened.streams(HubCompression()), terms: terms, tables: tables,
            days: try opened.recompute(
              terms, counters, dashboard, tables, cache.scoped(person.rawValue), of: person,
              places: places),
            dashboard: dashboard, agents: Self.agents(agents, of: person, terms))
        }
      let held = try worded { () throws(HubServerError) in try TokenCache(tokens) }
      let hub = Hub(
        own, people: people, tokens: held, limits: limits.limits,
        compression: HubCompression(), now: LedgerEnvironment.system.now,
        receipts: settings.store.receiptClock(), remedy: \.words,
        report: { StandardStreams.remark("\($0)") })
      let tls = tlsCert.flatMap { certificate in
        tlsKey.map { TLSFiles(certificate: certificate, key: $0) }
      }
      // Else nobody would know before a phone posts in vain.
      let check = Task {
        // Tokens that can't be read are reported by each request that needs them.
        if (try? await tokens.read())?.tokens.isEmpty == true {
          StandardStreams.remark(
            "note: \(tokens.name) has no token, so nobody can post; make one with "
              + "`s3healthd token add NAME`")
        }
        if (try? await terms.current())?.isZoneMissing == true {
          StandardStreams.remark(
            "warning: no time zone is set, so days begin and end by this machine's, "
              + "\(settings.zone.text); \(settings.settingZone()), and start again")
        }
        if await tables?.state() == .missing {
          StandardStreams.remark(
            "warning: the database lacks tables, so records are refused, or their order is this "
              + "machine's; run `s3healthd db create`")
        }
        guard (try? await opened.streams.store.conditionalWrites()) == .unsafe else { return }
        StandardStreams.remark(
          "warning: \(opened.name) ignores conditional writes, so everything that is posted is "
            + "refused; run `s3health doctor`")
      }
      let pushing = push.map { push in Task { await push.keepPushing() } }
      defer { check.cancel() }
      let server = HubServer(
        hub, at: listen, tls: tls, proxies: proxy, metrics: metricsListen,
        counters: counters, note: { StandardStreams.remark($0) })
      try await worded { () async throws(HubServerError) in
        try await server.run { port, isMetrics in
          guard !isMetrics else {
            let url = ListenAddress(host: metricsListen?.host ?? "", port: port)
            return StandardStreams.remark("metrics on http://\(url)/metrics")
          }
          let url = ListenAddress(host: listen.host, port: port)
          StandardStreams.remark(
            "listening on \(tls == nil ? "http" : "https")://\(url) for \(opened.name)")
        }
      }
      pushing?.cancel()
      await pushing?.value
      return .success
    }
  }

  /// What agents get. They read by a store of their own, with its cache.
  private static func agents(
    _ lasting: LastingStore, of person: PersonID? = nil, _ terms: TermsCache
  ) -> AgentService {
    AgentService(version: Program.version) { call, progress in
      // The person's zone decides what today is.
      let found = await Result.of { () async throws(LedgerError) in try await terms.lately() }
      let zones = ((try? found.get()) ?? terms.usual).currentZones
      return await HealthTools.answer(
        call, timeZoneName: zones.name(at: LedgerEnvironment.system.now()), progress: progress
      ) { work async throws(LedgerError) in
        _ = try found.get()
        guard let person else { return try await lasting.run(work) }
        return try await lasting.open().person(person).run(work)
      }
    }
  }

  /// How many days and sweeps are worked on at a time: they wait for the store most of the time.
  private static let placesForDays = 4
}

/// Pushes the newest values to the gateways that the settings name: at once when today or yesterday is
/// published, else every five minutes (R57). Whatever becomes of it, phones are answered.
struct HubPush: Sendable {
  private var run: PushRun
  private let signal = WakeSignal()

  /// Seconds between pushes while nothing is published.
  private static let interval = 300
  /// Seconds of one request, and of all attempts of a push: the next one waits for a gateway that hangs.
  private static let (timeout, limit) = (10, 30)
  /// How long a push waits for further days of the same request.
  private static let pause = Duration.seconds(1)

  /// Nil if no gateway is named, or if its settings can't be used, which is said.
  init?(_ settings: Settings, _ opened: OpenedStore, _ cache: DayCache) async {
    guard !settings.store.gateways.isEmpty, let options = try? PushOptions.parse([]) else {
      return nil
    }
    do throws(LedgerError) {
      run = try await PushRun(
        settings, options, opened, timeout: .seconds(Self.timeout), output: .changes,
        streams: cache)
    } catch {
      StandardStreams.remark("warning: nothing is pushed to Prometheus: \(error.message)")
      return nil
    }
    let signal = signal
    run.news = StoreNews(waiting: {
      await signal.wait()
      try? await Task.sleep(for: Self.pause)
    })
  }

  func published(_ date: CalendarDate, today: CalendarDate) {
    if date >= today.adding(days: -1) ?? today { signal.raise() }
  }

  /// Pushes until the task is cancelled.
  func keepPushing() async {
    do throws(LedgerError) {
      _ = try await run.loop(every: Self.interval, within: Self.limit)
    } catch {
      StandardStreams.remark("warning: nothing is pushed to Prometheus any more: \(error.message)")
    }
  }
}
