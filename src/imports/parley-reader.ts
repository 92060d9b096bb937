import { parseJson } from '../core/json.ts'
import { Payload } from '../integrations/payload.ts'
import {
  type ImportArchive,
  type ImportContext,
  type ImportReader,
  ImportRefusedError,
  type ImportUnit,
  Known,
} from './import-reader.ts'
import { itemsOf } from './json-items.ts'
import { type NeutralRecord, placeProblems } from './neutral.ts'
import { ofChannel } from './parley/channels.ts'
import { MessageTaker, ofAttachment, PersonalTaker } from './parley/messages.ts'
import { RealmTaker, SubscriptionTaker } from './parley/organization.ts'
import { eachRow, GroupTaker, PeopleTaker, type Taker, takeAll, takePicture } from './parley/people.ts'
import { FOLDER, ORDER, type ParleyFile, survey } from './parley/survey.ts'
import { blocksOf, fileInTar, filesOfTar, isTar, rangeOf } from './tar.ts'

const NEWEST_FORMAT = 2
/** Entries of the archive that one step lists. */
const LISTED = 10_000

interface ParleyUnit extends ImportUnit {
  /** `survey`: lists files of the archive; `next`, `listed`: add units of what was listed. */
  readonly kind: 'start' | 'survey' | 'next' | 'listed' | ParleyFile
  readonly from: number
  readonly size: number
}

const WITHOUT_FILE = { name: 'export', from: 0, size: 0 } as const

/** The archive that an export of an organization here makes (docs/export.md), of any format. */
export const parleyReader = parleyReaderOf(LISTED)

/** The archive is listed in steps, each of so many entries, which are units too. */
export function parleyReaderOf(listed: number): ImportReader<ParleyUnit> {
  return {
    name: 'parley',
    displayName: 'Parley (export of an organization)',

    async recognises(archive) {
      if (!(await isTar(archive))) return false
      for await (const { name } of filesOfTar(archive)) return name === `${FOLDER}export.json`
      return false
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

    read(archive, unit, context) {
      return placeProblems(
        recordsOf(archive, unit, context, new Known(context), listed),
        unit.size > 0 ? unit.name : undefined,
      )
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
      const from = yield* survey(archive, { begin: unit.from, most }, context, known)
      return context.add(
        from === undefined ? { ...WITHOUT_FILE, kind: 'next' } : { ...WITHOUT_FILE, kind: 'survey', from },
      )
    }
    case 'next':
      return addNext(context)
    case 'listed': {
      const [kind = ''] = unit.name.split(' ', 1)
      for (const file of new Payload(parseJson((await known.get('list', unit.name)) ?? '[]')).list()) {
        const [name, from, size] = [file.text(0), file.number(1)!, file.number(2)!]
        context.add({ name, kind: kind as ParleyFile, from, size })
      }
      return
    }
    default:
      yield* takeAll(itemsOf(blocksOf(rangeOf(archive, unit.from, unit.size))), takerOf(unit.kind, known))
  }
}

/** Adds the lists of the next kind of files, and, behind them, what adds those of the kind after it. */
function addNext(context: ImportContext): void {
  const at = Number(context.state.step ?? 0)
  const [kind] = ORDER[at] ?? []
  if (kind === undefined) return
  context.state.step = at + 1
  for (let list = 0; list < Number(context.state[kind] ?? 0); list += 1)
    context.add({ ...WITHOUT_FILE, kind: 'listed', name: `${kind} ${list}` })
  context.add({ ...WITHOUT_FILE, kind: 'next' })
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
