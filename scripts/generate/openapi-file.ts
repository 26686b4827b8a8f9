import { openApiDocument } from '@countersign/sdk/contract/openapi'
import manifest from '../../sdk/package.json' with { type: 'json' }

/** docs/api/openapi.json: the document that a registry serves at /openapi.json, with the address of a local registry. */
export const openApiFile = () =>
  `${JSON.stringify(openApiDocument({ serverUrl: 'http://localhost:4100', version: manifest.version }), null, 2)}\n`
