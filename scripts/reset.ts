/** `npm run reset`: deletes the local state, so that `npm start` begins again from nothing. */
import { exitWithError } from './project.ts'
import { chosenStateDir, deleteStateDir } from './state-folder.ts'

async function main(): Promise<void> {
  const stateDir = chosenStateDir()
  const deleted = await deleteStateDir(stateDir)
  console.log(deleted ? `Deleted ${stateDir}` : `Nothing to delete: there is no ${stateDir}`)
}

if (import.meta.main) await main().catch(exitWithError)
