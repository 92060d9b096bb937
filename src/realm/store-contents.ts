import type { FileInStore, StoreContents } from '../core/command.ts'
import { fetchMessageBodies } from '../d1/message-bodies.ts'
import { messageSearchIn } from '../d1/message-search.ts'
import { newestBodyId } from '../d1/projection.ts'
import { listBodyVersions, listKeyDigests, listSearchable } from '../d1/stored-rows.ts'
import { nextRefusedEntry } from './refused-rows.ts'
import type { Runtime } from './runtime.ts'
import { COUNTED_KINDS, recountQuery } from './schema-quotas.ts'

/** Looks at D1 and R2 as they are, beside the tail. */
export function storeContentsOf({ db, uploads, realm, tail, sql }: Runtime): StoreContents {
  return {
    bodyVersions: (above, upTo) => listBodyVersions(db, realm.id, above, upTo),
    searchable: (above, upTo) => listSearchable(db, realm.id, above, upTo),
    newestBody: () => newestBodyId(db, realm.id),
    bodies: (ids) =>
      fetchMessageBodies(
        db,
        realm.id,
        ids.map((id) => ({ id })),
      ),
    findable: async (questions) => {
      const found = await messageSearchIn(db, realm.id).contained(questions)
      return new Set(found.map(({ id }) => id))
    },
    keyDigests: (digests) => listKeyDigests(db, realm.id, digests),
    fileSize: async (key) => (await uploads.head(key))?.size ?? null,
    listFiles: (prefix, thousands) => listFiles(uploads, prefix, thousands),
    isPending: (messageId) => tail.has(messageId),
    refused: (after) => nextRefusedEntry(sql, after),
    countedKinds: () => COUNTED_KINDS,
    recount: (kind) => {
      const rows = sql.all<{ account: number; count: number; bytes: number }>(recountQuery(kind))
      return new Map(rows.map(({ account, count, bytes }) => [account, { count, bytes }]))
    },
  }
}

/** R2 lists a thousand at a time. */
async function listFiles(
  uploads: R2Bucket,
  prefix: string,
  lists: number,
): Promise<FileInStore[] | undefined> {
  const files: FileInStore[] = []
  for (let list = 0, cursor: string | undefined; list < lists; list += 1) {
    const page = await uploads.list({ prefix, ...(cursor === undefined ? {} : { cursor }) })
    files.push(...page.objects.map(({ key, uploaded }) => ({ key, storedAt: uploaded.getTime() / 1_000 })))
    if (!page.truncated) return files
    cursor = page.cursor
  }
  return undefined
}
