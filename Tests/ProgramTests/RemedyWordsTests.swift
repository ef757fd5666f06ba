import CommandLineKit
import HealthLedger
import HealthModel
import ObjectStore
import Testing

@testable import s3health

/// What the command line makes of the libraries' remedies.
@Suite(.process) struct RemedyWordsTests {
  @Test(arguments: [
    (StoreError.Remedy.text("wait"), "wait"),
    (.all([.retry, "wait"]), "try again; wait"),
    (.allowMoreTime, "try again, or allow more time with --timeout"),
    (.diagnose, "run `s3health doctor` to see what this store can do"),
    (.raiseLimit(of: .openFiles), "raise the limit of open files (ulimit -n)"),
    (.raiseLimit(of: .processes), "raise the limit of processes (ulimit -u)"),
    (
      .runAs(user: "ann"),
      "run it as that user (sudo -u ann ...), or share the folder with a group by setgid"
    ),
    (.encryptTransport, "use https, or --allow-plaintext on a network that you trust"),
    (
      .trustAuthority,
      "give the certificate authority with --ca-bundle, and check that the endpoint speaks https"
    ),
    (
      .exportCredentials(profile: "me"),
      "run it in `aws configure export-credentials --profile me --format process` as another "
        + "profile's credential_process"
    ),
    (
      .checkEndpointAndNetwork(bucketIsInHostName: true),
      "check --endpoint-url and the network, or set addressing_style to path"
    ),
    (
      .createBucket,
      "create it with `s3health init STORE --create-bucket`, or check the name, --endpoint-url and "
        + "the setting addressing_style"
    ),
    (
      .chooseRegion(andEndpoint: true),
      "set --region to the bucket's region and --endpoint-url to a server there"
    ),
    (
      .leaveOutEncryption,
      "check the setting sse: leave it out, or set up key management for the store"
    ),
  ])
  func `a store's remedy names the flags and commands that carry it out`(
    remedy: StoreError.Remedy, words: String
  ) {
    #expect(remedy.words == words)
    #expect(LedgerError.Remedy.store(remedy).words == words)
  }

  @Test func `the ledger's remedies name commands that can be copied`() throws {
    let date = try #require(CalendarDate("2026-02-08"))
    let cases: [(LedgerError.Remedy, String)] = [
      (
        .publish(date),
        "publish the day again with `s3health put --date 2026-02-08 --input FILE`"
      ),
      (
        .publishOrAllowMissing(date),
        "publish the day with `s3health put --date 2026-02-08 --input FILE`, or pass --allow-missing"
      ),
      (
        .publishAfter(.store(.allowMoreTime), date),
        "try again, or allow more time with --timeout, then publish 2026-02-08 again: no data is "
          + "stored twice"
      ),
      (.publishAfter(nil, date), "publish 2026-02-08 again: no data is stored twice"),
      (
        .movePointer,
        "move it forward with `s3health verify --repair --yes`, or publish the day again"
      ),
      (
        .listRevisions(of: date),
        "list the revisions of that day with `s3health get 2026-02-08 --history`"
      ),
      (.raiseDayLimit(to: 400), "ask for a shorter range, or raise the limit (`--max-days 400`)"),
      (.all([.text("a"), .store(.checkEndpoint)]), "a; check --endpoint-url"),
    ]
    for (remedy, words) in cases { #expect(remedy.words == words) }
  }
}
