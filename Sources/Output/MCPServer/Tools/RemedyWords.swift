import HealthLedger
import ObjectStore

// The words of remedies for an agent. An agent has reading tools and no command line: it can ask again,
// for other dates, or ask the person. There is no `default`, so that a new case does not compile
// until it has words.

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
      .chooseEmptyFolder:
      // Tools only read, so none of these occurs.
      "ask the person to \(self)"
    case .awaitPointer, .input: description
    }
  }
}

extension StoreError.Remedy {
  /// The remedy for an agent. The person owns the store's settings.
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
