interface Waiting<Input, Output> {
  input: Input
  resolve: (output: Output) => void
  reject: (error: unknown) => void
}

/**
 * Runs the calls of one turn of the event loop one after another. From the second on, the processor has the code and the
 * data at hand: under load that halves what the same call costs between all the other work of a request.
 */
export const batched = <Input, Output>(work: (input: Input) => Output) => {
  let waiting: Waiting<Input, Output>[] = []

  const run = () => {
    const batch = waiting
    waiting = []
    for (const { input, resolve, reject } of batch) {
      try {
        resolve(work(input))
      } catch (error) {
        reject(error)
      }
    }
  }

  return (input: Input): Promise<Output> =>
    new Promise((resolve, reject) => {
      if (waiting.push({ input, resolve, reject }) === 1) setImmediate(run)
    })
}
