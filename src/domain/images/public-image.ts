/**
 * Images that everybody may load who was given their address: avatars, custom emoji, the organization's
 * icon. Clients load them without credentials; nobody can guess an address, and what is there never changes.
 */
const PATH = /^\/user_avatars\/(\d{1,15})\/([0-9a-f]{32})(-still|-medium)?\.(png|jpg|gif|webp)$/

const CONTENT_TYPES = { png: 'image/png', jpg: 'image/jpeg', gif: 'image/gif', webp: 'image/webp' } as const

export type ImageEnding = keyof typeof CONTENT_TYPES

/** The further forms of an image: an avatar in large, and a moving picture as a still one. */
const FORMS = ['medium', 'still'] as const

/** The path of an image, without its ending. `fileId`: 32 hexadecimal digits. */
export function imageStem(realmId: number, fileId: string): string {
  return `/user_avatars/${realmId}/${fileId}`
}

/** The key in R2 of the image at an address, with or without ending. */
export function imageKey(path: string): string {
  return `images${path.replace(/^\/user_avatars/, '').replace(/\.[a-z]+$/, '')}`
}

/** Everything that goes with what stands in the list of removals, if it is an image: its other forms. */
export function keysOfImage(listed: string): string[] {
  return listed.startsWith('images/') ? [listed, ...FORMS.map((form) => `${listed}-${form}`)] : [listed]
}

/**
 * The address of an avatar in large. Apps make this address themselves, with `-medium.png` in place of `.png`. Of the first
 * avatars there was one size; those that are no PNG are among them.
 */
export function mediumPath(path: string): string {
  return path.replace(/\.png$/, '-medium.png')
}

/** The file that is sent for an address. */
export interface ImageFile {
  readonly realmId: number
  /** The keys of the file: it is under the first of these under which there is something. */
  readonly keys: readonly string[]
  readonly contentType: string
}

/** The image that an address stands for; undefined when no image has an address like it. */
export function readImagePath(address: string): ImageFile | undefined {
  // What apps make out of the address of an avatar that is no PNG.
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
