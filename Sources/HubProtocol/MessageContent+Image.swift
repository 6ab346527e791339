extension MessageContent {
  /// Whether an attachment is an image.
  package var hasImage: Bool { !images.isEmpty }

  /// Where the first image that says so is.
  package var firstImageURL: String? {
    images.lazy.compactMap { $0.string("url") }.first { URLRule.allows($0) }
  }

  private var images: [JSONObject] {
    guard let attachments else { return [] }
    let wrapped = JSONObject(Array("{\"list\":".utf8) + attachments.bytes + Array("}".utf8))
    return wrapped?.objects("list").filter { $0.string("kind") == "image" } ?? []
  }
}
