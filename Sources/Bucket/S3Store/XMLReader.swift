#if PHONE
  package import FoundationXMLReader

  package typealias XMLReader = FoundationXMLReader
#else
  package import ExpatReader

  /// What reads listings and errors: expat for the programs, Foundation for apps.
  package typealias XMLReader = ExpatReader
#endif
