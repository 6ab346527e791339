import HubProtocol

/// Changes of inboxes in stored records.
extension Record.InboxAction {
  var kind: RecordKind {
    switch self {
    case .mark: .inboxMark
    case .delete: .inboxDelete
    case .act: .inboxAct
    case .open: .inboxOpen
    case .trim: .inboxTrim
    case .dropBodies: .bodiesLost
    }
  }

  func write(to image: inout ImageWriter) {
    switch self {
    case .mark(let state, let selection):
      image.choice(state)
      selection.write(to: &image)
    case .delete(let selection): selection.write(to: &image)
    case .act(let id): image.number(id)
    case .open, .trim: break
    case .dropBodies(let bodies): image.list(bodies) { $0.number($1) }
    }
  }

  /// Nil for a record of another kind.
  init?(_ kind: RecordKind, from image: inout ImageReader) throws(ImageError) {
    if case .inboxMark = kind {
      self = .mark(try image.choice("an item's state"), try InboxSelection(from: &image))
    } else if case .inboxDelete = kind {
      self = .delete(try InboxSelection(from: &image))
    } else if case .inboxAct = kind {
      self = .act(try image.number())
    } else if case .inboxOpen = kind {
      self = .open
    } else if case .inboxTrim = kind {
      self = .trim
    } else if case .bodiesLost = kind {
      self = .dropBodies(try image.list { image throws(ImageError) in try image.number() })
    } else {
      return nil
    }
  }
}

extension InboxSelection {
  fileprivate func write(to image: inout ImageWriter) {
    switch self {
    case .ids(let ids):
      image.byte(0)
      image.list(ids) { $0.number($1) }
    case .upTo(let at, let types):
      image.byte(1)
      image.number(at)
      image.optionalList(types) { $0.text($1) }
    }
  }

  fileprivate init(from image: inout ImageReader) throws(ImageError) {
    guard try image.flag() else {
      self = .ids(try image.list { image throws(ImageError) in try image.number() })
      return
    }
    let at = try image.number()
    self = .upTo(
      at, types: try image.optionalList { image throws(ImageError) in try image.text() })
  }
}

extension Notify {
  func write(to image: inout ImageWriter) {
    audience.write(to: &image)
    notification.write(to: &image)
    image.optional(key)
    image.optional(collapse)
  }

  init(from image: inout ImageReader) throws(ImageError) {
    self.init(
      audience: try Audience(from: &image), notification: try Notification(from: &image),
      key: try image.optionalText(), collapse: try image.optionalText())
  }
}

extension NotifyRetract {
  func write(to image: inout ImageWriter) {
    audience.write(to: &image)
    image.text(key)
  }

  init(from image: inout ImageReader) throws(ImageError) {
    self.init(audience: try Notify.Audience(from: &image), key: try image.text())
  }
}

extension Notify.Audience {
  fileprivate func write(to image: inout ImageWriter) {
    switch self {
    case .users(let users):
      image.byte(0)
      image.list(users) { $0.text($1.text) }
    case .channel(let channel):
      image.byte(1)
      image.text(channel.text)
    case .segment(let segment):
      image.byte(2)
      segment.write(to: &image)
    }
  }

  fileprivate init(from image: inout ImageReader) throws(ImageError) {
    switch try image.byte() {
    case 0: self = .users(try image.list { image throws(ImageError) in try image.userID() })
    case 1: self = .channel(try image.channelName())
    case 2: self = .segment(try Segment(from: &image))
    default: throw image.error("for whom it is")
    }
  }
}
