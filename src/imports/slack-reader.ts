import { Payload } from '../integrations/payload.ts'
import { type ImportArchive, type ImportContext, type ImportReader, Known } from './import-reader.ts'
import { itemsOf, type JsonItem } from './json-items.ts'
import type { NeutralRecord } from './neutral.ts'
import { ofChannel, ofDirect } from './slack/conversations.ts'
import { ofMessage } from './slack/messages.ts'
import { ofUser } from './slack/people.ts'
import { idOfUpload, rootOf, type SlackUnit, slackUnits } from './slack/slack-archive.ts'
import { contentOf, entriesOf, entryAt, fileAt, isZip, pathOf, ZipEntryError } from './zip.ts'

/** The topic of messages that belong to no thread, unless the owner has another. */
const MAIN_TOPIC = 'imported from Slack'
/** Units of a text in lists; those of messages have their own limit. */
const MAX_TEXT = 10_000

/** Exports of Slack as a ZIP: of public channels, of everything, of one workspace of an organization, or with files. */
export const slackReader: ImportReader<SlackUnit> = {
  name: 'slack',
  displayName: 'Slack (ZIP of an export)',

  async recognises(archive) {
    return (await isZip(archive)) && (await rootOf(archive)) !== undefined
  },

  async *units(archive) {
    yield* await slackUnits(archive)
  },

  async *read(archive, unit, context) {
    for await (const record of recordsOf(archive, unit, context)) {
      // A problem of one record has the place of it; those of a kind that is only counted have none.
      yield record.type === 'problem' &&
      record.file === undefined &&
      unit.at >= 0 &&
      !record.kind.startsWith('left out')
        ? { ...record, file: unit.name }
        : record
    }
  },

  file: fileAt,
}

async function* recordsOf(
  archive: ImportArchive,
  unit: SlackUnit,
  context: ImportContext,
): AsyncGenerator<NeutralRecord> {
  const known = new Known(context)
  switch (unit.kind) {
    case 'start':
      yield { type: 'parley-import', version: 1, source: `slack:${await teamOf(archive)}`, topic: MAIN_TOPIC }
      return
    case 'uploads':
      yield* uploadsOf(archive, unit, known)
      return
    case 'left out':
      yield {
        type: 'problem',
        kind: unit.at < 0 ? `left out: ${unit.name}` : 'file of the archive',
        detail: unit.detail,
      }
      return
    case 'day':
      yield* dayOf(archive, unit, known)
      return
    default:
      yield* listOf(archive, unit, known)
  }
}

/**
 * Returns the id of the workspace, which tells a second export of it from one of another. Where no user has it, the oldest channel says as much:
 * ids of channels are unique at Slack.
 */
async function teamOf(archive: ImportArchive): Promise<string> {
  const root = (await rootOf(archive)) ?? ''
  let [oldest, since] = ['unknown', Number.POSITIVE_INFINITY]
  for await (const entry of entriesOf(archive)) {
    const list = /^(?:teams\/[^/]+\/)?(users|channels|groups)\.json$/.exec(entry.name.slice(root.length))?.[1]
    if (entry.fault || list === undefined) continue
    for await (const { value } of readItems(archive, entry.at)) {
      const item = new Payload(value)
      const created = item.number('created') ?? Number.POSITIVE_INFINITY
      if (list === 'users' && item.text('team_id') !== '') return item.text('team_id').slice(0, 100)
      if (list !== 'users' && created < since) [oldest, since] = [`channel-${item.text('id')}`, created]
    }
  }
  return oldest.slice(0, 100)
}

/** Remembers where the files are: which of them messages name is not known yet. */
async function* uploadsOf(
  archive: ImportArchive,
  unit: SlackUnit,
  known: Known,
): AsyncGenerator<NeutralRecord> {
  for await (const entry of entriesOf(archive)) {
    if (!entry.name.startsWith(unit.detail) || entry.name.endsWith('/') || entry.name.length > 900) continue
    const id = idOfUpload(entry.name.slice(unit.detail.length))
    if (id === undefined) continue
    if (entry.fault)
      yield { type: 'problem', kind: 'file of the archive', detail: `${entry.name} ${entry.fault}` }
    else if ((await known.get('upload', id)) !== undefined)
      yield { type: 'problem', kind: 'file of the archive', detail: `${entry.name} is there twice` }
    else await known.put('upload', id, pathOf(entry))
  }
}

/** Reads the items of a file. What ends it too early is an item with a fault. */
async function* readItems(archive: ImportArchive, at: number): AsyncGenerator<JsonItem> {
  try {
    yield* itemsOf(contentOf(archive, await entryAt(archive, at)))
  } catch (error) {
    if (!(error instanceof ZipEntryError)) throw error
    yield { list: '', number: 0, fault: `the file ${error.message}` }
  }
}

async function* listOf(archive: ImportArchive, unit: SlackUnit, known: Known): AsyncGenerator<NeutralRecord> {
  for await (const { value, fault, number } of readItems(archive, unit.at)) {
    if (fault !== undefined) {
      yield { type: 'problem', kind: 'not readable', detail: fault, entry: number }
      continue
    }
    const item = new Payload(value, MAX_TEXT)
    for await (const record of ofListed(unit, item, known)) {
      yield record.type === 'problem' ? { ...record, entry: number } : record
    }
  }
}

async function* ofListed({ kind }: SlackUnit, item: Payload, known: Known): AsyncGenerator<NeutralRecord> {
  if (kind === 'users') yield* ofUser(item, known)
  else if (kind === 'channels' || kind === 'groups') yield* ofChannel(item, kind === 'groups', known)
  else if (kind === 'mpims' || kind === 'dms') yield* ofDirect(item, known)
  else yield { type: 'problem', kind: 'integration', detail: integrationOf(item) }
}

function integrationOf(log: Payload): string {
  const name = log.firstText('app_type', 'service_type') || 'unknown'
  return [log.text('change_type'), name, log.text('channel'), log.text('date')]
    .filter((part) => part !== '')
    .join(', ')
}

async function* dayOf(archive: ImportArchive, unit: SlackUnit, known: Known): AsyncGenerator<NeutralRecord> {
  const conversation = (await known.conversation(unit.folder)) ?? (yield* unlisted(unit.folder, known))
  for await (const { value, fault, number } of readItems(archive, unit.at)) {
    if (fault !== undefined) {
      yield { type: 'problem', kind: 'not readable', detail: fault, entry: number }
      continue
    }
    for await (const record of ofMessage(value, { conversation }, known)) {
      yield record.type === 'problem' ? { ...record, entry: number } : record
    }
  }
}

/** A folder that no list has becomes a channel that nobody but an owner can let people into. */
async function* unlisted(
  folder: string,
  known: Known,
): AsyncGenerator<NeutralRecord, { id: string; isDirect: false; members: string[] }> {
  const conversation = { id: `folder:${folder}`.slice(0, 200), isDirect: false as const, members: [] }
  await known.putConversation(folder, conversation)
  yield { type: 'problem', kind: 'folder of no channel', detail: folder }
  yield {
    type: 'channel',
    id: conversation.id,
    name: folder.slice(0, 1_000),
    privacy: 'private',
    archived: true,
  }
  return conversation
}
