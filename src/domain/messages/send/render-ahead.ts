import { NotPreparedError, type RealmView } from '../../../core/realm-transaction.ts'
import { NO_ALERT_WORDS } from '../../../markdown/alert-words.ts'
import { askForNamed } from '../../../markdown/named-in-text.ts'
import { type MarkdownLookups, type RenderedMarkdown, renderMarkdown } from '../../../markdown/render.ts'
import { renderingCost } from '../../../markdown/rendering-cost.ts'
import { AskedLookups } from './asked-lookups.ts'

/**
 * Cost, in characters, from which on a text is rendered before the turn that stores it: ten thousand take 15 ms, and up to 40 where V8 has
 * no code yet for what is in them.
 */
const LONG = 2_000
/** Cost that takes a millisecond to render, roughly. */
const OF_A_MILLISECOND = 400

interface RenderedAhead {
  readonly rendered: RenderedMarkdown
  readonly asked: AskedLookups
  /** `Sql.changesOf` the alert words then. */
  readonly alertWordChanges: number
}

type View = Pick<RealmView, 'sql' | 'mayBePutOff' | 'prepared'>

/**
 * Renders a text for a change that stores it. Whom and what a long one names is looked up, it is rendered, and searched for alert words, in
 * turns before: that rendering counts if all that it asked for is answered alike when the change is made.
 * @throws NotPreparedError where a long text has not been rendered so, and the change can be put off.
 */
export function renderAhead(view: View, content: string, lookups: MarkdownLookups): RenderedMarkdown {
  const { prepared } = view
  const cost = renderingCost([content])
  if (cost < LONG || !prepared) return renderMarkdown(content, lookups)
  const key = `rendering of ${content}`
  const ahead = prepared.get(key) as RenderedAhead | undefined
  if (ahead && isStillTrue(view, ahead, lookups)) return ahead.rendered
  if (!view.mayBePutOff) return renderMarkdown(content, lookups)
  throw new NotPreparedError(async (pause) => {
    await pause()
    const asked = new AskedLookups()
    const alertWordChanges = view.sql.changesOf('alert_word')
    const recorded = { ...asked.over(lookups), alertWords: NO_ALERT_WORDS }
    askForNamed(content, recorded)
    await pause(undefined, cost / OF_A_MILLISECOND)
    const rendered = await renderPrepared(content, recorded, pause)
    await pause()
    const alertedUserIds = lookups.alertWords.usersAlertedBy(content)
    const made: RenderedAhead = { rendered: { ...rendered, alertedUserIds }, asked, alertWordChanges }
    prepared.set(key, made)
    await pause()
  })
}

function isStillTrue({ sql }: View, { asked, alertWordChanges }: RenderedAhead, lookups: MarkdownLookups) {
  return alertWordChanges === sql.changesOf('alert_word') && asked.areAnsweredAlike(lookups)
}

/** Renders a text, after what it uses for the first time, if that is much. */
async function renderPrepared(
  content: string,
  lookups: MarkdownLookups,
  pause: () => Promise<void>,
): Promise<RenderedMarkdown> {
  try {
    return renderMarkdown(content, lookups)
  } catch (error) {
    if (!(error instanceof NotPreparedError)) throw error
    await error.prepare(pause)
    const { noteFirstUses: _, ...others } = lookups
    return renderMarkdown(content, others)
  }
}
