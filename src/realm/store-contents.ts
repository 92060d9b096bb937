import type { StoreContents } from '../core/command.ts'
import { fetchMessageBodies } from '../d1/message-bodies.ts'
import { newestBodyId } from '../d1/projection.ts'
import { listBodyVersions, listKeyDigests, listSearchable } from '../d1/stored-rows.ts'
import { nextRefusedEntry } from './refused-rows.ts'
import type { Runtime } from './runtime.ts'

/** Looks at D1 and R2 as they are, beside the tail. */
export function storeContentsOf({ db, uploads, realm, tail, sql }: Runtime): StoreContents {
  return {
    bodyVersions: (above, upTo) => listBodyVersions(db, realm.id, above, upTo),
    searchable: (above, upTo) => listSearchable(db, realm.id, above, upTo),
    newestBody: () => newestBodyId(db, realm.id),
    bodies: (ids) => fetchMessageBodies(db, realm.id, ids),
    keyDigests: (digests) => listKeyDigests(db, realm.id, digests),
    fileSize: async (key) => (await uploads.head(key))?.size ?? null,
    isPending: (messageId) => tail.has(messageId),
    refused: (after) => nextRefusedEntry(sql, after),
  }
}
