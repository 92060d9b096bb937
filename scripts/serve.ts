/** `npm run serve`: the server on this machine for production (docs/own-machine.md). `npm run serve -- --help` lists what else it does. */
import { join } from 'node:path'
import { readBundle } from './build.ts'
import { fromJson } from './json.ts'
import { exitWithError, PROJECT, runProgram } from './project.ts'
import { runCommand } from './serve/command.ts'
import { chosenStateDir } from './state-folder.ts'

/** Milliseconds after which it is said that the build takes its time: it is kept until the source changes. */
const PATIENCE_MS = 2_000

const release = async () => {
  const slow = setTimeout(() => process.stderr.write('Building what is served …\n'), PATIENCE_MS)
  const said = await runProgram(join(PROJECT, 'scripts/serve/build-release.ts'), []).finally(() =>
    clearTimeout(slow),
  )
  const { worker, page } = fromJson<{ worker: string; page: string }>(said.trim().split('\n').at(-1)!)
  return { bundle: readBundle(worker), page }
}

await runCommand(release, chosenStateDir).catch(exitWithError)
