import type { Response } from 'express'

export const sendJson = (response: Response, status: number, answer: unknown) => {
  response.statusCode = status
  response.setHeader('Content-Type', 'application/json')
  response.end(JSON.stringify(answer))
}
