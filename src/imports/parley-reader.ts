import {
  blocksOf,
  type ImportArchive,
  type ImportContext,
  type ImportReader,
  ImportRefusedError,
  type ImportUnit,
  rangeOf,
} from './import-reader.ts'
import { itemsOf } from './json-items.ts'
import { Known } from './known.ts'
import type { NeutralRecord } from './neutral.ts'
import { ofChannel } from './parley/channels.ts'
import { MessageTaker, PersonalTaker } from './parley/messages.ts'
import { RealmTaker, SubscriptionTaker } from './parley/organization.ts'
import { eachRow, GroupTaker, PeopleTaker, type Taker, takeAll, takePicture } from './parley/people.ts'
import { ofUpload } from './server-texts.ts'
import { filesIn, LISTED_AT_ONCE, listsOf } from './survey.ts'
import { fileInTar, filesOfTar, isTarWith, surveyTar, type TarEntry } from './tar.ts'

const NEWEST_FORMAT = 2
const FOLDER = 'export/'
/** The first file; another program may have put folders before it. */
const MANIFEST = `${FOLDER}export.json`
/** Entries among which an archive is recognised. */
const MAX_LOOKED_AT = 10
/** Files in the order in which they are read: each refers to those before it. */
const ORDER = [
  ['pictures', /^pictures\/\d+\.json$/],
  ['attachments', /^attachments\/\d+\.json$/],
  ['realm', /^realm\.json$/],
  ['personal', /^personal\/\d+\.json$/],
  ['users', /^users\/\d+\.json$/],
  ['groups', /^user_groups(?:\/\d+)?\.json$/],
  ['subscriptions', /^subscriptions\/\d+\.json$/],
  ['channels', /^channels\/\d+\.json$/],
  ['messages', /^messages\/\d+\.json$/],
] as const
const FILES = /^(?:uploads|pictures)\/(?!\d+\.json$)/

type ParleyFile = (typeof ORDER)[number][0]

interface ParleyUnit extends ImportUnit {
  /** `survey` lists files of the archive; `next` and `listed` add units for the listed files. */
  readonly kind: 'start' | 'survey' | 'next' | 'listed' | ParleyFile
  readonly from: number
  readonly size: number
}

const WITHOUT_FILE = { name: 'export', from: 0, size: 0 } as const

/** Archives of any format that an export of an organization here makes (docs/export.md). */
export const parleyReader = parleyReaderOf(LISTED_AT_ONCE)

/** `listed`: entries that one step lists. */
export function parleyReaderOf(listed: number): ImportReader<ParleyUnit> {
  return {
    name: 'parley',
    displayName: 'Parley (export of an organization)',

    recognises(archive, from) {
      return isTarWith(archive, from, MAX_LOOKED_AT, (name) => name === MANIFEST)
    },

    async *units(archive) {
      const { format } = await manifestOf(archive)
      if (format > NEWEST_FORMAT) {
        throw new ImportRefusedError(
          `The archive has the format ${format}, which a newer Parley has made. Update this one first.`,
        )
      }
      yield { ...WITHOUT_FILE, kind: 'start' }
      yield { ...WITHOUT_FILE, kind: 'survey' }
    },

    adds: ({ kind }) => kind === 'survey' || kind === 'next' || kind === 'listed',

    read(archive, unit, context) {
      return recordsOf(archive, unit, context, new Known(context), listed)
    },

    file: fileInTar,
  }
}

async function* recordsOf(
  archive: ImportArchive,
  unit: ParleyUnit,
  context: ImportContext,
  known: Known,
  most: number,
): AsyncGenerator<NeutralRecord> {
  switch (unit.kind) {
    case 'start': {
      const { url } = await manifestOf(archive)
      await known.put('realm', 'url', url)
      yield { type: 'parley-import', version: 1, source: `parley:${url}`.slice(0, 200) }
      return
    }
    case 'survey': {
      const from = yield* surveyTar(archive, { begin: unit.from, most }, context, known, neededFile)
      return context.add(
        from === undefined ? { ...WITHOUT_FILE, kind: 'next' } : { ...WITHOUT_FILE, kind: 'survey', from },
      )
    }
    case 'next':
      return addLists(context, known)
    case 'listed': {
      const [kind = ''] = unit.name.split('/', 1)
      for (const file of await filesIn(unit.name, known)) context.add({ ...file, kind: kind as ParleyFile })
      return
    }
    default:
      yield* takeAll(itemsOf(blocksOf(rangeOf(archive, unit.from, unit.size))), takerOf(unit.kind, known))
  }
}

function neededFile({ name }: TarEntry) {
  const path = name.startsWith(FOLDER) ? name.slice(FOLDER.length) : ''
  const kind = ORDER.find(([, pattern]) => pattern.test(path))?.[0]
  if (kind !== undefined) return { key: path, kinds: [kind] }
  return FILES.test(path) ? { key: path } : undefined
}

/** Adds the lists of all kinds of files, in their order: each of them adds its files behind those of the kinds before it. */
async function addLists(context: ImportContext, known: Known): Promise<void> {
  // An import that an earlier build has begun may be in the middle of the kinds.
  const begun = Number(context.state.step ?? 0)
  for (const [kind] of ORDER.slice(begun))
    for (const name of await listsOf(kind, known)) context.add({ ...WITHOUT_FILE, kind: 'listed', name })
}

function takerOf(kind: ParleyUnit['kind'], known: Known): Taker {
  switch (kind) {
    case 'pictures':
      return eachRow((row) => takePicture(row, known))
    case 'realm':
      return new RealmTaker(known)
    case 'users':
      return new PeopleTaker(known)
    case 'groups':
      return new GroupTaker()
    case 'subscriptions':
      return new SubscriptionTaker(known)
    case 'channels':
      return eachRow((row) => ofChannel(row, known))
    case 'attachments':
      return eachRow((row) =>
        ofUpload(
          row,
          { name: row.text('name'), owner: row.text('user_id') },
          row.number('create_time'),
          known,
        ),
      )
    case 'personal':
      return new PersonalTaker(known)
    default:
      return new MessageTaker(known)
  }
}

/** Returns the archive's format, and the address of its organization. */
async function manifestOf(archive: ImportArchive): Promise<{ format: number; url: string }> {
  for await (const { name, from, size } of filesOfTar(archive)) {
    if (name !== MANIFEST) continue
    const text = new TextDecoder().decode(await archive.read(from, from + Math.min(size, 65_536)))
    const found = (pattern: RegExp) => pattern.exec(text)?.[1]
    return {
      format: Number(found(/"format":\s*(\d{1,9})/) ?? 1),
      url: (found(/"realm_url":\s*"([^"\\]{1,180})"/) ?? 'unknown').toLowerCase(),
    }
  }
  return { format: 1, url: 'unknown' }
}
