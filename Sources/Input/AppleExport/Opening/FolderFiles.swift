import Foundation

/// The files of an unpacked export.
package enum FolderFiles {
  /// Relative paths of the files in a folder, or in a folder of it, that may be the export by their
  /// names, sorted.
  static func candidates(_ path: String) throws(ExportError) -> [String] {
    let names = try names(path)
    var candidates = names.filter(ExportName.mayBeExport)
    // An unpacked zip leaves one folder; what lies deeper is something else.
    for name in names where candidates.count < ZipDirectory.maximumCandidates {
      guard name != "__MACOSX", Self.isFolder(path + "/" + name) else { continue }
      // One that this user can't list is somebody else's.
      candidates += ((try? Self.names(path + "/" + name)) ?? []).map { name + "/" + $0 }
        .filter(ExportName.mayBeExport)
    }
    return candidates
  }

  /// Whether a folder, or a folder of it, has an export by the first bytes of its files. A file that can't
  /// be read may be one: whoever opens the export says why it can't.
  package static func holdsExport(_ path: String) -> Bool {
    // Whoever lists the folder next says why it can't be listed.
    let names = (try? candidates(path)) ?? []
    return names.contains { name in
      do throws(ExportError) {
        let file = try OpenFile.open(path + "/" + name)
        // A pipe of that name is not an export.
        guard file.size != nil else { return false }
        return ExportSignature.matches(try file.start(ExportSignature.length))
      } catch {
        return true
      }
    }
  }

  /// How many electrocardiograms lie in their folder beside an export.
  static func electrocardiograms(besides folder: String) -> Int {
    let path = folder + "/" + ExportName.electrocardiograms
    let names = try? FileManager.default.contentsOfDirectory(atPath: path)
    return names?.count { $0.lowercased().hasSuffix(".csv") } ?? 0
  }

  /// Whether a path is that of a folder, or of a link to one.
  package static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  private static func names(_ path: String) throws(ExportError) -> [String] {
    do {
      return try FileManager.default.contentsOfDirectory(atPath: path).sorted()
    } catch {
      throw ExportError(
        .notAuthorized, "its files can't be listed", path: path,
        remedy: "give this user the right to read the folder")
    }
  }
}
