import type { ServerResponse } from 'node:http'

/** Registries of tests serve a page without scripts here. */
export const blankPath = '/-/blank'

/**
 * With the policies that the pages of the console have. For a page of another policy the browser would start a new process, and another
 * one for the way back.
 */
export const sendBlankPage = (response: ServerResponse) => {
  response
    .writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      'cross-origin-opener-policy': 'same-origin',
      'origin-agent-cluster': '?1',
    })
    .end('<!doctype html><title>Blank</title><link rel="icon" href="data:," />')
}
