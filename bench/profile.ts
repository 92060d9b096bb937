/** Samples the processor time, with V8's profiler over the inspector (Chrome's DevTools protocol). */
import type { Inspector } from './inspector.ts'

export interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number
    readonly callFrame: {
      readonly functionName: string
      readonly url: string
      /** Counted from 0. */
      readonly lineNumber: number
      readonly columnNumber: number
    }
    readonly children?: readonly number[]
  }[]
  readonly samples: readonly number[]
  /** Microseconds by a clock that all isolates of a process share. */
  readonly startTime: number
  /** Microseconds since the previous sample, or for the first since `startTime`. */
  readonly timeDeltas: readonly number[]
}

export async function profiled<Result>(
  { ask }: Inspector,
  everyMicroseconds: number,
  work: () => Promise<Result>,
): Promise<{ profile: CpuProfile; result: Result }> {
  await ask('Profiler.enable')
  await ask('Profiler.setSamplingInterval', { interval: everyMicroseconds })
  await ask('Profiler.start')
  let result: Result
  try {
    result = await work()
  } catch (error) {
    await ask('Profiler.stop')
    throw error
  }
  const { profile } = await ask<{ profile: CpuProfile }>('Profiler.stop')
  return { profile, result }
}
