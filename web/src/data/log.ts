/** Logs to the browser's console only; users see nothing. */
export const log = (message: string, cause?: unknown) => {
  // biome-ignore lint/suspicious/noConsole: this is the console logger
  console.info(message, ...(cause instanceof Error ? [cause.message] : []))
}
