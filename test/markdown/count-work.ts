import type { Profiler, Session } from 'node:inspector'

/**
 * Starts counting how often the blocks of the program are executed: each pass of a loop, each call of a
 * function, each taken branch, in this room and the libraries below it. Returns what counts one run; the same
 * run always gives the same number, however busy the machine is. Undefined where the runtime has no such
 * counters.
 *
 * Only code compiled from now on is counted: call this before importing what is to be counted.
 */
export async function startCounting(): Promise<((run: () => void) => number) | undefined> {
  const counter = await startCounter()
  return (
    counter &&
    ((run) => {
      counter()
      run()
      return counter()
    })
  )
}

/** The same for what takes several turns; nothing else may run meanwhile. */
export async function startCountingSlices(): Promise<
  ((run: () => Promise<unknown>) => Promise<number>) | undefined
> {
  const counter = await startCounter()
  return (
    counter &&
    (async (run) => {
      counter()
      await run()
      return counter()
    })
  )
}

/** Starts counting. Returns what returns the executions since it was called last. */
async function startCounter(): Promise<(() => number) | undefined> {
  let session: Session
  try {
    const inspector = await import('node:inspector')
    session = new inspector.Session()
    session.connect()
    post(session, 'Profiler.enable')
    post(session, 'Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  } catch {
    return undefined
  }
  // Reading the counts sets them back to zero.
  const take = () => post(session, 'Profiler.takePreciseCoverage') as Profiler.TakePreciseCoverageReturnType
  return () =>
    take()
      .result.filter(({ url }) => isCounted(url))
      .reduce((sum, script) => sum + executions(script), 0)
}

const isCounted = (url: string): boolean =>
  /\/src\/(?:markdown|core|features|api|model|store|http|images|rules)\/|\/node_modules\/(?:postal-mime|markdown-it|linkify-it|mdurl|highlight\.js|katex|re2js|url-template|diff|html-to-text|htmlparser2|domhandler|entities|@selderee|selderee|planer)\//.test(
    url,
  )

function executions({ functions }: Profiler.ScriptCoverage): number {
  return functions.reduce((sum, { ranges }) => sum + ranges.reduce((inner, { count }) => inner + count, 0), 0)
}

/** The inspector of the own thread answers before `post` returns. */
function post(session: Session, method: string, params: object = {}): unknown {
  let answer: unknown
  let failure: Error | null = null
  session.post(method, params, (error, result) => {
    failure = error
    answer = result
  })
  if (failure !== null) throw failure
  return answer
}
