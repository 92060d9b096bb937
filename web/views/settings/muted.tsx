import { useState } from 'preact/hooks'
import { muteUser, unmuteUser } from '../../actions/own-account.ts'
import { choosePolicy } from '../../actions/personal.ts'
import { state, watch } from '../../chat.ts'
import { hrefOfConversation } from '../../navigation.ts'
import { s } from '../../texts/settings.ts'
import { t } from '../../texts/texts.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Part } from '../../ui/setting-row.tsx'
import { ActButton } from '../../ui/use-action.tsx'
import { ChannelIcon } from '../channel-icon.tsx'
import { channelName, topicName } from '../words.ts'
import { refusalOf } from './fetched.tsx'
import { PickPerson } from './people-row.tsx'

/** People whose messages the user does not want to see. */
export function MutedUsersSection() {
  watch('muted users', 'user')
  const [refusal, setRefusal] = useState<string>()
  const muted = [...state.mutedUsers].map((id) => ({ id, user: state.users.get(id) }))
  return (
    <Part hint={s.muted.usersHint}>
      <PickPerson
        label={s.muted.mute}
        button={s.muted.mute}
        isLeftOut={({ user_id }) => user_id === state.me || state.mutedUsers.has(user_id)}
        onPick={async (id) => setRefusal(await refusalOf(muteUser(id)))}
      />
      {refusal && (
        <p class="refusal" role="alert">
          {refusal}
        </p>
      )}
      {muted.length === 0 ? (
        <p class="setting-nothing">{s.muted.nobody}</p>
      ) : (
        <ul class="items spaced">
          {muted.map(({ id, user }) => (
            <li key={id} class="item">
              <Avatar url={user?.avatar_url} name={user?.full_name ?? ''} size={24} />
              <span class="item-main one-line">{user?.full_name ?? t.unknownPerson}</span>
              <ActButton
                label={`${s.muted.unmute}: ${user?.full_name ?? t.unknownPerson}`}
                onAct={() => refusalOf(unmuteUser(id))}
              >
                {s.muted.unmute}
              </ActButton>
            </li>
          ))}
        </ul>
      )}
    </Part>
  )
}

const POLICIES = [0, 1, 2, 3] as const

/** Topics that the user follows, mutes or unmutes. */
export function TopicsSection() {
  watch('topic policy', 'channel')
  const entries = [...state.topicPolicies].flatMap(([channelId, ofChannel]) =>
    [...ofChannel.values()].map((entry) => ({ channelId, ...entry })),
  )
  entries.sort((a, b) => b.lastUpdated - a.lastUpdated)
  return (
    <Part hint={s.muted.topicsHint}>
      {entries.length === 0 ? (
        <p class="setting-nothing">{s.muted.noTopics}</p>
      ) : (
        <ul class="items">
          {entries.map(({ channelId, topic, policy }) => (
            <li key={`${channelId} ${topic}`} class="item">
              <a class="item-main" href={hrefOfConversation({ kind: 'topic', channelId, topic })}>
                <ChannelIcon channel={state.channels.get(channelId)} /> <bdi>{channelName(channelId)}</bdi> ›{' '}
                <bdi>{topicName(topic)}</bdi>
              </a>
              <TopicPolicy channelId={channelId} topic={topic} policy={policy} />
            </li>
          ))}
        </ul>
      )}
    </Part>
  )
}

function TopicPolicy(props: { readonly channelId: number; readonly topic: string; readonly policy: number }) {
  const { channelId, topic, policy } = props
  const [refusal, setRefusal] = useState<string>()
  return (
    <>
      <select
        class="field"
        aria-label={topicName(topic)}
        value={policy}
        onChange={async (event) =>
          setRefusal(await refusalOf(choosePolicy(channelId, topic, Number(event.currentTarget.value))))
        }
      >
        {POLICIES.map((one) => (
          <option key={one} value={one}>
            {t.policies[one]}
          </option>
        ))}
      </select>
      {refusal && (
        <p class="refusal" role="alert">
          {refusal}
        </p>
      )}
    </>
  )
}
