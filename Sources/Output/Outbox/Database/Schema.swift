/// The tables of the outbox, by version (R47).
///
/// Entries never change. A batch is a range of the entries of its channel, so sealing and confirming
/// each write one row, however many entries there are. The view `outbox` shows each entry with the
/// state of its batch.
enum Schema {
  /// The version that this program makes.
  static let version = 2
  /// "S3HO": marks the database as an outbox.
  private static let applicationID = 0x5333_484F

  /// Brings the database to this version. Call it under the file's lock.
  static func migrate(_ database: Database) throws(OutboxError) {
    let found = try database.number("PRAGMA user_version")
    guard found <= version else {
      throw OutboxError(
        .newerVersion, path: database.path,
        "the outbox has version \(found), and this program knows up to \(version)")
    }
    let isEmpty = try database.number("SELECT count(*) FROM sqlite_schema") == 0
    if found == 0, isEmpty {
      // Before the first table. Lets a file that grew in a week offline shrink again.
      try database.execute("PRAGMA auto_vacuum = INCREMENTAL")
    }
    let maker = try database.number("PRAGMA application_id")
    guard isEmpty || maker == applicationID else {
      throw OutboxError(
        .damaged, path: database.path, "the file is the database of another program")
    }
    try database.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;")
    try database.execute("PRAGMA foreign_keys = OFF; PRAGMA cache_size = -2000;")
    guard found < version else { return }
    try database.transaction { () throws(OutboxError) in
      if found < 1 { try database.execute(first) }
      try database.execute(second)
      if found == 1 { try SampleMemory.rememberNewest(in: database) }
      try database.execute(
        "PRAGMA application_id = \(applicationID); PRAGMA user_version = \(version);")
    }
  }

  private static let first = """
    CREATE TABLE channels (
      number INTEGER PRIMARY KEY,
      stream_name TEXT NOT NULL,
      device_id TEXT NOT NULL,
      sealed INTEGER NOT NULL DEFAULT 0,
      UNIQUE (stream_name, device_id)
    );
    CREATE TABLE feeds (
      number INTEGER PRIMARY KEY,
      feed TEXT NOT NULL UNIQUE,
      anchor BLOB
    );
    CREATE TABLE entries (
      id INTEGER PRIMARY KEY,
      channel INTEGER NOT NULL,
      feed INTEGER,
      created_at INTEGER NOT NULL,
      starts_at INTEGER NOT NULL,
      ends_at INTEGER NOT NULL,
      sample_type TEXT,
      is_deletion INTEGER NOT NULL,
      entry_id TEXT NOT NULL,
      payload BLOB NOT NULL
    );
    CREATE INDEX entries_by_channel ON entries (channel, id);
    CREATE TABLE batches (
      number INTEGER PRIMARY KEY,
      batch_id TEXT NOT NULL UNIQUE,
      channel INTEGER NOT NULL,
      first_entry INTEGER NOT NULL,
      last_entry INTEGER NOT NULL,
      record_count INTEGER NOT NULL,
      byte_count INTEGER NOT NULL,
      session TEXT NOT NULL,
      app_version TEXT NOT NULL,
      sealed_at INTEGER NOT NULL,
      latest_start INTEGER NOT NULL,
      status TEXT NOT NULL DEFAULT 'pending',
      upload_attempts INTEGER NOT NULL DEFAULT 0,
      last_attempt_date INTEGER,
      next_attempt_date INTEGER,
      uploaded_at INTEGER,
      error_kind TEXT,
      last_error TEXT,
      refused_since INTEGER
    );
    CREATE INDEX batches_by_status ON batches (status, channel, upload_attempts, number);
    CREATE INDEX batches_by_entries ON batches (channel, first_entry);
    CREATE TABLE gaps (
      number INTEGER PRIMARY KEY,
      stream_name TEXT NOT NULL,
      device_id TEXT NOT NULL,
      feed TEXT,
      starts_at INTEGER NOT NULL,
      ends_at INTEGER NOT NULL,
      record_count INTEGER NOT NULL,
      reason TEXT NOT NULL,
      dropped_at INTEGER NOT NULL
    );
    CREATE TABLE state (
      name TEXT PRIMARY KEY,
      value
    ) WITHOUT ROWID;
    CREATE VIEW outbox AS
      SELECT entries.id, channels.stream_name, channels.device_id, entries.payload,
        1 AS record_count, entries.created_at,
        coalesce(batches.status, 'pending') AS status,
        coalesce(batches.upload_attempts, 0) AS upload_attempts,
        batches.last_attempt_date, batches.next_attempt_date, batches.uploaded_at,
        batches.last_error, batches.batch_id,
        entries.entry_id, entries.starts_at, entries.ends_at, entries.sample_type,
        entries.is_deletion, feeds.feed
      FROM entries
      JOIN channels ON channels.number = entries.channel
      LEFT JOIN feeds ON feeds.number = entries.feed
      LEFT JOIN batches ON batches.number = (
        SELECT number FROM batches AS b
        WHERE b.channel = entries.channel AND b.first_entry <= entries.id
        ORDER BY b.first_entry DESC LIMIT 1)
        AND batches.last_entry >= entries.id;
    """

  /// Times in milliseconds; `length` is NULL where the entry has no end.
  private static let second = """
    CREATE TABLE samples (
      uuid BLOB PRIMARY KEY NOT NULL,
      starts_at INTEGER NOT NULL,
      length INTEGER
    ) WITHOUT ROWID;
    """
}
