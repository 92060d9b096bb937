import {
  type ImportArchive,
  type ImportReader,
  ImportRefusedError,
  type ImportUnit,
} from './import-reader.ts'
import { itemsOf } from './json-items.ts'
import { Known } from './known.ts'
import type { NeutralRecord } from './neutral.ts'
import { ofChannel } from './parley/channels.ts'
import { MessageTaker, ofAttachment, PersonalTaker } from './parley/messages.ts'
import { RealmTaker, SubscriptionTaker } from './parley/organization.ts'
import { eachRow, GroupTaker, PeopleTaker, type Taker, takeAll, takePicture } from './parley/people.ts'
import { placeProblems } from './place-problems.ts'
import { blocksOf, fileInTar, filesOfTar, isTar, pathInTar, rangeOf } from './tar.ts'

const FOLDER = 'export/'
const NEWEST_FORMAT = 2
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

interface ParleyUnit extends ImportUnit {
  readonly kind: 'start' | 'files' | 'left out' | (typeof ORDER)[number][0]
  readonly from: number
  readonly size: number
}

/** The archive that an export of an organization here makes (docs/export.md), of any format. */
export const parleyReader: ImportReader<ParleyUnit> = {
  name: 'parley',
  displayName: 'Parley (export of an organization)',

  async recognises(archive) {
    if (!(await isTar(archive))) return false
    for await (const { name } of filesOfTar(archive)) return name === `${FOLDER}export.json`
    return false
  },

  async *units(archive) {
    const found: ParleyUnit[] = []
    const taken = new Set<string>()
    for await (const { name, from, size } of filesOfTar(archive)) {
      if (!name.startsWith(FOLDER)) continue
      const kind = ORDER.find(([, pattern]) => pattern.test(name.slice(FOLDER.length)))?.[0]
      if (kind) found.push({ name, kind: taken.has(name) ? 'left out' : kind, from, size })
      if (kind) taken.add(name)
    }
    const { format } = await manifestOf(archive)
    if (format > NEWEST_FORMAT) {
      throw new ImportRefusedError(
        `The archive has the format ${format}, which a newer Parley has made. Update this one first.`,
      )
    }
    const order = ({ kind }: ParleyUnit) => ORDER.findIndex(([one]) => one === kind)
    yield { name: 'export', kind: 'start', from: 0, size: 0 }
    yield { name: 'files', kind: 'files', from: 0, size: 0 }
    yield* found.sort((one, other) => order(one) - order(other) || (one.name < other.name ? -1 : 1))
  },

  read(archive, unit, context) {
    return placeProblems(recordsOf(archive, unit, new Known(context)), unit.size > 0 ? unit.name : undefined)
  },

  file: fileInTar,
}

async function* recordsOf(
  archive: ImportArchive,
  unit: ParleyUnit,
  known: Known,
): AsyncGenerator<NeutralRecord> {
  switch (unit.kind) {
    case 'start': {
      const { url } = await manifestOf(archive)
      await known.put('realm', 'url', url)
      yield { type: 'parley-import', version: 1, source: `parley:${url}`.slice(0, 200) }
      return
    }
    case 'files':
      for await (const entry of filesOfTar(archive)) {
        const path = entry.name.startsWith(FOLDER) ? entry.name.slice(FOLDER.length) : ''
        if (!FILES.test(path)) continue
        if ((await known.get('upload', path)) === undefined) await known.put('upload', path, pathInTar(entry))
        else yield twice(entry.name)
      }
      return
    case 'left out':
      yield twice(unit.name)
      return
    default:
      yield* takeAll(itemsOf(blocksOf(rangeOf(archive, unit.from, unit.size))), takerOf(unit.kind, known))
  }
}

function twice(name: string): NeutralRecord {
  return { type: 'problem', kind: 'file of the archive', detail: `${name} is there twice` }
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
      return eachRow((row) => ofAttachment(row, known))
    case 'personal':
      return new PersonalTaker(known)
    default:
      return new MessageTaker(known)
  }
}

/** Returns what the archive says of itself: its format, and the address of the organization. */
async function manifestOf(archive: ImportArchive): Promise<{ format: number; url: string }> {
  for await (const { from, size } of filesOfTar(archive)) {
    const text = new TextDecoder().decode(await archive.read(from, from + Math.min(size, 65_536)))
    const found = (pattern: RegExp) => pattern.exec(text)?.[1]
    return {
      format: Number(found(/"format":\s*(\d{1,9})/) ?? 1),
      url: (found(/"realm_url":\s*"([^"\\]{1,180})"/) ?? 'unknown').toLowerCase(),
    }
  }
  return { format: 1, url: 'unknown' }
}
