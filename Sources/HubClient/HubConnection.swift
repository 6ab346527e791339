internal import HubProtocol
internal import HubWebSocket
package import NIOCore
internal import NIOPosix

/// A connection to a hub that is made anew whenever it breaks.
///
///     let connection = try HubConnection(url: "ws://127.0.0.1:8080", token: "dev:ana")
///     try await connection.connect()
///     try await connection.send("hi", to: "room:swift")
///     await connection.close()
///
/// Requests may be made from any task, any number at once; they take effect in the order made.
/// While the connection is broken they wait, and those whose answer was lost are sent again when
/// doing them twice does no harm. Each fails with ``HubError/timedOut`` at its deadline.
///
/// The first attempt of ``connect()`` fails when nobody answers. After it has succeeded once, the
/// client comes back by itself, after ``HubBackoff``, until the hub says not to (close codes 45xx)
/// or ``close()`` is called. Call ``close()`` when done; a connection that nobody refers to any
/// more is dropped without ceremony.
public actor HubConnection {
  /// Limits and deadlines as given.
  public nonisolated let configuration: HubConfiguration

  private nonisolated let loop: any EventLoop
  private let endpoint: Endpoint
  private var machine: ClientMachine
  private var random = SystemRandomNumberGenerator()

  /// The attempt that is listened to; nil when there is none.
  private var attempt: Int?
  private var channel: (any Channel)?
  private var link: Link?
  private var abortReason: String?
  private var timer: (scheduled: Scheduled<Void>, at: NIODeadline)?

  var calls: [RequestID: CheckedContinuation<Result<HubJSON, HubError>, Never>] = [:]
  var feeds: [ChannelName: Feed<HubUpdate>] = [:]
  var beginnings: [ChannelName: CheckedContinuation<Result<Void, HubError>, Never>] = [:]
  private var eventFeeds: [Feed<HubUpdate>] = []
  private var stateFeeds: [Feed<HubState>] = []
  private var arrivals: [CheckedContinuation<Result<HubSession, HubError>, Never>] = []
  private var departures: [CheckedContinuation<Void, Never>] = []

  /// How the connection stands.
  public private(set) var state = HubState.idle

  /// The loop that owns everything here; the compiler checks it.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    loop.executor.asUnownedSerialExecutor()
  }

  /// A connection that is not opened yet.
  /// - Parameters:
  ///   - url: `ws://host:port`; the path `/v1/ws` is added when there is none. No TLS yet.
  ///   - token: what `hello` brings (protocol, "Session"); at most 16 KiB.
  /// - Throws: ``HubError/badURL``, or `bad_request` when the configuration is out of range.
  public init(
    url: String, token: String, configuration: HubConfiguration = HubConfiguration()
  ) throws(HubError) {
    try self.init(
      url: url, token: token, configuration: configuration,
      loop: MultiThreadedEventLoopGroup.singleton.next())
  }

  package init(
    url: String, token: String, configuration: HubConfiguration, loop: any EventLoop
  ) throws(HubError) {
    let problems = configuration.problems()
    guard problems.isEmpty else { throw .badArgument(problems.joined(separator: "; ")) }
    endpoint = try Endpoint(url)
    self.configuration = configuration
    self.loop = loop
    machine = ClientMachine(
      configuration: configuration, hello: RequestText.hello(token: token, configuration))
  }

  deinit {
    channel?.close(promise: nil)
    timer?.scheduled.cancel()
    for feed in feeds.values { feed.finish(nil) }
    for feed in eventFeeds { feed.finish(nil) }
    for feed in stateFeeds { feed.finish(nil) }
  }
}

// MARK: - The connection as the app sees it

extension HubConnection {
  /// Connects and signs in. Returns when the hub has said yes; at once when it has already.
  /// - Throws: ``HubError/unreachable`` when nobody answers, `unauthenticated` when the hub does
  ///   not accept the token, and what else ended the attempt.
  @discardableResult
  public func connect() async throws(HubError) -> HubSession {
    if case .connected(let session) = state { return session }
    return try await withCheckedContinuation { continuation in
      arrivals.append(continuation)
      perform(machine.connect())
    }.get()
  }

  /// Closes with code 1000 and waits for the hub to answer, at most
  /// ``HubConfiguration/closeDeadline``. Unanswered requests fail, subscriptions end.
  public func close() async {
    let actions = machine.close()
    perform(actions)
    guard !machine.isResting else { return }
    await withCheckedContinuation { departures.append($0) }
  }

  /// The present state and every change from now on. The sequence ends when the connection closes.
  public func states() -> HubStates {
    let feed = Feed<HubState>(limit: 16, overflow: .replaceOldest)
    feed.offer(state)
    if case .closed = state { feed.finish(nil) } else { stateFeeds.append(feed) }
    return HubStates(feed: feed)
  }

