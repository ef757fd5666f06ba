extension PostgresTables {
  /// How statements of this transaction name their rows' owner.
  func clauses(_ transaction: Transaction) throws(PostgresError) -> OwnerClauses {
    let table = SchemaDefinition.orders.name
    switch owner {
    case .person(let person):
      guard try peopleColumn.isThere(of: table, transaction) else {
        throw PostgresError(.peopleMissing, "the tables have no column for people")
      }
      return OwnerClauses(person)
    case .everybody:
      return OwnerClauses(try peopleColumn.isThere(of: table, transaction) ? "" : nil)
    }
  }
}
