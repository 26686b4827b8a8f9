const barWidth = 6
const gap = 4
const height = 32

/** 32 bars drawn from a SHA-256: height is a byte's high nibble, opacity its low one. Helps recognition, but proves nothing. */
export const DigestStrip = ({ digest }: { digest: string }) => {
  const bytes = (digest.slice(-64).match(/../g) ?? []).map((hex) => Number.parseInt(hex, 16))
  return (
    <svg
      aria-hidden
      className="block h-8 w-full max-w-md"
      viewBox={`0 0 ${bytes.length * (barWidth + gap) - gap} ${height}`}
      preserveAspectRatio="xMinYMid meet"
      fill="currentColor"
    >
      {bytes.map((byte, index) => {
        const tall = 8 + (byte >> 4) * 1.6
        return (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: bars have no other identity
            key={index}
            x={index * (barWidth + gap)}
            y={(height - tall) / 2}
            width={barWidth}
            height={tall}
            opacity={0.4 + (byte & 15) * 0.04}
          />
        )
      })}
    </svg>
  )
}
