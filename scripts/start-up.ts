/** Measures the work of a Worker's code before its first request, for which the platform allows a second. */
import { join, relative } from 'node:path'
import { MAIN_MODULE, type WorkerBundle } from './build.ts'
import { PROJECT, runWrangler, WORK, WRANGLER_CONFIG } from './project.ts'

/** What the platform allows. A small machine needs some 120 ms, and more while it has other work. */
export const START_UP_MS = 1_000

/** Returns the milliseconds of work, in which waiting does not count. The profile is left in `.parley`. */
export async function measureStartUp({ folder }: WorkerBundle): Promise<number> {
  const upload = `${relative(PROJECT, join(folder, MAIN_MODULE))} --no-bundle`
  const profile = join(WORK, 'start-up.cpuprofile')
  const output = await runWrangler([
    ...['check', 'startup', '--config', WRANGLER_CONFIG],
    ...['--args', upload, '--outfile', profile],
  ])
  const active = /\bActive: ([\d.]+) ms/.exec(output)?.[1]
  if (active === undefined) throw new Error(`wrangler tells no time of the start:\n${output}`)
  return Number(active)
}
