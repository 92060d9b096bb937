import { buildWorker } from './build.ts'
import { remoteD1 } from './cloudflare-account.ts'
import { withLocalD1 } from './local-server.ts'
import type { OperatedServer } from './moving.ts'
import { chosenStateDir, findRunningServer } from './state-folder.ts'

/** Where a command does its work: in what `npm run deploy` put online, or at the server that has the state folder open. */
export interface ChosenServer {
  readonly remote: boolean
  readonly deployment: string
  readonly url: string
}

export async function operatedServer({ remote, deployment, url }: ChosenServer): Promise<OperatedServer> {
  if (remote) return { url: new URL(url).origin, write: remoteD1(deployment) }
  const stateDir = chosenStateDir()
  const running = await findRunningServer(stateDir)
  if (running === undefined)
    throw new Error(`No server has ${stateDir} open: start it first (npm run serve, or npm start).`)
  const bundle = await buildWorker('local')
  return {
    url: new URL(running.url).origin,
    write: (sql) => withLocalD1(bundle, stateDir, (database) => database.prepare(sql).run()),
  }
}
