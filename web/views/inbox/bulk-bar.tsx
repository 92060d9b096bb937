import { markRead, markUnread } from '../../actions/flags.ts'
import { choosePolicy } from '../../actions/personal.ts'
import { state } from '../../chat.ts'
import type { Conversation } from '../../state/conversation.ts'
import { TOPIC_POLICY, topicPolicy } from '../../state/topics.ts'
import { unreadIds } from '../../state/unread.ts'
import { t } from '../../texts/texts.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { announce, attempt } from '../announcement.tsx'
import { chosenRows, clearChoice } from './row-choice.ts'

/** The actions on all chosen conversations. */
export function BulkBar() {
  const chosen = [...chosenRows.value.values()]
  const topics = chosen.filter((one) => one.kind === 'topic')
  const act = (action: () => Promise<unknown> | undefined) => () => {
    clearChoice()
    const done = action()
    if (done) void attempt(done)
  }
  return (
    <div class="bulk-bar" role="toolbar" aria-label={t.inbox.selected(chosen.length)}>
      <h1 class="one-line">{t.inbox.selected(chosen.length)}</h1>
      <Action icon="read" onClick={act(() => readAll(chosen))}>
        {t.sidebar.markRead}
      </Action>
      {topics.length > 0 && (
        <>
          <Action icon="follow" onClick={act(() => setPolicies(topics, TOPIC_POLICY.followed))}>
            {t.inbox.follow}
          </Action>
          <Action icon="muted" onClick={act(() => setPolicies(topics, TOPIC_POLICY.muted))}>
            {t.inbox.mute}
          </Action>
        </>
      )}
      <span class="view-head-space" />
      <IconButton icon="close" label={t.close} onClick={clearChoice} />
    </div>
  )
}

interface ActionProps {
  readonly icon: IconName
  readonly onClick: () => void
  readonly children: string
}

/** In a small window its words are for screen readers alone. */
function Action({ icon, onClick, children }: ActionProps) {
  return (
    <Button onClick={onClick}>
      <Icon name={icon} />
      <span>{children}</span>
    </Button>
  )
}

function readAll(conversations: readonly Conversation[]): undefined {
  const ids = conversations.flatMap((one) => unreadIds(state, one))
  if (ids.length === 0) return
  markRead(ids)
  announce(t.done.read(ids.length), () => markUnread(ids))
}

type Topic = Extract<Conversation, { kind: 'topic' }>

/** Follows or mutes topics; offers to set each back to what it was. */
async function setPolicies(topics: readonly Topic[], policy: number): Promise<void> {
  const before = topics.map((topic) => [topic, topicPolicy(state, topic.channelId, topic.topic)] as const)
  await Promise.all(topics.map(({ channelId, topic }) => choosePolicy(channelId, topic, policy)))
  const said = policy === TOPIC_POLICY.muted ? t.done.muted : t.done.followed
  announce(said(topics.length), () =>
    Promise.all(before.map(([{ channelId, topic }, old]) => choosePolicy(channelId, topic, old))),
  )
}
