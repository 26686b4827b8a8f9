/** The name of a version that an answer shows, as its entry has it. */
export interface ClaimedName {
  /** The name. */
  display_name?: string
}

/**
 * The name that a record of the registry shows, for the log to confirm. Instead of a name that it withholds, the registry shows the
 * identifier, which the log confirms anyway.
 *
 * @returns The {@link ClaimedName}, empty for the identifier.
 * @example
 * ```ts
 * const named = claimedName(verification.model)
 * ```
 */
export const claimedName = (
  model: { name?: string; api_model_identifier?: string } | null | undefined,
): ClaimedName => {
  const { name, api_model_identifier } = model ?? {}
  return name === undefined || name === api_model_identifier ? {} : { display_name: name }
}
