import { statfsSync } from 'node:fs'
import { defineConfig } from 'vitest/config'

const conditions = ['@countersign/source', 'node']

/** Databases of a test end with it: where there is room for them in memory, nobody waits for a disk. */
const memory = '/dev/shm'
const hasRoom = () => {
  try {
    const { bavail, bsize } = statfsSync(memory)
    return bavail * bsize > 8 * 2 ** 30
  } catch {
    return false
  }
}
if (process.env.TMPDIR === undefined && hasRoom()) process.env.TMPDIR = memory

const alone = 'tests/new-field.test.ts'

/** Whole journeys and other programs, only with `npm run test:full`: docs/testing.md says what holds the same in every run. */
const long = [
  'tests/company-of-five.test.ts',
  'tests/cli/npm-start.test.ts',
  'tests/deploy/proxies.test.ts',
  'tests/examples/chat-server.test.ts',
  'tests/examples/ci-and-files.test.ts',
  'tests/examples/ci-page.test.ts',
  'tests/examples/hosting-pages.test.ts',
  'tests/examples/mcp-client.test.ts',
  'tests/faults/operating-page.test.ts',
  'tests/faults/pgbouncer.test.ts',
  'tests/integrity/conformance/suites.test.ts',
  'tests/web/dashboard-workloads.test.ts',
  'tests/web/provider-journey.test.ts',
  'tests/web/suspicious-activity.test.ts',
]
const calm = [
  // Its requests wait for locks while passwords are hashed, for two seconds at most.
  'tests/api/account-races.test.ts',
  // Its tabs wait for each other.
  'tests/web/two-tabs.test.ts',
]

export default defineConfig({
  // The packages are tested as they are written, not as they were last built.
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    pool: 'forks',
    // More than the processors of a small machine, because each waits for pages, processes and locks. Eight took a quarter longer: each loads
    // and compiles the server for itself.
    maxWorkers: 4,
    // Files share a process: loading the server and the SDK for each of them took a third of the tests' time.
    isolate: false,
    globalSetup: 'tests/support/shared.ts',
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['{sdk,server,cli,web,scripts}/**/*.test.{ts,tsx}'],
          exclude: ['**/{node_modules,dist}/**'],
        },
      },
      {
        extends: true,
        test: {
          name: 'tests',
          include: ['tests/**/*.test.ts'],
          exclude: [alone, ...calm, ...(process.env.TEST_FULL === undefined ? long : [])],
          testTimeout: 60_000,
          hookTimeout: 90_000,
          expect: { poll: { timeout: 10_000 } },
          // Real browsers and servers on a busy machine are late at times. The report marks tests that needed a second try.
          retry: process.env.CI ? 1 : 0,
        },
      },
      // It changes tables that other files of its process would share.
      {
        extends: true,
        test: { name: 'alone', include: [alone], isolate: true, testTimeout: 60_000, hookTimeout: 90_000 },
      },
      // After all others, when nothing else runs.
      {
        extends: true,
        test: {
          name: 'calm',
          include: calm,
          sequence: { groupOrder: 1 },
          testTimeout: 60_000,
          hookTimeout: 90_000,
          retry: process.env.CI ? 1 : 0,
        },
      },
    ],
  },
})
