/** `npm run serve`: the server on this machine for production (docs/own-machine.md). `npm run serve -- --help` lists what else it does. */
import { join } from 'node:path'
import { readBundle } from './build.ts'
import { fromJson } from './json.ts'
import { exitWithError, PROJECT, runProgram } from './project.ts'
import { runCommand } from './serve/command.ts'
import { chosenStateDir } from './state-folder.ts'

const release = async () => {
  const said = await runProgram(join(PROJECT, 'scripts/serve/build-release.ts'), [])
  const { worker, page } = fromJson<{ worker: string; page: string }>(said.trim().split('\n').at(-1)!)
  return { bundle: readBundle(worker), page }
}

await runCommand(release, chosenStateDir).catch(exitWithError)
