import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { DAY } from '../../core/time.ts'
import { callOffRemoval, scheduleRemoval } from '../uploads/removal-rows.ts'

/**
 * Images that everybody may load who has been told their address: avatars, custom emoji, the organization's
 * icon. Clients load them without credentials; nobody can guess an address, and what is there never changes.
 */
const PATH = /^\/user_avatars\/(\d{1,15})\/([0-9a-f]{32})(-still)?\.(png|jpg|gif|webp)$/

const CONTENT_TYPES = { png: 'image/png', jpg: 'image/jpeg', gif: 'image/gif', webp: 'image/webp' } as const

export type ImageEnding = keyof typeof CONTENT_TYPES

/** A place for an image that is about to come. What is there counts as refuse until it is entered. */
export interface ImagePlace {
  /** `/user_avatars/1/0123…`, still without ending. */
  readonly stem: string
}

export function reserveImage(tx: RealmTransaction): ImagePlace {
  const stem = `/user_avatars/${tx.realm.id}/${tx.randomHex(16)}`
  scheduleRemoval(tx, imageKey(stem), tx.now + DAY)
  return { stem }
}

/** The image at `path` is in use from now on. */
export function enterImage(tx: RealmTransaction, path: string): void {
  callOffRemoval(tx.sql, imageKey(path))
}

/** The image at `path` is not in use any more. */
export function retireImage(tx: RealmTransaction, path: string): void {
  scheduleRemoval(tx, imageKey(path), tx.now)
}

/** The key in R2 of the image at an address, with or without ending. */
export function imageKey(path: string): string {
  return `images${path.replace(/^\/user_avatars/, '').replace(/\.[a-z]+$/, '')}`
}

/**
 * What is to be sent for an address; undefined when no image has one like it. Apps make the address of a
 * larger avatar out of the one they were told, with `-medium.png` in place of its `.png`, or else behind it;
 * there is one size.
 */
export function readImagePath(
  address: string,
): { readonly realmId: number; readonly key: string; readonly contentType: string } | undefined {
  const path = address.replace(/(\.[a-z]+)?-medium\.png$/, (_, ending = '.png') => ending)
  const [, realm, , , ending] = PATH.exec(path) ?? []
  if (realm === undefined || ending === undefined) return undefined
  return {
    realmId: Number(realm),
    key: imageKey(path),
    contentType: CONTENT_TYPES[ending as ImageEnding],
  }
}
