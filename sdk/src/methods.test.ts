import { expectTypeOf, it } from 'vitest'
import type { z } from 'zod'
import type { APIPromise, PagePromise } from './api-promise.ts'
import type { contract } from './contract/index.ts'
import type { Methods } from './methods.ts'
import type { RequestOptions } from './options.ts'

type Contract = typeof contract

/** One string for each `:name` of a path. */
type Ids<Path extends string> = Path extends `${string}:${infer After}`
  ? [id: string, ...(After extends `${string}/${infer Rest}` ? Ids<`/${Rest}`> : [])]
  : []

type BodyOf<E> = E extends { upload: true }
  ? [Blob]
  : E extends { body: infer Body extends z.ZodType }
    ? [z.input<Body>]
    : E extends { query: z.ZodType }
      ? [object]
      : []

type AnswerOf<E> = E extends { response: infer Body extends z.ZodType } ? z.output<Body> : never

type PromiseOf<E> = E extends { list: infer List extends string }
  ? AnswerOf<E> extends Record<List, (infer Item)[]>
    ? PagePromise<AnswerOf<E>, Item>
    : never
  : APIPromise<AnswerOf<E>>

/** Takes at most what the contract accepts, and returns at least what it promises. */
type Computed = {
  readonly [Feature in keyof Contract]: {
    readonly [Name in keyof Contract[Feature]]: Contract[Feature][Name] extends infer E extends { path: string }
      ? { takes: [...Ids<E['path']>, ...BodyOf<E>, options: RequestOptions]; returns: PromiseOf<E> }
      : never
  }
}

type Mismatch<Method, Wanted> = Method extends (...args: infer Given) => infer Answer
  ? Wanted extends { takes: infer Taken; returns: infer Promised }
    ? Required<Given> extends Taken
      ? Promised extends Answer
        ? never
        : 'response'
      : 'input'
    : 'method'
  : 'missing'

type Mismatches = {
  [Feature in keyof Computed]: {
    [Name in keyof Computed[Feature]]: Name extends keyof Methods[Feature]
      ? Mismatch<Methods[Feature][Name], Computed[Feature][Name]> extends never
        ? never
        : Name
      : Name
  }[keyof Computed[Feature]]
}[keyof Computed]

it('gives every method of the contract the types of its schemas', () => {
  // If a name differs here, run `npm run generate`. `register` of models has an option of its own, and `created` in its outcome.
  expectTypeOf<Mismatches>().toEqualTypeOf<'register'>()
})
