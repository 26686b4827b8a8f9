import type { Database } from './engine.ts'

/** Where the engines must differ, the difference has a name here. */
export const dialects = {
  sqlite: {
    /** Case-insensitive containment. SQLite's `like` folds ASCII only. */
    like: 'like',
  },
  postgres: {
    like: 'ilike',
  },
} as const satisfies Record<Database['engine'], { like: 'like' | 'ilike' }>

/** `%text%` for a `like … escape '\'`. */
export const containing = (text: string) => `%${text.replace(/[\\%_]/g, (character) => `\\${character}`)}%`
