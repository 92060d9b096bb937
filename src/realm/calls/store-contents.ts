import { ServiceUnavailableError } from '../../core/errors.ts'
import type { FileBucket } from '../../core/file-bucket.ts'
import { fromStore } from '../../core/file-store.ts'
import { byDatabase, databaseOf } from '../../core/message-bodies.ts'
import type { CallStore, FileInStore, StoreContents } from '../../core/other-stores.ts'
import type { Pause } from '../../core/pauses.ts'
import { newestLogId } from '../../events/log.ts'
import { listAccounts } from '../../store/d1/accounts.ts'
import { fetchBodiesFrom } from '../../store/d1/message-bodies.ts'
import { messageSearchIn } from '../../store/d1/message-search.ts'
import { newestBodyId } from '../../store/d1/projection.ts'
import { readListed } from '../../store/d1/realms.ts'
import { listBodyVersions, listSearchable } from '../../store/d1/stored-rows.ts'
import { beginTextEpoch } from '../projection/text-epoch.ts'
import type { CallRuntime } from './call-runtime.ts'

/** Returns what a change may ask. `inSlices` does work in turns of its own. */
export function storesOf(
  runtime: CallRuntime,
  inSlices: <Value>(work: (pause: Pause) => Promise<Value>) => Promise<Value>,
): CallStore {
  return {
    ...runtime.tail.readerOver(runtime),
    drive: (steps) => inSlices((pause) => runtime.readings.drive(steps, pause)),
    contents: contentsOf(runtime),
  }
}

/** Returns the present contents of all databases of D1 and of R2, and of the tail. */
function contentsOf(runtime: CallRuntime): StoreContents {
  const { db, uploads, realm, tail, projector, sql } = runtime
  const { ranges, databases } = tail
  const database = (number: number) => databases.find((each) => each.number === number)!.db
  const isThere = (id: number, number: number) => databaseOf(ranges, id) === number
  return {
    written: async () => {
      const newest = newestLogId(sql)
      await projector.kick()
      projector.passEvents()
      if (projector.projected < newest) throw new ServiceUnavailableError()
    },
    bodyVersions: async (above, upTo) => {
      const all = await Promise.all(
        databases.map(async ({ number, db }) => {
          const versions = await listBodyVersions(db, realm.id, above, upTo)
          return [...versions].filter(([id]) => isThere(id, number))
        }),
      )
      return new Map(all.flat())
    },
    searchable: async (above, upTo) => {
      const all = await Promise.all(
        databases.map(async ({ number, db }) => {
          const counts = await listSearchable(db, realm.id, above, upTo)
          return [...counts].filter(([id]) => isThere(id, number))
        }),
      )
      return new Map(all.flat())
    },
    elsewhere: async (above, upTo) => {
      if (ranges.length === 0) return []
      const all = await Promise.all(
        databases.map(async ({ number, db }) => {
          const [versions, searchable] = await Promise.all([
            listBodyVersions(db, realm.id, above, upTo),
            listSearchable(db, realm.id, above, upTo),
          ])
          const ids = [...new Set([...versions.keys(), ...searchable.keys()])]
          return ids.filter((id) => !isThere(id, number)).map((id) => ({ id, database: number }))
        }),
      )
      return all.flat()
    },
    newestBody: async () =>
      Math.max(...(await Promise.all(databases.map(({ db }) => newestBodyId(db, realm.id))))),
    bodies: (ids) =>
      fetchBodiesFrom(
        { ranges, database },
        realm.id,
        ids.map((id) => ({ id })),
      ),
    findable: async (questions) => {
      const found = await Promise.all(
        byDatabase(ranges, questions, ({ id }) => id).map(([number, own]) =>
          messageSearchIn(database(number), realm.id).contained(own),
        ),
      )
      return found.flat()
    },
    accounts: (above, limit) => listAccounts(db, realm.id, above, limit),
    listed: () => readListed(db, realm.id),
    fileSize: async (key) => (await fromStore(() => uploads.head(key)))?.size ?? null,
    listFiles: (prefix, thousands) => listFiles(uploads, prefix, thousands),
    isPending: (messageId) => tail.has(messageId),
    forgetKeptTexts: () => beginTextEpoch(runtime),
  }
}

/** R2 lists a thousand at a time. */
async function listFiles(
  uploads: FileBucket,
  prefix: string,
  lists: number,
): Promise<FileInStore[] | undefined> {
  const files: FileInStore[] = []
  for (let list = 0, cursor: string | undefined; list < lists; list += 1) {
    const from = cursor === undefined ? {} : { cursor }
    const page = await fromStore(() => uploads.list({ prefix, ...from }))
    files.push(...page.objects.map(({ key, uploaded }) => ({ key, storedAt: uploaded.getTime() / 1_000 })))
    if (!page.truncated) return files
    cursor = page.cursor
  }
  return undefined
}
