/**
 * Images that anybody may load who knows their address: avatars, custom emoji, the organization's icon.
 * Clients load them without credentials; nobody can guess an address, and its content never changes.
 */
const PATH = /^\/user_avatars\/(\d{1,15})\/([0-9a-f]{32})(-still|-medium)?\.(png|jpg|gif|webp)$/

const CONTENT_TYPES = { png: 'image/png', jpg: 'image/jpeg', gif: 'image/gif', webp: 'image/webp' } as const

export type ImageEnding = keyof typeof CONTENT_TYPES

/** Further forms of an image: a large avatar, and a still picture of an animation. */
const FORMS = ['medium', 'still'] as const

/** Returns the path of an image, without its ending. `fileId`: 32 hexadecimal digits. */
export function imageStem(realmId: number, fileId: string): string {
  return `/user_avatars/${realmId}/${fileId}`
}

/** Returns the key in R2 of the image at an address, with or without ending. */
export function imageKey(path: string): string {
  return `images${path.replace(/^\/user_avatars/, '').replace(/\.[a-z]+$/, '')}`
}

/** Returns all keys of an entry of the list of removals: for an image also its other forms. */
export function keysOfImage(listed: string): string[] {
  return listed.startsWith('images/') ? [listed, ...FORMS.map((form) => `${listed}-${form}`)] : [listed]
}

/**
 * Returns the address of a large avatar. Apps make it themselves, with `-medium.png` in place of `.png`. The
 * first avatars had one size; avatars that are not PNG are among them.
 */
export function mediumPath(path: string): string {
  return path.replace(/\.png$/, '-medium.png')
}

/** The file that is sent for an address. */
export interface ImageFile {
  readonly realmId: number
  /** Possible keys of the file: the first one that exists counts. */
  readonly keys: readonly string[]
  readonly contentType: string
}

/** Returns the image of an address; undefined when no image can have it. */
export function readImagePath(address: string): ImageFile | undefined {
  // Apps make such an address from that of an avatar that is not PNG.
  const path = address.replace(/(\.[a-z]+)-medium\.png$/, '$1')
  const [, realm, , form, ending] = PATH.exec(path) ?? []
  if (realm === undefined || ending === undefined) return undefined
  const isMedium = form === '-medium'
  if (isMedium && ending !== 'png') return undefined
  const key = imageKey(path)
  return {
    realmId: Number(realm),
    keys: isMedium ? [key, key.replace(/-medium$/, '')] : [key],
    contentType: CONTENT_TYPES[ending as ImageEnding],
  }
}
