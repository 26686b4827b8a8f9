interface ProviderLogoProps {
  url: string | null
  name: string
  /** Whether the domain is proven. An image can say “verified”, so an unproven provider's logo is shown only to itself. */
  isProven: boolean
  size?: number
}

/** A company's logo, or the first letter of its name. It proves nothing and always appears with the domain. */
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
