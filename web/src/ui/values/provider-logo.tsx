interface ProviderLogoProps {
  url: string | null
  name: string
  /** Whether the domain is proven. A picture can say “verified”, so that of an unproven provider is shown to itself alone. */
  isProven: boolean
  size?: number
}

/** A company's own picture, or the first letter of its name. It proves nothing and never stands without the domain. */
export const ProviderLogo = ({ url, name, isProven, size = 40 }: ProviderLogoProps) =>
  url === null || !isProven ? (
    <span
      aria-hidden
      style={{ width: size, height: size }}
      className="inline-flex shrink-0 items-center justify-center rounded-control bg-sunken font-semibold text-muted"
    >
      {/\p{L}|\p{N}/u.exec(name)?.[0].toUpperCase() ?? '?'}
    </span>
  ) : (
    <img
      src={url}
      alt=""
      width={size}
      height={size}
      loading="lazy"
      className="shrink-0 rounded-control bg-white object-contain"
      style={{ width: size, height: size }}
    />
  )
