package import HubStorage
import Synchronization

extension SimulatedDisk: FileSystem {
  package func open(_ path: String, _ mode: FileMode) throws(FileError) -> any OpenFile {
    guard mode == .creating else {
      let node = try look("open", path) { $0.names.nodes[path] }
      guard case .file(let id) = node else { throw Self.missing("open", path) }
      return SimulatedFile(disk: self, id: id, path: path)
    }
    let id = try perform(.create, "create", path) { state -> Int? in
      guard state.names.nodes[SimulatedNames.directory(of: path)] == .directory else { return nil }
      if case .file(let id) = state.names.nodes[path] {
        state.contents[id]?.change(.empty)
        return id
      }
      let id = state.contents.count
      state.contents[id] = SimulatedContent()
      state.names.set(path, .file(id))
      return id
    }
    guard let id else { throw Self.missing("create", path) }
    return SimulatedFile(disk: self, id: id, path: path)
  }

  package func names(in directory: String) throws(FileError) -> [String] {
    try look("list", directory) { state in
      state.names.nodes.keys.filter { SimulatedNames.directory(of: $0) == directory && $0 != "" }
        .map { String($0.dropFirst(directory.count + 1)) }.sorted()
    }
  }

  package func exists(_ path: String) -> Bool {
    state.withLock { $0.names.nodes[path] != nil }
  }

  package func rename(_ path: String, to other: String) throws(FileError) {
    let isDone = try perform(.rename, "rename", path) { $0.names.rename(path, to: other) }
    guard isDone else { throw Self.missing("rename", path) }
  }

  package func remove(_ path: String) throws(FileError) {
    try perform(.remove, "delete", path) { state in
      if state.names.nodes[path] != nil { state.names.remove(path) }
    }
  }

  package func makeDirectory(_ path: String) throws(FileError) {
    try perform(.makeDirectory, "make", path) { state in
      if state.names.nodes[path] == nil { state.names.set(path, .directory) }
    }
  }

  package func syncDirectory(_ path: String) throws(FileError) {
    let directory = path == "/" ? "" : path
    try perform(.syncDirectory, "sync", path) { state in
      state.names.sync(directory)
    } failing: { state in
      state.names.failSync(directory, &state.random)
    }
  }
}

extension SimulatedDisk {
  private static func missing(_ operation: String, _ path: String) -> FileError {
    FileError(operation: operation, path: path, reason: "No such file or directory")
  }

  /// Does what changes nothing.
  func look<Value: Sendable>(
    _ operation: String, _ path: String, _ body: (State) -> Value
  ) throws(FileError) -> Value {
    let value = state.withLock { $0.hasCrashed ? nil : Optional(body($0)) }
    guard let value else { throw Self.crashed(operation, path) }
    return value
  }

  /// Counts an operation and does it, unless it is to fail: then `failing` is what becomes of it.
  /// The one in which the machine crashes is begun, and what it did may be found.
  @discardableResult
  func perform<Value: Sendable>(
    _ kind: Kind, _ operation: String, _ path: String, growth: (State) -> Int = { _ in 0 },
    _ body: (inout State) -> Value, failing: (inout State) -> Void = { _ in }
  ) throws(FileError) -> Value {
    let result: Result<Value, FileError> = state.withLock { state in
      guard !state.hasCrashed else { return .failure(Self.crashed(operation, path)) }
      state.operations += 1
      if state.operations >= state.crashOperation {
        state.hasCrashed = true
        if kind != .sync, kind != .syncDirectory { _ = body(&state) }
        return .failure(Self.crashed(operation, path))
      }
      let more = growth(state)
      let isTooMuch = more > 0 && state.usedBytes > state.capacity - more
      guard let failure = isTooMuch ? .noSpace : state.failure(of: kind) else {
        return .success(body(&state))
      }
      failing(&state)
      return .failure(Self.error(failure, operation, path))
    }
    return try result.get()
  }

  private static func crashed(_ operation: String, _ path: String) -> FileError {
    FileError(operation: operation, path: path, reason: "the machine crashed")
  }

  private static func error(
    _ failure: Failure, _ operation: String, _ path: String
  ) -> FileError {
    switch failure {
    case .noSpace:
      FileError(
        operation: operation, path: path, reason: "No space left on device", isDiskFull: true)
    case .inputOutput:
      FileError(operation: operation, path: path, reason: "Input/output error")
    }
  }
}

extension SimulatedDisk.State {
  /// Why the operation that was just counted fails; nil when it does not.
  fileprivate mutating func failure(of kind: SimulatedDisk.Kind) -> SimulatedDisk.Failure? {
    if let failing, failing.operation == operations {
      self.failing = nil
      if failing.isLasting { lasting = (kind, failing.failure) }
      return failing.failure
    }
    guard let lasting, lasting.kind == kind else { return nil }
    return lasting.failure
  }
}
