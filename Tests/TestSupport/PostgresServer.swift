import Foundation

/// A PostgreSQL of the tests: Tests/Peers/postgres_server.py, which ends with the test process.
package final class PostgresServer: Sendable {
  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  private struct Greeting: Decodable {
    let port: Int
    let folder: String
    let authority: String
    let password: String
  }

  /// The one that most tests share.
  package static func shared() throws -> PostgresServer { try started.get() }

  private static let started = Result { try PostgresServer() }

  package let port: Int
  /// Of its socket.
  package let folder: String
  /// The PEM file of the authority that signed its certificate, which is for `localhost` alone.
  package let authority: String
  /// Of every role.
  package let password: String
  private let server: PeerServer

  /// A server of a test's own.
  package init() throws {
    server = try PeerServer("postgres_server.py", isQuiet: true)
    let greeting = try server.said(Greeting.self)
    (port, folder) = (greeting.port, greeting.folder)
    (authority, password) = (greeting.authority, greeting.password)
  }

  /// Ends it as a crash does.
  package func stop() throws { try server.order("stop") }

  package func start() throws { try server.order("start") }

  // MARK: - Databases

  /// The URL of a database, with the password.
  package func url(
    _ database: String, role: String = "owner", host: String = "127.0.0.1", query: String = ""
  ) -> String {
    var allowed = CharacterSet.alphanumerics
    allowed.insert("_")
    let secret = password.addingPercentEncoding(withAllowedCharacters: allowed) ?? ""
    return "postgresql://\(role):\(secret)@\(host):\(port)/\(database)\(query)"
  }

  /// Makes an empty database, whose role may do no more than have tables of its own there.
  package func database() async throws -> Database {
    let name = "t" + UUID().uuidString.lowercased().filter { $0 != "-" }
    let role = "r" + name.dropFirst()
    _ = try await Self.sql(
      url("postgres"),
      [
        "CREATE ROLE \(role) LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE PASSWORD '\(password)'",
        "CREATE DATABASE \(name)",
      ])
    _ = try await Self.sql(url(name), ["GRANT CREATE ON SCHEMA public TO \(role)"])
    return Database(server: self, name: name, role: role)
  }

  package struct Database: Sendable {
    package let server: PostgresServer
    package let name: String
    package let role: String

    package var url: String { server.url(name, role: role) }

    /// Runs statements by psycopg, and returns the rows of each as JSON texts.
    package func sql(_ statements: String...) async throws -> [[[String]]] {
      try await PostgresServer.sql(url, statements)
    }
  }

  private static func sql(_ url: String, _ statements: [String]) async throws -> [[[String]]] {
    let input = try JSONSerialization.data(withJSONObject: ["url": url, "statements": statements])
    let output = try await PeerPython.run("postgres_sql.py", input: Array(input))
    guard
      let answers = try JSONSerialization.jsonObject(with: Data(output)) as? [[[Any]]]
    else { throw Failure(description: "postgres_sql.py did not answer rows") }
    return try answers.map { rows in
      try rows.map { row in
        try row.map { value in
          String(
            decoding: try JSONSerialization.data(
              withJSONObject: value,
              options: [.fragmentsAllowed, .sortedKeys, .withoutEscapingSlashes]),
            as: UTF8.self)
        }
      }
    }
  }
}
