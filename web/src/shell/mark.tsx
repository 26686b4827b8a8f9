/** The logo: six bars, drawn like a digest strip. */
export const Mark = ({ size = 20 }: { size?: number }) => (
  <svg aria-hidden width={size} height={size} viewBox="0 0 24 24" fill="none" stroke="currentColor" strokeWidth="2.4">
    <path d="M3 9v6M7 4v16M11 10v9M15 6v10M19 3v18M22.5 10v4" />
  </svg>
)
