internal import Foundation

/// How many files and sockets this process may have open.
package enum DescriptorLimit {
  /// Raises the limit as far as it goes without privileges, and returns it.
  package static func raise() -> Int {
    var limit = rlimit()
    #if os(Linux)
      let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
      let resource = RLIMIT_NOFILE
    #endif
    guard getrlimit(resource, &limit) == 0 else { return 1_024 }
    limit.rlim_cur = min(limit.rlim_max, 1_048_576)
    guard setrlimit(resource, &limit) == 0, getrlimit(resource, &limit) == 0 else { return 1_024 }
    return Int(limit.rlim_cur)
  }
}
