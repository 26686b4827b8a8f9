import type { ExpectedFacts } from '@countersign/sdk/log/facts'

const provenBindings: readonly unknown[] = ['mtls', 'proxy', 'signed', 'workload']

/** What the log must say about a verified link. */
export const expectedFactsOf = ({
  claims,
  provider,
}: {
  claims: Readonly<Record<string, unknown>> | null
  provider: { id: string; domain: string | null } | null
}): ExpectedFacts => {
  const text = (name: string) => String(claims?.[name] ?? '')
  const isVouchedFor = claims?.deployment_binding === 'workload'
  return {
    provider: provider?.id ?? '',
    domain: provider?.domain ?? '',
    model: text('model_id'),
    digest: claims?.model_digest === undefined ? null : text('model_digest'),
    identifier: text('model_identifier'),
    deployment: provenBindings.includes(claims?.deployment_binding)
      ? { id: text('deployment_id'), spki: isVouchedFor ? undefined : text('spki_fingerprint') }
      : null,
    platform: isVouchedFor ? { issuer: text('workload_issuer'), subject: text('workload_subject') } : undefined,
  }
}
