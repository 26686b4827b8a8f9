// Not the package `punycode`: only decoding is needed, and the part of the SDK that runs in browsers has no dependencies.
const base = 36
const lowest = 1
const highest = 26
const skew = 38
const damp = 700
/** The longest label of a host name, in octets (RFC 1035 §2.3.4). */
const longestLabel = 63

const adapt = (delta: number, points: number, isFirst: boolean) => {
  let rest = Math.floor(delta / (isFirst ? damp : 2))
  rest += Math.floor(rest / points)
  let k = 0
  for (; rest > ((base - lowest) * highest) / 2; k += base) rest = Math.floor(rest / (base - lowest))
  return k + Math.floor(((base - lowest + 1) * rest) / (rest + skew))
}

/** Decodes the part of a host name's label after `xn--` (RFC 3492 §6.2); undefined if it is invalid. */
export const decodePunycode = (encoded: string): string | undefined => {
  if (encoded.length > longestLabel) return undefined
  const last = encoded.lastIndexOf('-')
  const points = Array.from(last > 0 ? encoded.slice(0, last) : '', (character) => character.codePointAt(0) ?? 0)
  let point = 128
  let position = 0
  let bias = 72
  for (let at = last > 0 ? last + 1 : 0; at < encoded.length; ) {
    const before = position
    let weight = 1
    for (let k = base; ; k += base) {
      const digit = Number.parseInt(encoded[at++] ?? '', base)
      if (Number.isNaN(digit)) return undefined
      // Base 36 puts digits first; here letters come first (RFC 3492 §5).
      const value = digit < 10 ? digit + 26 : digit - 10
      position += value * weight
      const threshold = Math.min(Math.max(k - bias, lowest), highest)
      if (value < threshold) break
      weight *= base - threshold
      if (weight > 0x7fffffff) return undefined
    }
    const length = points.length + 1
    bias = adapt(position - before, length, before === 0)
    point += Math.floor(position / length)
    position %= length
    if (point > 0x10ffff) return undefined
    points.splice(position++, 0, point)
  }
  return String.fromCodePoint(...points)
}
