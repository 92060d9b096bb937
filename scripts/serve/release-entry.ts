/** The program of a release (`npm run release`): everything that it serves lies next to it. */
import { join, resolve } from 'node:path'
import { readBundle } from '../build.ts'
import { exitWithError } from '../project.ts'
import { runCommand } from './command.ts'
import { PAGE_OF_RELEASE, WORKER_OF_RELEASE } from './release-folder.ts'

const here = import.meta.dirname
const release = async () => ({
  bundle: readBundle(join(here, WORKER_OF_RELEASE)),
  page: join(here, PAGE_OF_RELEASE),
})

await runCommand(release, () => resolve(process.env.STATE_DIR ?? '/state')).catch(exitWithError)
