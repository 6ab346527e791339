import HubProtocol

/// Notifications in images.
extension Notification {
  func write(to image: inout ImageWriter) {
    image.text(type)
    image.optional(actor?.text)
    image.flag(target != nil)
    if let target {
      image.text(target.kind)
      image.text(target.id)
      image.optional(target.url)
      image.optional(target.thumb)
    }
    image.optional(title)
    image.text(text)
    image.optional(data)
    image.optional(expiresTs?.milliseconds)
  }

  init(from image: inout ImageReader) throws(ImageError) {
    let type = try image.text()
    let actor = try image.optionalText().map(UserID.init)
    if case .some(nil) = actor { throw image.error("a user id") }
    var target: InboxTarget?
    if try image.flag() {
      target = InboxTarget(
        kind: try image.text(), id: try image.text(), url: try image.optionalText(),
        thumb: try image.optionalText())
    }
    self.init(
      type: type, actor: actor ?? nil, target: target, title: try image.optionalText(),
      text: try image.text(), data: try image.optionalJSON(),
      expiresTs: try image.optionalNumber().map(Timestamp.init))
  }
}
