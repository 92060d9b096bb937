/** `npm run serve`: the server on this machine for production (docs/own-machine.md). `npm run serve -- --help` lists what else it does. */
import { buildWorker } from './build.ts'
import { exitWithError } from './project.ts'
import { runCommand } from './serve/command.ts'
import { chosenStateDir } from './state-folder.ts'
import { buildAssets } from './web-client.ts'

const release = async () => ({
  bundle: await buildWorker('served'),
  page: (await buildAssets(process.env.WEB_CLIENT)).folder,
})

await runCommand(release, chosenStateDir).catch(exitWithError)
