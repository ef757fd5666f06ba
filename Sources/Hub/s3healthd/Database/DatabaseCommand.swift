import ArgumentParser

/// `db`: the tables of records in a person's PostgreSQL (R56).
struct DatabaseCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "db", abstract: "Create, fill and check the tables in PostgreSQL.",
    discussion: """
      The database is named by --postgres or S3HEALTH_POSTGRES, such as \
      postgresql://me@db.home/health, or by libpq's own variables and service files. The password \
      comes from PGPASSFILE, ~/.pgpass or S3HEALTH_POSTGRES, and never from the command line, where \
      other users of the machine can see it. A server on another machine must show a certificate \
      for its name, unless the URL sets sslmode.

        s3healthd db create
        s3healthd db load --input export.zip
        s3healthd db load --from 2026-01-01 --to 2026-01-31
        s3healthd db compare --days 14
        s3healthd db rebuild
      """,
    subcommands: [
      DatabaseCreateCommand.self, DatabaseLoadCommand.self, DatabaseRebuildCommand.self,
      DatabaseCompareCommand.self,
    ])
}
