/** For who looks into the console of a browser; nobody else is told. */
export const log = (message: string, cause?: unknown) => {
  // biome-ignore lint/suspicious/noConsole: it is for the console
  console.info(message, ...(cause instanceof Error ? [cause.message] : []))
}
