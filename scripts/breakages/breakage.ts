/** One deliberate mistake in one place, and the tests that must notice it. */
export interface Breakage {
  id: string
  package: 'sdk' | 'server' | 'cli' | 'web'
  /** What a user would suffer. */
  what: string
  /** Where the snippet is looked up first; after a move, the package's other sources are searched. */
  file: string
  /** A snippet that occurs exactly once. */
  find: string
  replace: string
  /** Test files of which at least one must fail. */
  tests: readonly string[]
  /** Runs only tests whose full name matches, where whole files take too long. */
  name?: string
  /** Packages to build before the tests, for tests that use what was built. */
  build?: readonly string[]
}
