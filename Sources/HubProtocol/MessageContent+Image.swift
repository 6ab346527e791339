extension MessageContent {
  /// Whether an attachment is an image.
  package var hasImage: Bool {
    guard let attachments else { return false }
    let wrapped = JSONObject(Array("{\"list\":".utf8) + attachments.bytes + Array("}".utf8))
    return wrapped?.objects("list").contains { $0.string("kind") == "image" } ?? false
  }
}
