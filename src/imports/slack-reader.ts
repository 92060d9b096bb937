import { Payload } from '../integrations/payload.ts'
import type { ImportArchive, ImportContext, ImportReader } from './import-reader.ts'
import { itemsOf, type JsonItem } from './json-items.ts'
import { Known } from './known.ts'
import type { NeutralRecord } from './neutral.ts'
import { ofItems } from './problems.ts'
import {
  type Conversation,
  conversationOf,
  ofChannel,
  ofDirect,
  putConversation,
} from './slack/conversations.ts'
import { ofMessage } from './slack/messages.ts'
import { ofUser } from './slack/people.ts'
import { idOfUpload, rootOf, type SlackUnit, slackUnits } from './slack/slack-archive.ts'
import { contentOf, entriesOf, entryAt, fileAt, isZip, noteFiles, ZipEntryError } from './zip.ts'

/** The topic of messages outside of threads, unless the owner chooses another. */
const MAIN_TOPIC = 'imported from Slack'
/** UTF-16 units of a text in a list; texts of messages have a limit of their own. */
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

  read: recordsOf,

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
    case 'uploads': {
      const { detail: root } = unit
      const idOf = (name: string) => (name.startsWith(root) ? idOfUpload(name.slice(root.length)) : undefined)
      yield* noteFiles(archive, idOf, known)
      return
    }
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
      yield* ofItems(readItems(archive, unit.at), ({ value }) =>
        ofListed(unit, new Payload(value, MAX_TEXT), known),
      )
  }
}

/**
 * Returns the id of the workspace, which tells a second export of it from one of another workspace. If no user has it, the id of the oldest channel
 * stands for it, since those are unique at Slack.
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

/** Reads the items of a file. A fault that ends it early is an item too. */
async function* readItems(archive: ImportArchive, at: number): AsyncGenerator<JsonItem> {
  try {
    yield* itemsOf(contentOf(archive, await entryAt(archive, at)))
  } catch (error) {
    if (!(error instanceof ZipEntryError)) throw error
    yield { list: '', number: 0, fault: `the file ${error.message}` }
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
  const conversation = (await conversationOf(unit.folder, known)) ?? (yield* unlisted(unit.folder, known))
  yield* ofItems(readItems(archive, unit.at), ({ value }) => ofMessage(value, conversation, known))
}

/** Makes a private, archived channel of a folder that no list names. */
async function* unlisted(folder: string, known: Known): AsyncGenerator<NeutralRecord, Conversation> {
  const conversation = { id: `folder:${folder}`.slice(0, 200), isDirect: false, members: [] }
  await putConversation(folder, conversation, known)
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
