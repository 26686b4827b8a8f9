/** A registry's address without TLS, on another machine: whoever is on the way could read the key and change the answer. */
export class InsecureHttpError extends TypeError {
  override name = 'InsecureHttpError'
  readonly code = 'insecure_http'
}

const loopback = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/

/** Whether an address is reached over TLS, or never leaves this machine. Anything but http is not judged here. */
export const isProtected = (address: string): boolean => {
  const url = URL.parse(address)
  return url?.protocol !== 'http:' || loopback.test(url.hostname)
}

/** Throws `InsecureHttpError` for plain http to another machine. */
export const refuseInsecureHttp = (address: string, insecureHttp: boolean | undefined) => {
  if (insecureHttp === true || isProtected(address)) return
  throw new InsecureHttpError(`${new URL(address).origin} is not encrypted: use https, or insecureHttp: true`)
}
