/** Adds the profile that a command was given to the commands that it suggests, which would act for another provider without it. */
export const inProfile = (text: string, profile: unknown): string =>
  typeof profile === 'string'
    ? text.replace(/\bcountersign (?=[a-z])(?!.*--(?:profile|help))/g, `countersign --profile ${profile} `)
    : text
