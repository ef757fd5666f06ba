internal import CPostgres

/// The client library that this program was linked with.
package enum PostgresLibrary {
  /// As libpq numbers itself: 150018 is 15.18.
  package static var version: Int { Int(PQlibVersion()) }
}
