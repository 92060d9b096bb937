import { standIn } from './inside-tools.ts'
import type { DevEnvironment } from './inside-types.ts'
import { world } from './world.ts'

type Namespace = DevEnvironment['REALM']
type Stub = ReturnType<Namespace['get']>

/** Returns the realm objects with `world.reach` before every RPC of a request. Calls by tests themselves pass. */
export function interceptRealm(namespace: Namespace): Namespace {
  const intercepted: Namespace = standIn<Namespace>({
    idFromName: (name: string) => namespace.idFromName(name),
    // The local platform has no jurisdictions, so other objects stand for theirs.
    jurisdiction: (name: DurableObjectJurisdiction) =>
      world.hasJurisdictions
        ? standIn<Namespace>({
            ...intercepted,
            idFromName: (object: string) => namespace.idFromName(`${object} in ${name}`),
          })
        : interceptRealm(namespace.jurisdiction(name) as Namespace),
    get(id: DurableObjectId, options?: DurableObjectNamespaceGetDurableObjectOptions) {
      world.lastHint = options?.locationHint
      const stub = namespace.get(id)
      const methods = {
        run: (...args: Parameters<Stub['run']>) => world.reach(() => stub.run(...args), 'run'),
        found: (...args: Parameters<Stub['found']>) => world.reach(() => stub.found(...args), 'found'),
        leaveServer: (...args: Parameters<Stub['leaveServer']>) =>
          world.reach(() => stub.leaveServer(...args), 'run'),
        moveIn: (...args: Parameters<Stub['moveIn']>) => world.reach(() => stub.moveIn(...args), 'run'),
        moveToHost: (...args: Parameters<Stub['moveToHost']>) =>
          world.reach(() => stub.moveToHost(...args), 'run'),
        giveUpHost: (...args: Parameters<Stub['giveUpHost']>) =>
          world.reach(() => stub.giveUpHost(...args), 'run'),
        beginCopy: (...args: Parameters<Stub['beginCopy']>) =>
          world.reach(() => stub.beginCopy(...args), 'run'),
        verify: (...args: Parameters<Stub['verify']>) => world.reach(() => stub.verify(...args), 'run'),
        operateBackups: (...args: Parameters<Stub['operateBackups']>) =>
          world.reach(async () => stub.operateBackups(...args), 'run'),
        poll: (...args: Parameters<Stub['poll']>) => world.reach(() => stub.poll(...args), 'fetch'),
        async fetch(...args: Parameters<Stub['fetch']>) {
          const response = await world.reach(() => stub.fetch(...args), 'fetch')
          if (response.webSocket) world.pollsHeld += 1
          return response
        },
        finishDeletion: (...args: Parameters<Stub['finishDeletion']>) =>
          world.reach(() => stub.finishDeletion(...args), 'run'),
        health: (...args: Parameters<Stub['health']>) =>
          world.reach(async () => stub.health(...args), 'run') as ReturnType<Stub['health']>,
        runAt: (...args: Parameters<Stub['runAt']>) => stub.runAt(...args),
        seed: (...args: Parameters<Stub['seed']>) => stub.seed(...args),
        sentEmails: () => stub.sentEmails(),
        makeDigests: (...args: Parameters<Stub['makeDigests']>) => stub.makeDigests(...args),
        projectedRows: () => stub.projectedRows(),
      }
      // The platform's types turn an answer that may hold values of any type into `never`.
      return standIn<Stub>(methods as object)
    },
  })
  return intercepted
}
