// Every script imports this first. Uses old syntax, because the Node versions rejected here must be able to parse it.
export const needed = [22, 22, 2]

/** Whether `version` (`24.21.0`) is `least` or newer. */
export function isAtLeast(version, least) {
  var parts = version.replace(/^v/, '').split('.').map(Number)
  for (var i = 0; i < least.length; i += 1) {
    if (parts[i] !== least[i]) return parts[i] > least[i]
  }
  return true
}
