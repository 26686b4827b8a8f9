import { defineConfig } from 'vitest/config'

const conditions = ['@countersign/source', 'node']

export default defineConfig({
  // The packages are tested as they are written, not as they were last built.
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    pool: 'forks',
    maxWorkers: 3,
    globalSetup: 'tests/support/shared.ts',
    projects: [
      {
        extends: true,
        test: { name: 'unit', include: ['{sdk,server,cli,web,scripts}/**/*.test.{ts,tsx}'], exclude: ['**/{node_modules,dist}/**'] },
      },
      {
        extends: true,
        test: {
          name: 'tests',
          include: ['tests/**/*.test.ts'],
          testTimeout: 30_000,
          hookTimeout: 90_000,
          // Real browsers and servers on a busy machine are late at times. Whoever needed the second try is marked in the report.
          retry: process.env.CI ? 1 : 0,
        },
      },
    ],
  },
})
