import { IncomingMessage, ServerResponse } from 'node:http'
import type { Express } from 'express'

/**
 * Express gives each request and response another prototype when it first sees them, and the engine then forgets what it
 * knows of their shape. Listeners that make them with the right one from the start save a twentieth of an answer.
 */
export const createMessages = () => {
  class Request extends IncomingMessage {}
  class Response extends ServerResponse {}
  return {
    /** For `createServer` of `node:http` and `node:https`. */
    types: { IncomingMessage: Request, ServerResponse: Response },
    /** To be called once, with the app that answers what these listeners receive. */
    adopt: (app: Express) => {
      Object.setPrototypeOf(Request.prototype, app.request)
      Object.setPrototypeOf(Response.prototype, app.response)
      app.request = Request.prototype as unknown as typeof app.request
      app.response = Response.prototype as unknown as typeof app.response
    },
  }
}

export type Messages = ReturnType<typeof createMessages>
