import { list, optional, serviceUrl, setting } from './setting.ts'

/** `https://ci.example`, or `gitlab=https://gitlab.example` if its tokens have the format of GitLab's. */
const issuer = (text: string) => {
  const [, kind = 'other', address = ''] = /^(?:(github|gitlab|other)=)?(.+)$/.exec(text) ?? []
  const url = serviceUrl(address)
  return url === undefined ? undefined : { kind: kind as 'github' | 'gitlab' | 'other', issuer: url }
}

/** Services that say who someone is. */
export const identities = {
  GITHUB_CLIENT_ID: setting({
    expected: 'a client ID',
    means: 'OAuth application for signing in with GitHub; see docs/sign-in.md. Unset: no sign-in with GitHub',
    default: '',
    parse: optional((text) => text),
  }),
  GITHUB_CLIENT_SECRET: setting({
    expected: 'a client secret',
    means: 'Secret of that application',
    default: '',
    parse: optional((text) => text),
    isSecret: true,
  }),
  GITHUB_URL: setting({
    expected: 'an https address',
    means: 'GitHub, or a GitHub Enterprise Server',
    default: 'https://github.com',
    parse: serviceUrl,
  }),
  GITHUB_API_URL: setting({
    expected: 'an https address',
    means: 'Its REST API',
    default: 'https://api.github.com',
    parse: serviceUrl,
  }),
  GOOGLE_CLIENT_ID: setting({
    expected: 'a client ID',
    means: 'OAuth client for signing in with Google; see docs/sign-in.md. Unset: no sign-in with Google',
    default: '',
    parse: optional((text) => text),
  }),
  GOOGLE_CLIENT_SECRET: setting({
    expected: 'a client secret',
    means: 'Secret of that client',
    default: '',
    parse: optional((text) => text),
    isSecret: true,
  }),
  GOOGLE_ISSUER: setting({
    expected: 'an https address',
    means: 'OpenID Connect issuer of Google',
    default: 'https://accounts.google.com',
    parse: serviceUrl,
  }),
  OIDC_ISSUERS: setting({
    expected: 'https addresses, separated by commas, prefixed with github= or gitlab= for servers of those kinds',
    means:
      'Issuers whose CI jobs may publish and whose identities providers may trust, in addition to GitHub Actions and gitlab.com: gitlab=https://gitlab.acme.example for your own GitLab; see docs/ci.md',
    default: '',
    parse: list(issuer),
  }),
} as const
