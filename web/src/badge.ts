import { defineBadge } from '@countersign/sdk/badge'

// A page that loads this file from a registry trusts that registry, and no other.
defineBadge({ registry: new URL(import.meta.url).origin })
