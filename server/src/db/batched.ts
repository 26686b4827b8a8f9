interface Waiting<Input, Output> {
  input: Input
  resolve: (output: Output) => void
  reject: (error: unknown) => void
}

/** Collects the calls of one turn of the event loop. */
const inTurns = <Input, Output>(run: (calls: readonly Waiting<Input, Output>[]) => void) => {
  let waiting: Waiting<Input, Output>[] = []
  const runAll = () => {
    const calls = waiting
    waiting = []
    run(calls)
  }
  return (input: Input): Promise<Output> =>
    new Promise((resolve, reject) => {
      if (waiting.push({ input, resolve, reject }) === 1) setImmediate(runAll)
    })
}

/**
 * Runs the calls of one turn of the event loop back to back. From the second call on, code and data are in the processor's cache: under
 * load, that halves the cost per call. `around` is called once per turn, with a function that runs all calls; if it throws before that,
 * all calls fail.
 */
export const batched = <Input, Output>(around: (runAll: (work: (input: Input) => Output) => void) => void) =>
  inTurns<Input, Output>((calls) => {
    const runAll = (work: (input: Input) => Output) => {
      for (const { input, resolve, reject } of calls) {
        try {
          resolve(work(input))
        } catch (error) {
          reject(error)
        }
      }
    }
    try {
      around(runAll)
    } catch (error) {
      for (const { reject } of calls) reject(error)
    }
  })

/** Runs the calls of one turn of the event loop as one, at most `most` together. `work` returns one result for each input, in order. */
export const collected = <Input, Output>(
  most: number,
  work: (inputs: readonly Input[]) => Promise<readonly Output[]>,
) => {
  const runSome = async (calls: readonly Waiting<Input, Output>[]) => {
    try {
      const outputs = await work(calls.map(({ input }) => input))
      for (const [index, { resolve }] of calls.entries()) resolve(outputs[index] as Output)
    } catch (error) {
      for (const { reject } of calls) reject(error)
    }
  }
  return inTurns<Input, Output>((calls) => {
    for (let from = 0; from < calls.length; from += most) void runSome(calls.slice(from, from + most))
  })
}