  /// Every event that the hub sends from now on. The sequence ends when the connection closes; it
  /// may be made before ``connect()``.
  public func events() -> HubEvents {
    let feed = Feed<HubUpdate>(limit: configuration.maxWaitingUpdates, overflow: .count)
    if case .closed = state { feed.finish(nil) } else { eventFeeds.append(feed) }
    return HubEvents(feed: feed, connection: self)
  }

  func position(in channel: ChannelName) -> HubPosition? { machine.position(in: channel) }
}

// MARK: - What the loop reports

extension HubConnection {
  func reached(_ channel: any Channel, attempt: Int) {
    guard attempt == self.attempt else {
      channel.close(promise: nil)
      return
    }
    self.channel = channel
    Link.upgrade(channel, to: endpoint, attempt: attempt, for: self)
  }

  func prepared(
    _ channel: any Channel, _ webSocket: NIOLoopBound<WebSocketHandler>, attempt: Int
  ) {
    guard attempt == self.attempt else { return }
    link = Link(channel: channel, webSocket: webSocket.value)
  }

  func opened(attempt: Int) {
    guard attempt == self.attempt else { return }
    perform(machine.opened(.now()))
  }

  func received(_ bytes: [UInt8], attempt: Int) {
    guard attempt == self.attempt else { return }
    perform(machine.received(bytes, .now()))
  }

  func ended(_ end: LinkEnd, attempt: Int) {
    guard attempt == self.attempt else { return }
    self.attempt = nil
    let reason = abortReason.map { LinkEnd.abrupt($0) }
    abortReason = nil
    // After the end of the handshake TCP closes by itself.
    link = nil
    channel = nil
    perform(machine.ended(reason ?? end, .now(), random: &random))
  }

  private func timePassed() {
    timer = nil
    let hasHeard = link?.webSocket.receivedSinceLastCheck ?? false
    link?.webSocket.receivedSinceLastCheck = false
    perform(machine.timePassed(.now(), hasHeard: hasHeard))
  }
}

// MARK: - Doing what the machine says

extension HubConnection {
  /// Runs `decide` on the machine and does what it says.
  func step(_ decide: (inout ClientMachine) -> [ClientMachine.Action]) {
    perform(decide(&machine))
  }

  func makeID() -> RequestID { machine.makeID() }

  func isSubscribed(to channel: ChannelName) -> Bool { machine.isSubscribed(to: channel) }

  private func perform(_ actions: [ClientMachine.Action]) {
    for action in actions { perform(action) }
    link?.channel.flush()
    arm()
  }

  private func perform(_ action: ClientMachine.Action) {
    switch action {
    case .open(let attempt):
      self.attempt = attempt
      Link.reach(endpoint, attempt: attempt, loop: loop, for: self)
    case .send(let bytes): link?.write(bytes)
    case .sendClose: link?.webSocket.sendClose(.normal)
    case .abort(let reason): abort(reason)
    case .finish(let id, let result): calls.removeValue(forKey: id)?.resume(returning: result)
    case .tell(let update): for feed in eventFeeds { feed.offer(update) }
    case .yield(let channel, let update): feeds[channel]?.offer(update)
    case .begin(let channel):
      beginnings.removeValue(forKey: channel)?.resume(returning: .success(()))
    case .end(let channel, let error): end(channel, error)
    case .change(let state): change(to: state)
    }
  }

  private func abort(_ reason: String) {
    abortReason = reason
    if let link {
      link.webSocket.abort()
    } else if let attempt {
      channel?.close(promise: nil)
      ended(.abrupt(reason), attempt: attempt)
    }
  }

  private func end(_ channel: ChannelName, _ error: HubError?) {
    feeds.removeValue(forKey: channel)?.finish(error)
    let reason = error ?? HubError(HubError.closed, "the subscription ended before it began")
    beginnings.removeValue(forKey: channel)?.resume(returning: .failure(reason))
  }

  private func change(to state: HubState) {
    self.state = state
    for feed in stateFeeds { feed.offer(state) }
    switch state {
    case .idle, .connecting, .waiting: break
    case .connected(let session): arrive(.success(session))
    case .closed(let error):
      arrive(.failure(error ?? HubError(HubError.closed, "the connection was closed")))
      for feed in eventFeeds { feed.finish(nil) }
      for feed in stateFeeds { feed.finish(nil) }
      eventFeeds.removeAll()
      stateFeeds.removeAll()
      for departure in departures { departure.resume() }
      departures.removeAll()
    }
  }

  private func arrive(_ result: Result<HubSession, HubError>) {
    for arrival in arrivals { arrival.resume(returning: result) }
    arrivals.removeAll()
  }

  /// Keeps one timer, at the machine's next deadline or before.
  private func arm() {
    let deadline = machine.nextDeadline
    if let timer, let deadline, timer.at <= deadline { return }
    timer?.scheduled.cancel()
    timer = nil
    guard let deadline else { return }
    let scheduled = loop.scheduleTask(deadline: deadline) { [weak self] in
      // SAFETY: the task runs on the loop, which is this actor's executor.
      guard let self else { return }
      assumeIsolated { $0.timePassed() }
    }
    timer = (scheduled, deadline)
  }
}
