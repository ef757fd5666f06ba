import HealthLedger
import ObjectStore

// What to do, in words for an agent. An agent has two tools and no command line: it can ask again,
// for other dates, or ask the person. No `default`: a new case is to be worded before it compiles.

extension LedgerError.Remedy {
  /// The remedy for an agent.
  var wordsForAgents: String {
    switch self {
    case .text(let words): words
    case .all(let remedies): remedies.map(\.wordsForAgents).joined(separator: "; ")
    case .store(let remedy): remedy.wordsForAgents
    case .raiseDayLimit: "ask for fewer days at a time"
    case .listRevisions(let date): "ask the person to look at the revisions of \(date)"
    case .publish, .publishOrAllowMissing, .publishEach, .publishAfter, .movePointer, .listFindings,
      .nameTheDate, .publishAlone, .importExport, .chooseEmptyFolder:
      // Tools only read: none of these comes of them.
      "ask the person to \(self)"
    case .awaitPointer: description
    }
  }
}

extension StoreError.Remedy {
  /// The remedy for an agent: the store's settings are the person's.
  var wordsForAgents: String {
    switch self {
    case .text(let words): words
    case .all(let remedies): remedies.map(\.wordsForAgents).joined(separator: "; ")
    case .retry, .retryLater: description
    case .allowMoreTime: "try again, or ask the person to allow more time"
    case .diagnose, .raiseLimit, .runAs, .setClock, .encryptTransport, .trustAuthority,
      .exportCredentials, .checkEndpoint, .checkEndpointAndNetwork, .checkServerAndNetwork,
      .checkAddressing, .createBucket, .checkBucketName, .simplifyPrefix, .chooseRegion,
      .chooseEndpointAndRegion, .leaveOutEncryption, .checkEncryption:
      "ask the person to \(self)"
    }
  }
}
