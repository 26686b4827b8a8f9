import { IncomingMessage, ServerResponse } from 'node:http'
import type { Express } from 'express'

/**
 * Express replaces the prototype of each request and response, which invalidates the engine's hidden classes. Listeners that create them
 * with the right prototype save a twentieth of a response on a quiet machine (docs/decisions/requests-share-types-and-log-writes.md).
 */
export const createMessages = () => {
  class Request extends IncomingMessage {}
  class Response extends ServerResponse {}
  return {
    /** For `createServer` of `node:http` and `node:https`. */
    types: { IncomingMessage: Request, ServerResponse: Response },
    /** Call it once, with the app that answers what these listeners receive. */
    adopt: (app: Express) => {
      Object.setPrototypeOf(Request.prototype, app.request)
      Object.setPrototypeOf(Response.prototype, app.response)
      app.request = Request.prototype as unknown as typeof app.request
      app.response = Response.prototype as unknown as typeof app.response
    },
  }
}

export type Messages = ReturnType<typeof createMessages>
