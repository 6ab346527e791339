import HubProtocol

/// What is being done to many inboxes, in images.
extension NotifyRun {
  func write(to image: inout ImageWriter) {
    image.number(id)
    image.number(next)
    image.number(end)
    image.number(count)
    switch work {
    case .deliver(let arrival):
      image.byte(0)
      arrival.write(to: &image)
    case .retract(let key, let type, let spared):
      image.byte(1)
      image.word(key)
      image.optional(type.map(Int.init))
      image.list(spared) { $0.member($1) }
    case .forget(let channel):
      image.byte(2)
      image.number(Int(channel.index))
    }
    audience.write(to: &image)
  }

  init(
    from image: inout ImageReader, userCount: Int, channelCount: Int
  ) throws(ImageError) {
    id = try image.number()
    next = try image.number()
    end = try image.number()
    count = try image.number()
    switch try image.byte() {
    case 0:
      let arrival = try Inbox.Arrival(from: &image, userCount: userCount)
      guard arrival.channel.map({ $0.index < channelCount }) ?? true else {
        throw image.error("a channel below \(channelCount)")
      }
      work = .deliver(arrival)
    case 1:
      let key = try image.word()
      let type = try image.optionalNumber()
      guard type ?? 0 < Limits.notificationTypes else { throw image.error("a type") }
      work = .retract(
        key: key, type: type.map { UInt16($0) },
        sparing: try image.list { image throws(ImageError) in
          try image.userRef(below: userCount)
        })
    case 2: work = .forget(try image.channelRef())
    default: throw image.error("something that is done to inboxes")
    }
    audience = try Audience(from: &image, userCount: userCount, channelCount: channelCount)
    guard next < end, end <= audience.extent(userCount: userCount) else {
      throw image.error("something that is left to be done")
    }
  }
}

extension NotifyRun.Audience {
  fileprivate func write(to image: inout ImageWriter) {
    switch self {
    case .users(let users):
      image.byte(0)
      image.list(users) { $0.member($1) }
    case .members(let channel):
      image.byte(1)
      image.number(Int(channel.index))
    case .segment(let segment):
      image.byte(2)
      segment.write(to: &image)
    }
  }

  fileprivate init(
    from image: inout ImageReader, userCount: Int, channelCount: Int
  ) throws(ImageError) {
    switch try image.byte() {
    case 0:
      self = .users(
        try image.list { image throws(ImageError) in try image.userRef(below: userCount) })
    case 1:
      let channel = try image.number(below: channelCount, "a channel")
      self = .members(ChannelRef(index: UInt32(channel)))
    case 2: self = .segment(try Segment(from: &image))
    default: throw image.error("for whom it is")
    }
  }
}

extension Inbox.Arrival {
  fileprivate func write(to image: inout ImageWriter) {
    image.number(Int(type))
    publisher.write(to: &image)
    image.optional(channel.map { Int($0.index) })
    image.word(key)
    image.word(collapse)
    image.number(body)
    image.optional(actor?.text)
    image.optional(expiresTs?.milliseconds)
    image.number(ts.milliseconds)
  }

  fileprivate init(from image: inout ImageReader, userCount: Int) throws(ImageError) {
    type = UInt16(try image.number(below: Limits.notificationTypes, "a type"))
    publisher = try InboxEntry.Publisher(from: &image, userCount: userCount)
    channel = try image.optionalNumber().map { ChannelRef(index: UInt32(truncatingIfNeeded: $0)) }
    key = try image.word()
    collapse = try image.word()
    body = try image.number(below: InboxEntry.largestBody + 1, "a body")
    actor = try image.optionalUserID()
    expiresTs = try image.optionalTimestamp()
    ts = try image.timestamp()
  }
}

extension Segment {
  func write(to image: inout ImageWriter) {
    image.list(fields) { image, field in
      image.text(field.name)
      switch field.value {
      case .string(let text):
        image.byte(0)
        image.text(text)
      case .number(let digits):
        image.byte(1)
        image.text(digits)
      case .bool(let value):
        image.byte(2)
        image.flag(value)
      }
    }
  }

  init(from image: inout ImageReader) throws(ImageError) {
    self.init(
      fields: try image.list { image throws(ImageError) in
        Field(name: try image.text(), value: try Value(from: &image))
      })
  }
}

extension Segment.Value {
  fileprivate init(from image: inout ImageReader) throws(ImageError) {
    switch try image.byte() {
    case 0: self = .string(try image.text())
    case 1: self = .number(try image.text())
    case 2: self = .bool(try image.flag())
    default: throw image.error("a value of a segment")
    }
  }
}
