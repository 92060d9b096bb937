/**
 * One scene as each program writes it, in the files of `scene-of-programs/FORMAT`: what people have said, in channels that are open, private and archived, and to each other; with a
 * thread, an edit, reactions, mentions, links, a picture, somebody who is gone and a bot.
 */

import { fromJson } from '../../scripts/json.ts'
import { bsonFileOf } from '../imports/bson-builder.ts'
import { tarOf } from '../imports/tar-builder.ts'
import { zipOf } from '../imports/zip-builder.ts'
import { PNG } from './images.ts'

/** What a program has no place for, or does not say in its archives. */
type Lack =
  | 'who reads a channel'
  | 'archived channels'
  | 'closed accounts'
  | 'earlier versions'
  | 'custom emoji'
  | 'quotes of direct messages'
  | 'links to messages'
  | 'protected history'
  | 'read state'

export interface Scene {
  /** The format, as the API calls it. */
  readonly format: string
  readonly bytes: Uint8Array<ArrayBuffer>
  /** Ids of people there. */
  readonly ids: { readonly ada: string; readonly ben: string; readonly robo: string }
  readonly lacks: ReadonlySet<Lack>
}

/** Seconds of UNIX time at which the scene begins: a text is said so many seconds later as its number is. */
export const T = 1_600_000_000
/** Seconds after the beginning at which a message was edited. */
export const EDITED = 100

export const TEXTS = {
  1: 'plain words',
  2: 'Engine again',
  3: 'Mended',
  5: 'secret words',
  6: 'Tea?',
  7: 'Yes',
  8: 'edited words',
  9: 'words of one who left',
  10: 'built',
  11: 'old words',
} as const

/** The files of the archives by their paths, without the picture. */
const FILES = import.meta.glob<string>('./scene-of-programs/**', {
  query: '?raw',
  import: 'default',
  eager: true,
})

const PICTURE = PNG.content as Uint8Array<ArrayBuffer>

interface Program extends Pick<Scene, 'format' | 'ids'> {
  readonly lacks: readonly Lack[]
  /** Where the picture is in the archive. */
  readonly pictures?: readonly string[]
  readonly pack: (files: Files) => Uint8Array
}

const PROGRAMS: readonly Program[] = [
  {
    format: 'slack',
    ids: { ada: 'U1', ben: 'U2', robo: 'U4' },
    lacks: ['earlier versions', 'custom emoji', 'protected history', 'read state'],
    pictures: ['__uploads/F1/map.png'],
    pack: zipped,
  },
  {
    format: 'mattermost',
    ids: { ada: 'ada', ben: 'ben', robo: 'robo' },
    lacks: ['links to messages', 'earlier versions', 'protected history', 'read state'],
    pictures: ['data/x/map.png', 'data/exported_emoji/1/image'],
    pack: zipped,
  },
  {
    format: 'public_server',
    ids: { ada: '1', ben: '2', robo: '4' },
    lacks: ['quotes of direct messages'],
    pictures: ['x/emoji/1/emoji/images/7.png', 'x/uploads/1/ab/map.png'],
    pack: tarred,
  },
  {
    format: 'discord',
    ids: { ada: '1', ben: '2', robo: '4' },
    lacks: [
      'who reads a channel',
      'archived channels',
      'closed accounts',
      'earlier versions',
      'protected history',
      'read state',
    ],
    pictures: ['files/map.png', 'files/7.png'],
    pack: zipped,
  },
  {
    format: 'rocket_chat',
    ids: { ada: 'u1', ben: 'u2', robo: 'u4' },
    lacks: ['earlier versions', 'protected history'],
    pack: (files) =>
      tarred(
        Object.fromEntries(
          Object.entries(files).map(([path, text]) => [path.replace('.json', '.bson'), inBson(String(text))]),
        ),
      ),
  },
  {
    format: 'neutral',
    ids: { ada: 'u1', ben: 'u2', robo: 'u4' },
    lacks: [],
    pack: (files) => new TextEncoder().encode(String(files['import.jsonl'])),
  },
]

type Files = Readonly<Record<string, string | Uint8Array>>

/** Returns the scene of each program. The order of messages in it is not that of time. */
export function scenesOfPrograms(): Scene[] {
  return PROGRAMS.map(({ format, ids, lacks, pictures = [], pack }) => {
    const folder = `./scene-of-programs/${format}/`
    const texts = Object.entries(FILES)
      .filter(([path]) => path.startsWith(folder))
      .map(([path, text]) => [path.slice(folder.length), text.trimEnd()] as const)
    const files = Object.fromEntries([...texts, ...pictures.map((path) => [path, PICTURE] as const)])
    return { format, ids, lacks: new Set(lacks), bytes: new Uint8Array(pack(files)) }
  })
}

function zipped(files: Files): Uint8Array {
  return zipOf(Object.entries(files).map(([name, content]) => ({ name, content })))
}

function tarred(files: Files): Uint8Array {
  return tarOf(files)
}

/** Dates and the picture are written as MongoDB's tools write them in JSON: `$date`, `$binary`. */
function inBson(json: string): Uint8Array {
  return bsonFileOf(
    fromJson<object[]>(json, (_, value) => {
      if (typeof value !== 'object' || value === null) return value
      if ('$date' in value) return new Date(String(value.$date))
      return '$binary' in value ? PICTURE : value
    }),
  )
}
