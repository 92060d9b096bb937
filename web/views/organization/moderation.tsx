import { useState } from 'preact/hooks'
import { toggleResolved } from '../../actions/changing-messages.ts'
import { loadReports, type Report, saveOrganization } from '../../actions/organization.ts'
import { state, watch } from '../../chat.ts'
import { hrefOfMessage } from '../../navigation.ts'
import { isResolved } from '../../state/conversation.ts'
import { mayAdministerUser } from '../../state/permissions.ts'
import { s } from '../../texts/settings.ts'
import { ActButton } from '../../ui/acting.tsx'
import { Button } from '../../ui/button.tsx'
import { ChoiceRow, Part } from '../../ui/setting-row.tsx'
import { ago, wholeTime } from '../../ui/time.tsx'
import { tip } from '../../ui/tooltip.ts'
import { HtmlText } from '../message/html-text.tsx'
import { safeNodes } from '../message/safe-html.ts'
import { EditUser } from '../people-settings/edit-user.tsx'
import { FetchedList, refusalOf, useFetched } from '../settings/fetched.tsx'
import { userName } from '../words.ts'

const NO_CHANNEL = -1

/** Reported messages, with actions. */
export function ModerationSection() {
  watch('organization', 'channel', 'me')
  const channelId = state.organization.moderation_request_channel_id
  const channels = [...state.channels.values()]
    .filter(({ invite_only, is_archived }) => invite_only && !is_archived)
    .sort((a, b) => a.name.localeCompare(b.name))
  return (
    <>
      <Part hint={s.moderation.hint}>
        <ChoiceRow
          label={s.organization.names.moderation_request_channel_id}
          value={channelId}
          choices={[
            [NO_CHANNEL, s.organization.nowhere],
            ...channels.map(({ stream_id, name }) => [stream_id, `#${name}`] as const),
          ]}
          onSave={(id) => refusalOf(saveOrganization('moderation_request_channel_id', id))}
        />
      </Part>
      {channelId !== NO_CHANNEL &&
        (state.channels.get(channelId)?.subscription ? (
          <Reports key={channelId} channelId={channelId} />
        ) : (
          <p class="setting-nothing">{s.moderation.notSubscribed}</p>
        ))}
    </>
  )
}

/** Whether it is the server's own message of a report, and that is not settled. */
function isOpen(report: Report): boolean {
  const isOfServer = state.users.get(report.sender_id)?.is_system_bot === true
  return isOfServer && !isResolved(report.subject) && authorOf(report) !== undefined
}

function Reports({ channelId }: { readonly channelId: number }) {
  const reports = useFetched(async () => (await loadReports(channelId)).filter(isOpen), [channelId])
  return (
    <Part title={s.moderation.open}>
      <FetchedList of={reports} nothing={s.moderation.nothing}>
        {(list) => (
          <ul class="items">
            {list.map((report) => (
              <ReportItem key={report.id} report={report} onDone={reports.reload} />
            ))}
          </ul>
        )}
      </FetchedList>
    </Part>
  )
}

/** Returns the author of the reported message: the report names first who reports, then the author. */
function authorOf({ content }: Report): number | undefined {
  const [, author] = safeNodes(content).querySelectorAll<HTMLElement>('.user-mention[data-user-id]')
  return author ? Number(author.dataset.userId) : undefined
}

function ReportItem({ report, onDone }: { readonly report: Report; readonly onDone: () => Promise<void> }) {
  const { id, subject, timestamp, content } = report
  const [isEditing, setEditing] = useState(false)
  const author = state.users.get(authorOf(report) ?? 0)
  return (
    <li class="item">
      <div class="item-main">
        <HtmlText html={content} />
        <span class="small soft" {...tip(wholeTime(timestamp))}>
          {ago(timestamp)}
        </span>
      </div>
      <span class="item-end">
        <a class="button" href={hrefOfMessage(id)}>
          {s.moderation.discuss}
        </a>
        {author?.is_active && mayAdministerUser(state, author) && author.user_id !== state.me && (
          <Button onClick={() => setEditing(true)}>{s.moderation.manage(userName(author.user_id))}</Button>
        )}
        <ActButton
          kind="main"
          onAct={async () => {
            const refusal = await refusalOf(toggleResolved(id, subject))
            if (refusal === undefined) await onDone()
            return refusal
          }}
        >
          {s.moderation.settle}
        </ActButton>
      </span>
      {isEditing && author && <EditUser userId={author.user_id} onClose={() => setEditing(false)} />}
    </li>
  )
}
