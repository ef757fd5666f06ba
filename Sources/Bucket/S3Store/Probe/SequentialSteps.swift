import ObjectStore

/// The steps for a single writer: about a dozen requests.
extension ConditionalWriteProbe {
  mutating func afterReadingBefore(_ answer: Answer) -> Action {
    let (name, expected) = ("read what is not there yet", "nothing")
    guard case .nothing = answer else {
      note(name, expected, answer.words, .failed)
      return finish(
        .unknown(
          StoreError(
            .unavailable, "the store answered a read of a new name by \(answer.words)",
            remedy: "check the server, and any proxy before it")))
    }
    note(name, expected, answer.words, .passed)
    return go(.listBefore, .list)
  }

  mutating func afterListingBefore(_ answer: Answer) -> Action {
    guard case .listed(let isShown) = answer else { return confused() }
    note("list it", "not listed", answer.words, isShown ? .unclear : .passed)
    return create()
  }

  mutating func create() -> Action { go(.create, .put(.main, body: 1, .absent)) }

  mutating func afterCreate(_ answer: Answer) -> Action {
    let (name, expected) = ("create a new object (If-None-Match: *)", "written, with a strong etag")
    switch answer {
    case .stored(let etag):
      guard !etag.rawValue.hasPrefix("W/") else {
        // If-Match compares strongly (RFC 9110): a weak etag never matches.
        return finish(
          .createOnly, because: name, expected: expected,
          seen: "a weak etag, \(etag.rawValue.cleaned())")
      }
      note(name, expected, answer.words, .passed)
      (firstETag, currentETag) = (etag, etag)
      return go(.createTwice, .put(.main, body: 2, .absent))
    case .refused, .notTaken:
      note(name, expected, answer.words, .failed)
      return go(.createPlainly, .put(.main, body: Self.plainBody, .none))
    default: return confused()
    }
  }

  mutating func afterCreatingPlainly(_ answer: Answer) -> Action {
    let (name, expected) = ("create it without a condition", "written")
    switch answer {
    case .stored:
      note(name, expected, answer.words, .passed)
      return readLast(Self.plainBody, .refuses)
    case .notTaken(let error):
      // Not the condition is refused, but the write.
      note(name, expected, answer.words, .failed)
      return finish(.unknown(error))
    case .refused:
      note(name, expected, answer.words, .failed)
      return finish(
        .unknown(
          StoreError(
            .unavailable, "the store refused every write of a new name", remedy: .retryLater,
            isRetryable: true)))
    default: return confused()
    }
  }

  /// No other step has this body.
  private static var plainBody: Int { 8 }

  /// The verdict, if reads and listings show what was written last.
  private mutating func readLast(_ body: Int, _ verdict: ProbeVerdict) -> Action {
    go(.readLast(body: body, verdict), .read(.main))
  }

  mutating func afterReadingLast(
    _ answer: Answer, _ body: Int, _ verdict: ProbeVerdict
  ) -> Action {
    let (name, expected) = ("read what was written last", "its body")
    guard case .found(body, _) = answer else {
      return finish(.lags, because: name, expected: expected, seen: answer.words)
    }
    note(name, expected, "as expected", .passed)
    return go(.listLast(verdict), .list)
  }

  mutating func afterListingLast(_ answer: Answer, _ verdict: ProbeVerdict) -> Action {
    guard case .listed(let isShown) = answer else { return confused() }
    note("list it", "listed at once", answer.words, isShown ? .passed : .failed)
    return finish(isShown ? verdict : .lags)
  }

  mutating func afterCreatingTwice(_ answer: Answer) -> Action {
    let (name, expected) = ("create it again (If-None-Match: *)", "refused")
    switch answer {
    case .refused:
      note(name, expected, answer.words, .passed)
      return go(.readCreated, .read(.main))
    case .stored:
      note(name, expected, answer.words, .failed)
      return readLast(2, .ignores)
    case .notTaken:
      note(name, expected, answer.words, .failed)
      return readLast(1, .refuses)
    default: return confused()
    }
  }

  mutating func afterReadingCreated(_ answer: Answer) -> Action {
    let (name, expected) = ("read it", "the first body and its etag")
    guard case .found(let body, let etag) = answer else {
      return finish(.lags, because: name, expected: expected, seen: answer.words)
    }
    guard body == 1 else {
      return finish(.ignores, because: name, expected: expected, seen: answer.words)
    }
    guard etag == firstETag else {
      return finish(
        .createOnly, because: name, expected: expected, seen: "another etag than the write gave")
    }
    note(name, expected, "as expected", .passed)
    return go(.list, .list)
  }

