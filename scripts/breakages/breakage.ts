/** One deliberate mistake in one place, and the tests that must notice it. */
export interface Breakage {
  id: string
  package: 'sdk' | 'server' | 'cli' | 'web'
  /** What a user would notice. */
  what: string
  /** The file with the snippet. If it was moved, the package's other sources are searched. */
  file: string
  /** A snippet that occurs exactly once. */
  find: string
  replace: string
  /** At least one of these test files must fail. */
  tests: readonly string[]
  /** Runs only tests whose full name matches, if whole files take too long. */
  name?: string
  /** Packages to build first, for tests that use the built files. */
  build?: readonly string[]
}
