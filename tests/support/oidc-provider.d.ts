/** The package has no types of its own; this is what the tests use of it. */
declare module 'oidc-provider' {
  import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'

  interface Grant {
    addOIDCScope(scope: string): void
    save(): Promise<string>
  }

  interface Context {
    oidc: {
      client: { clientId: string }
      session: { accountId: string }
      provider: Provider
    }
  }

  export class Provider {
    constructor(issuer: string, configuration: Record<string, unknown>)
    readonly Grant: new (properties: {
      clientId: string
      accountId: string
    }) => Grant
    callback(): RequestListener
    interactionFinished(
      request: IncomingMessage,
      response: ServerResponse,
      result: { login: { accountId: string }; select_account: object } | { error: string; error_description: string },
    ): Promise<void>
  }

  interface Policy {
    add(prompt: object, index: number): void
  }

  export const interactionPolicy: {
    base(): Policy
    Prompt: new (definition: { name: string; requestable: boolean }) => object
  }

  export type { Context }
}
