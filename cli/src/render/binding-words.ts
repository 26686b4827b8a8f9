import type { Binding } from '@countersign/sdk/contract'

/** How a deployment identified itself. */
export const bindingWords: Readonly<Record<Binding, string>> = {
  mtls: 'proven by mutual TLS',
  proxy: 'proven by a trusted proxy',
  signed: 'proven by a signature with its key',
  workload: 'proven by its platform',
  'self-asserted': 'named, not proven',
}
