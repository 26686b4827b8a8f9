import { originOf } from './values.ts'

/** A registry on another machine is addressed without TLS, so others on the network could read the key and change answers. */
export class InsecureHttpError extends TypeError {
  /** Name of the class. */
  override name = 'InsecureHttpError'
  /** Always `insecure_http`. */
  readonly code = 'insecure_http'
}

const loopback = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/

/** False for plain http to another machine; true for any other address. */
export const isProtected = (address: string): boolean => {
  const url = URL.parse(address)
  return url?.protocol !== 'http:' || loopback.test(url.hostname)
}

/** Throws `InsecureHttpError` for plain http to another machine. */
export const refuseInsecureHttp = (address: string, insecureHttp: boolean | undefined) => {
  if (insecureHttp === true || isProtected(address)) return
  throw new InsecureHttpError(`${originOf(address)} is not encrypted: use https, or insecureHttp: true`)
}
