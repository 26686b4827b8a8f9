/** Decodes a label `xn--…` (RFC 3492 §6.2); returns any other label as it is. */
export const decodeLabel = (label: string): string => {
  if (!/^xn--./i.test(label)) return label
  const encoded = label.slice(4)
  const split = encoded.lastIndexOf('-')
  const output = [...encoded.slice(0, Math.max(split, 0))].map((character) => character.codePointAt(0) ?? 0)
  let [code, bias, index] = [128, 72, 0]
  for (let position = split + 1; position < encoded.length; ) {
    const before = index
    for (let weight = 1, k = 36; ; k += 36) {
      const digit = digitOf(encoded.charCodeAt(position++))
      if (digit === undefined) return label
      index += digit * weight
      const threshold = Math.min(Math.max(k - bias, 1), 26)
      if (digit < threshold) break
      weight *= 36 - threshold
    }
    bias = adapted(index - before, output.length + 1, before === 0)
    code += Math.floor(index / (output.length + 1))
    index %= output.length + 1
    if (code > 0x10ffff) return label
    output.splice(index++, 0, code)
  }
  return String.fromCodePoint(...output)
}

const digitOf = (code: number): number | undefined => {
  if (code >= 0x30 && code <= 0x39) return code - 0x30 + 26
  const letter = (code | 0x20) - 0x61
  return letter >= 0 && letter < 26 ? letter : undefined
}

const adapted = (delta: number, points: number, isFirst: boolean): number => {
  let rest = Math.floor(delta / (isFirst ? 700 : 2))
  rest += Math.floor(rest / points)
  let k = 0
  for (; rest > 455; k += 36) rest = Math.floor(rest / 35)
  return k + Math.floor((36 * rest) / (rest + 38))
}
