/** A company's own picture, or the first letter of its name. It proves nothing and never stands without the domain. */
export const ProviderLogo = ({ url, name, size = 40 }: { url: string | null; name: string; size?: number }) =>
  url === null ? (
    <span
      aria-hidden
      style={{ width: size, height: size }}
      className="inline-flex shrink-0 items-center justify-center rounded-control bg-sunken font-semibold text-muted"
    >
      {[...name][0]?.toUpperCase() ?? '?'}
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
