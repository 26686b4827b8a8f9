/** The platforms whose issuers every registry accepts, by the form of the address, as pages call them. */
export const workloadPlatforms: readonly {
  name: string
  issuer: RegExp
  /** Its tokens cannot name the registry as their audience. */
  hasOwnAudience?: true
  /** Its subjects are names that others can register later; this claim is a number that they cannot get. */
  permanentClaim?: string
}[] = [
  {
    name: 'GitHub Actions',
    issuer: /^https:\/\/token\.actions\.githubusercontent\.com$/,
    permanentClaim: 'repository_id',
  },
  { name: 'GitLab', issuer: /^https:\/\/gitlab\.com$/, permanentClaim: 'project_id' },
  { name: 'Google Cloud', issuer: /^https:\/\/accounts\.google\.com$/ },
  {
    name: 'Google Kubernetes Engine',
    issuer: /^https:\/\/container\.googleapis\.com\/v1\/projects\/[\w-]+\/locations\/[\w-]+\/clusters\/[\w-]+$/,
  },
  { name: 'Amazon Web Services', issuer: /^https:\/\/[0-9a-f-]{36}\.tokens\.sts\.global\.api\.aws$/ },
  {
    name: 'Amazon EKS',
    // Only regions: a customer of S3 may call a bucket `oidc.eks`, whose host is `oidc.eks.s3.amazonaws.com`.
    issuer: /^https:\/\/oidc\.eks\.[a-z]{2}(-[a-z]+)+-\d\.amazonaws\.com\/id\/[0-9A-F]{32}$/,
  },
  {
    name: 'Microsoft Azure',
    issuer: /^https:\/\/login\.microsoftonline\.com\/[0-9a-f-]{36}\/v2\.0$/,
    hasOwnAudience: true,
  },
  {
    name: 'Vercel',
    issuer: /^https:\/\/oidc\.vercel\.com(\/[\w-]+)?$/,
    hasOwnAudience: true,
    permanentClaim: 'project_id',
  },
]

/** The name of the platform with this issuer, else the issuer’s host. */
export const platformOf = (issuer: string): string =>
  workloadPlatforms.find((platform) => platform.issuer.test(issuer))?.name ?? new URL(issuer).host
