import { BadRequestError } from '../../core/errors.ts'
import { parseJson } from '../../core/json.ts'
import { MESSAGE_QUOTAS } from '../../core/quotas.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { RecordOf } from '../../imports/neutral.ts'
import { withIds } from '../../imports/references.ts'
import type { Submessage } from '../../store/submessages/submessage-rows.ts'
import { requireWidgetData } from '../submessages/widget-content.ts'
import { type ImportWork, targetOf } from './import-work.ts'

type Entry = Pick<Submessage, 'senderId' | 'content'>

/**
 * Returns the entries of a poll or a to-do list. The first is the sender's, and has the type. Entries that nobody could make here are counted and
 * left out.
 */
export function widgetEntries(
  tx: RealmTransaction,
  work: ImportWork,
  { id, sender, widget = [] }: RecordOf<'message'>,
): Entry[] {
  const { tally } = work
  const [first, ...others] = widget
  if (!first) return []
  const type = typeIn(first.content)
  if (type === undefined || first.user !== sender) {
    tally.problem('bad poll or to-do list', id)
    return []
  }
  const quota = MESSAGE_QUOTAS.submessages
  const made: Entry[] = []
  let bytes = 0
  const add = (user: string, content: string) => {
    const senderId = targetOf(tx, work, 'user', user)
    const own = withIds(content, (kind, there) => targetOf(tx, work, kind, there))
    if (senderId === undefined || own === undefined) return false
    bytes += Buffer.byteLength(own)
    if (made.length === quota.message || bytes > quota.messageBytes) return false
    made.push({ senderId, content: own })
    return true
  }
  if (!add(first.user, first.content)) return []
  for (const { user, content } of others) {
    const isMade = mayBeEntered(type, content, user === sender) && add(user, content)
    if (!isMade) tally.count('passedOver', 'message.widget[]')
  }
  return made
}

/** Returns the widget's type; '' for other data, which senders may attach to their messages too; undefined if it is no JSON. */
function typeIn(content: string): string | undefined {
  const data = parsed(content) as { widget_type?: unknown } | null | undefined
  if (data === undefined) return undefined
  return typeof data?.widget_type === 'string' ? data.widget_type : ''
}

function mayBeEntered(type: string, content: string, isAuthor: boolean): boolean {
  const data = parsed(content)
  if (data === undefined) return false
  try {
    requireWidgetData(type, data, isAuthor)
    return true
  } catch (error) {
    if (!(error instanceof BadRequestError)) throw error
    return false
  }
}

function parsed(content: string): unknown {
  try {
    return parseJson(content)
  } catch {
    return undefined
  }
}
