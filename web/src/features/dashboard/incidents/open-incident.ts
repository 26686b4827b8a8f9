import type { Incident } from '@countersign/sdk/contract'

/** Resolved and dismissed are final. */
export const isOpen = ({ status }: Pick<Incident, 'status'>) => status === 'reported' || status === 'investigating'
