import ArgumentParser
import CommandLineKit
import Foundation
package import HealthLedger
import HealthModel
import HealthSources
package import PostgresTables

struct DatabaseOptions: ParsableArguments {
  @Option(
    help: .init(
      "The database, such as postgresql://me@db.home/health.",
      discussion: "Default: S3HEALTH_POSTGRES, then libpq's variables.", valueName: "url"))
  var postgres: String?

  @Option(help: .init("Time limit of one transaction in seconds.", valueName: "seconds"))
  var transactionTimeout = 60

  func validate() throws {
    if !(1...3600).contains(transactionTimeout) {
      throw ValidationError("--transaction-timeout must be 1 to 3600")
    }
  }

  func tables(
    onConflict rule: PostgresTables.ConflictRule = .newest
  ) throws(LedgerError) -> PostgresTables {
    PostgresTables(try target(), onConflict: rule, timeout: .seconds(transactionTimeout))
  }

  /// Whether a database is named by the option or the variable.
  var isGiven: Bool {
    let environment = ProcessInfo.processInfo.environment
    return postgres != nil || StoreSettings.variable("S3HEALTH_POSTGRES", environment) != nil
  }

  private func target() throws(LedgerError) -> PostgresTarget {
    let environment = ProcessInfo.processInfo.environment
    if let postgres {
      let target = try worded { () throws(PostgresError) in try PostgresTarget(postgres) }
      guard !target.holdsPassword else {
        throw LedgerError(
          .invalidArguments, "--postgres has a password, which other users can see",
          remedy: "put the URL into S3HEALTH_POSTGRES, or the password into ~/.pgpass")
      }
      return target
    }
    let url = StoreSettings.variable("S3HEALTH_POSTGRES", environment)
    let named = ["PGSERVICE", "PGHOST", "PGHOSTADDR", "PGDATABASE"]
    guard url != nil || named.contains(where: { StoreSettings.variable($0, environment) != nil })
    else {
      throw LedgerError(
        .invalidArguments, "no database is named",
        remedy: "add --postgres postgresql://user@host/database, or set S3HEALTH_POSTGRES")
    }
    return try worded { () throws(PostgresError) in try PostgresTarget(url ?? "") }
  }
}

/// How metrics' rows that are there already are treated.
struct ConflictOption: ParsableArguments {
  @Option(
    help: .init(
      "What to do where a metric has a row already: newest or nothing.",
      discussion: "`newest` keeps the newest value of a day; `nothing` keeps the first one."))
  var onConflict: PostgresTables.ConflictRule = .newest
}

extension PostgresTables.ConflictRule: ExpressibleByArgument {}

extension PostgresTables {
  /// The rows of the person that the settings name, or all of them in tables of one person (R65).
  func of(_ settings: Settings) -> PostgresTables {
    settings.store.personID.map { of($0.rawValue) } ?? self
  }
}

extension PostgresError: WordedFailure {
  package var worded: LedgerError { LedgerError(self) }
}

extension LedgerError {
  /// A database's failure as an error of a command.
  init(_ error: PostgresError) {
    let code: Code =
      switch error.code {
      case .invalidSettings: .invalidArguments
      case .notAuthorized, .notPermitted: .notAuthorized
      case .databaseMissing, .tablesMissing, .peopleMissing: .dataNotFound
      case .unreachable, .tlsFailed, .timedOut, .connectionLost, .exhausted, .conflict,
        .tablesDiffer, .cancelled:
        .storageUnavailable
      case .internal: .internal
      }
    let remedy: Remedy? =
      switch error.code {
      case .invalidSettings: "use a URL such as postgresql://user@host/database"
      case .notAuthorized: "check the role, and its password in PGPASSFILE or ~/.pgpass"
      case .databaseMissing: "create it, with createdb; or check its name in the URL"
      case .notPermitted:
        "let the role create tables in its schema, or make it the owner of the tables"
      case .tablesMissing: "create the tables: s3healthd db create"
      case .peopleMissing: "stop the servers, and run s3healthd db create --people"
      case .tablesDiffer: "use another schema or database for these tables, or a newer s3healthd"
      case .tlsFailed:
        """
        use a host name that the server's certificate is for, and name the authority that signed it \
        by sslrootcert=FILE in the URL
        """
      case .unreachable: "check the address, and that PostgreSQL is running"
      case .timedOut: "run it again; --transaction-timeout allows more"
      case .connectionLost, .exhausted, .conflict: "run it again: nothing is stored twice"
      case .cancelled, .internal: nil
      }
    self.init(code, error.message, remedy: remedy, isRetryable: error.isRetryable)
  }
}
