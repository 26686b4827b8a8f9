export type BulkAct = 'public' | 'private' | 'archive'

/** Nothing was asked of the registry: there is nothing to withdraw. */
export class AlreadyArchived extends Error {}