  mutating func afterListing(_ answer: Answer) -> Action {
    guard case .listed(let isShown) = answer else { return confused() }
    note("list it", "listed at once", answer.words, isShown ? .passed : .failed)
    guard isShown else { return finish(.lags) }
    return go(
      .replaceByStale, .put(.main, body: 3, .matches(firstETag.neverGiven, .quoted)))
  }

  mutating func afterReplacingByStale(_ answer: Answer) -> Action {
    let (name, expected) = ("replace it by an etag that it never had (If-Match)", "refused")
    switch answer {
    case .refused:
      note(name, expected, answer.words, .passed)
      return go(.replace(.quoted), .put(.main, body: 4, .matches(firstETag, .quoted)))
    case .stored, .notTaken:
      return finish(.createOnly, because: name, expected: expected, seen: answer.words)
    default: return confused()
    }
  }

  mutating func afterReplacing(_ answer: Answer, _ spelling: ETagSpelling) -> Action {
    let name = "replace it by its etag (If-Match, \(spelling.rawValue))"
    switch answer {
    case .stored(let etag):
      note(name, "written", answer.words, .passed)
      currentETag = etag
      return go(
        .replaceByOld(spelling), .put(.main, body: 5, .matches(firstETag, spelling)))
    // This is a failure only if both spellings are the same bytes.
    case .refused
    where spelling == .quoted && ETagSpelling.bare.header(for: firstETag) != firstETag.rawValue:
      note(name, "written", answer.words, .unclear)
      return go(.replace(.bare), .put(.main, body: 4, .matches(firstETag, .bare)))
    case .refused, .notTaken:
      return finish(.createOnly, because: name, expected: "written", seen: answer.words)
    default: return confused()
    }
  }

  /// Repeats it with the etag that is now stale, in the spelling that works: a server may always
  /// refuse one spelling and ignore the other.
  mutating func afterReplacingByOld(_ answer: Answer, _ spelling: ETagSpelling) -> Action {
    let (name, expected) = ("replace it by its former etag (If-Match)", "refused")
    switch answer {
    case .refused:
      note(name, expected, answer.words, .passed)
      return go(.readReplaced(spelling), .read(.main))
    case .stored, .notTaken:
      return finish(.createOnly, because: name, expected: expected, seen: answer.words)
    default: return confused()
    }
  }

  mutating func afterReadingReplaced(_ answer: Answer, _ spelling: ETagSpelling) -> Action {
    let (name, expected) = ("read it", "the body of the one replacement and its etag")
    switch answer {
    case .found(body: 1, _), .nothing:
      return finish(.lags, because: name, expected: expected, seen: answer.words)
    default: break
    }
    guard case .found(body: 4, let etag) = answer, etag == currentETag else {
      return finish(.createOnly, because: name, expected: expected, seen: answer.words)
    }
    note(name, expected, "as expected", .passed)
    return go(
      .replaceMissing(spelling), .put(.missing, body: 6, .matches(currentETag, spelling)))
  }

  mutating func afterReplacingMissing(_ answer: Answer, _ spelling: ETagSpelling) -> Action {
    let (name, expected) = ("replace an object that is not there (If-Match)", "refused")
    switch answer {
    case .refused:
      note(name, expected, answer.words, .passed)
      return go(.readMissing(spelling), .read(.missing))
    case .stored, .notTaken:
      return finish(.createOnly, because: name, expected: expected, seen: answer.words)
    default: return confused()
    }
  }

  mutating func afterReadingMissing(_ answer: Answer, _ spelling: ETagSpelling) -> Action {
    let (name, expected) = ("read what is not there", "nothing")
    guard case .nothing = answer else {
      return finish(.createOnly, because: name, expected: expected, seen: answer.words)
    }
    note(name, expected, answer.words, .passed)
    return raceCreate(spelling, round: 0)
  }
}

extension ETag {
  /// An etag of the same form with other digits.
  var neverGiven: ETag {
    ETag(
      String(
        rawValue.map { digit in
          switch digit {
          case "0": "1"
          case "1"..."9", "a"..."f", "A"..."F": "0"
          default: digit
          }
        }))
  }
}
