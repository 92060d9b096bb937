import { useState } from 'preact/hooks'
import { loadReports, type Report } from '../../actions/organization.ts'
import { state, versionOf, watch } from '../../chat.ts'
import { hrefOfMessage } from '../../navigation.ts'
import { mayResolve } from '../../state/message-permissions.ts'
import { isAdministrator } from '../../state/own-permissions.ts'
import { mayAdministerUser } from '../../state/people-permissions.ts'
import { s } from '../../texts/settings.ts'
import { Button } from '../../ui/button.tsx'
import { Part } from '../../ui/setting-row.tsx'
import { ago, wholeTime } from '../../ui/time.tsx'
import { tip } from '../../ui/tooltip.ts'
import { ActButton } from '../../ui/use-action.tsx'
import { HtmlText } from '../message/html-text.tsx'
import { safeNodes } from '../message/safe-html.ts'
import { EditUser } from '../people-settings/edit-user.tsx'
import { FetchedList, refusalOf, useFetched } from '../settings/fetched.tsx'
import { toggleTopic } from '../undoable.ts'
import { realName } from '../words.ts'
import { NO_CHANNEL, NoticeChannel } from './notice-channel.tsx'

/** Reported messages, with actions; administrators choose the channel to which they are posted. */
export function ModerationSection() {
  watch('organization', 'channel', 'me', 'group')
  const channelId = state.organization.moderation_request_channel_id
  return (
    <>
      {isAdministrator(state) && (
        <Part hint={s.moderation.hint}>
          <NoticeChannel name="moderation_request_channel_id" isPrivate />
        </Part>
      )}
      {channelId !== NO_CHANNEL &&
        (state.channels.get(channelId)?.subscription ? (
          <Reports key={channelId} channelId={channelId} />
        ) : (
          <p class="setting-nothing">{s.moderation.notSubscribed}</p>
        ))}
    </>
  )
}

/** Whether it is the server's own message of a report, not a moderator's about one. */
function isOfServer(report: Report): boolean {
  return state.users.get(report.sender_id)?.is_system_bot === true && authorOf(report) !== undefined
}

/** The number of reports that are shown at first, and added each time. */
const REPORTS_AT_ONCE = 100

function Reports({ channelId }: { readonly channelId: number }) {
  // New reports, and topics that others have resolved.
  const versions = [versionOf(`unread of channel ${channelId}`), versionOf(`topics of channel ${channelId}`)]
  const [wanted, setWanted] = useState(REPORTS_AT_ONCE)
  const [isAll, setAll] = useState(true)
  const reports = useFetched(async () => {
    const found = await loadReports(channelId, isOfServer, wanted)
    setAll(found.isAll)
    return byTopic(found.reports)
  }, [channelId, wanted, ...versions])
  return (
    <Part title={s.moderation.open}>
      <FetchedList of={reports} nothing={s.moderation.nothing}>
        {(topics) => (
          <ul class="items">
            {topics.map((topic) => (
              <ReportedPerson
                key={topic[0]!.id}
                channelId={channelId}
                reports={topic}
                onDone={reports.reload}
              />
            ))}
          </ul>
        )}
      </FetchedList>
      {!isAll && <Button onClick={() => setWanted(wanted + REPORTS_AT_ONCE)}>{s.organization.older}</Button>}
    </Part>
  )
}

function byTopic(reports: readonly Report[]): readonly Report[][] {
  const topics = new Map<string, Report[]>()
  for (const report of reports) {
    const topic = topics.get(report.subject)
    if (topic) topic.push(report)
    else topics.set(report.subject, [report])
  }
  return [...topics.values()]
}

/** Returns the author of the reported message: the report names first who reports, then the author. */
function authorOf({ content }: Report): number | undefined {
  const [, author] = safeNodes(content).querySelectorAll<HTMLElement>('.user-mention[data-user-id]')
  return author ? Number(author.dataset.userId) : undefined
}

interface ReportedPersonProps {
  readonly channelId: number
  /** At least one; all in one topic. */
  readonly reports: readonly Report[]
  readonly onDone: () => Promise<void>
}

/** The reports about one user, which have a topic of their own and are settled together. */
function ReportedPerson({ channelId, reports, onDone }: ReportedPersonProps) {
  const [isEditing, setEditing] = useState(false)
  const { id, subject } = reports[0]!
  const author = state.users.get(authorOf(reports[0]!) ?? 0)
  const channel = state.channels.get(channelId)
  return (
    <li class="item item-tall">
      <div class="item-main">
        {reports.map((report) => (
          <div key={report.id}>
            <HtmlText html={report.content} />
            <span class="small soft" {...tip(wholeTime(report.timestamp))}>
              {ago(report.timestamp)}
            </span>
          </div>
        ))}
      </div>
      <span class="item-end">
        <a class="button" href={hrefOfMessage(id)}>
          {s.moderation.discuss}
        </a>
        {author?.is_active && mayAdministerUser(state, author) && author.user_id !== state.me && (
          <Button onClick={() => setEditing(true)}>{s.moderation.manage(realName(author.user_id))}</Button>
        )}
        {channel && mayResolve(state, channel, subject) && (
          <ActButton
            kind="main"
            onAct={async () => {
              const refusal = await refusalOf(toggleTopic(channelId, subject))
              if (refusal === undefined) await onDone()
              return refusal
            }}
          >
            {s.moderation.settle}
          </ActButton>
        )}
      </span>
      {isEditing && author && <EditUser userId={author.user_id} onClose={() => setEditing(false)} />}
    </li>
  )
}
