/** Files of messages in a Slack export: their records, and the Markdown that shows them. */
import { link, plain, webAddress } from '../../integrations/markdown.ts'
import type { Payload } from '../../integrations/payload.ts'
import { unescaped } from '../../integrations/slack/mrkdwn.ts'
import { linkTo } from '../../integrations/slack/spans.ts'
import type { Known } from '../known.ts'
import type { NeutralRecord } from '../neutral.ts'
import { referenceTo } from '../references.ts'
import { missingFile } from '../texts.ts'
import { timeOf } from './conversations.ts'

const MAX_FILES = 50
/** Hosts of Slack's own files. */
const SLACK_HOST = /^https:\/\/(?:files|slack-files|[a-z0-9-]+\.slack-files|slack-imgs)\.?(?:slack)?\.com\//
/** Reasons why a file is missing. */
const ABSENT: Readonly<Record<string, string>> = {
  tombstone: 'This file was deleted',
  hidden_by_limit: 'This file was beyond the limit of the free plan',
  access_denied: 'Slack gave no access to this file',
  file_not_found: 'This file was not found',
  check_file_info: 'Slack gave no access to this file',
}

export interface ShownFiles {
  readonly records: readonly NeutralRecord[]
  /** Markdown with a line for each file. */
  readonly text: string
}

/** `attachments`: those of the message that are shown. */
export async function filesOf(
  message: Payload,
  attachments: readonly Payload[],
  known: Known,
): Promise<ShownFiles> {
  const list = message.list('files')
  const own = list.length > 0 ? list : message.has('file') ? [message.at('file')] : []
  // A forwarded message has files of its own.
  const others = attachments.flatMap((attachment) => attachment.list('files'))
  const files = new Map([...own, ...others].map((file, at) => [file.text('id') || at, file]))
  const shown: ShownFiles[] = []
  // One after the other, since a file may occur twice.
  for (const file of [...files.values()].slice(0, MAX_FILES)) shown.push(await ofFile(file, known))
  return {
    records: shown.flatMap(({ records }) => records),
    text: shown
      .map(({ text }) => text)
      .filter((text) => text !== '')
      .join('\n'),
  }
}

async function ofFile(file: Payload, known: Known): Promise<ShownFiles> {
  const id = file.text('id')
  const name = nameOf(file)
  const title = unescaped(file.text('title')).trim() || name
  const absent = ABSENT[file.text('mode')] ?? ABSENT[file.text('file_access')]
  if (absent !== undefined) {
    const text = `*${absent}${title === 'file' ? '' : `: ${plain(title)}`}*`
    return {
      records: [{ type: 'problem', kind: `file: ${absent.toLowerCase()}`, detail: `${id} ${title}` }],
      text,
    }
  }
  const path = id === '' ? undefined : await known.get('upload', id)
  const url = file.text('url_private_download') || file.text('url_private')
  if (path === undefined && !SLACK_HOST.test(url)) return elsewhere(file, id, title, url)
  if (id === '' || id.length > 200) return elsewhere(file, id, title, url)
  const owner = file.text('user')
  const [size, created] = [file.number('size'), timeOf(file.text('created') || file.text('timestamp'))]
  const isFirst = (await known.get('file', id)) === undefined
  if (isFirst) await known.put('file', id, 'made')
  const record: NeutralRecord = {
    type: 'file',
    id,
    name: name.slice(0, 1_000),
    ...(path === undefined ? { url: url.slice(0, 4_000) } : { path }),
    ...(size !== undefined && size >= 0 && Number.isInteger(size) && { size }),
    content_type: file.text('mimetype').slice(0, 1_000),
    ...(owner !== '' && (await known.get('user', owner)) !== undefined && { owner }),
    ...(created !== undefined && { created_ms: created }),
  }
  return { records: isFirst ? [record] : [], text: linkTo(title, referenceTo('file', id)) }
}

/** A file elsewhere, such as one of Google Drive, stays where it is. */
function elsewhere(file: Payload, id: string, title: string, url: string): ShownFiles {
  const address = webAddress(url) ?? webAddress(file.text('permalink'))
  if (address !== undefined && (file.isTrue('is_external') || !SLACK_HOST.test(address))) {
    return { records: [], text: link(title, address) }
  }
  return {
    records: [{ type: 'problem', kind: 'file without an address', detail: `${id} ${title}` }],
    // A later export may have it.
    text: id === '' || id.length > 200 ? missingFile(plain(title)) : linkTo(title, referenceTo('file', id)),
  }
}

/** Returns the name of a file. A canvas is loaded as a page, whatever its name. */
function nameOf(file: Payload): string {
  const name = unescaped(file.text('name').trim() || file.text('title').trim()) || 'file'
  const isCanvas = file.text('mode') === 'quip' || file.text('mimetype') === 'application/vnd.slack-docs'
  return isCanvas && !/\.html?$/i.test(name) ? `${name}.html` : name
}
