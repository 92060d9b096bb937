import '../settings/settings.css'
import { ChannelIcon } from '../channel-icon.tsx'
import './channels.css'
import { useState } from 'preact/hooks'
import { subscribe } from '../../actions/personal.ts'
import { state, watch } from '../../chat.ts'
import { address, hrefOf } from '../../navigation.ts'
import { mayCreateChannel, maySubscribe } from '../../state/channel-permissions.ts'
import type { Channel } from '../../state/chat-state.ts'
import { channelNarrow } from '../../state/narrow.ts'
import { hasWords } from '../../state/words.ts'
import { s } from '../../texts/settings.ts'
import { t } from '../../texts/texts.ts'
import { Empty } from '../../ui/empty.tsx'
import { FilterField } from '../../ui/filter-field.tsx'
import { Icon } from '../../ui/icon.tsx'
import { tip } from '../../ui/tooltip.ts'
import { ActButton } from '../../ui/use-action.tsx'
import { refusalOf } from '../settings/fetched.tsx'
import { leave, leaveQuestion } from '../undoable.ts'
import { nameOrder } from '../words.ts'
import { ChannelSettingsView } from './channel-settings-view.tsx'
import { CreateChannel } from './create-channel.tsx'

export { loadSettingsTexts } from '../../texts/settings.ts'

/** The views `#channels/all`, `#channels/new`, `#channels/12/general/subscribers`. */
export function ChannelsView() {
  watch('me', 'organization', 'group')
  const shown = address.value
  const path = 'path' in shown ? shown.path : []
  const [first = 'all', , part] = path
  if (first === 'new' && mayCreateAny()) return <CreateChannel />
  if (/^\d+$/.test(first)) return <ChannelSettingsView key={first} channelId={Number(first)} part={part} />
  return <ChannelList which={WHICH.find((one) => one === first) ?? 'all'} />
}

const WHICH = ['all', 'subscribed', 'available', 'archived'] as const

function mayCreateAny(): boolean {
  return mayCreateChannel(state, 'public') || mayCreateChannel(state, 'private')
}

/** All channels that the user may see, to open, join or leave. */
function ChannelList({ which }: { readonly which: (typeof WHICH)[number] }) {
  watch('channel', 'me', 'organization', 'group')
  const [filter, setFilter] = useState('')
  const words = filter.trim()
  const byName = nameOrder()
  const shown = [...state.channels.values()]
    .filter((channel) => belongs(channel, which))
    .filter(({ name, description }) => hasWords(`${name} ${description}`, words))
    .sort((a, b) => byName(a.name, b.name))
  return (
    <>
      <header class="view-head">
        <Icon name="hash" />
        <h1>{t.sidebar.channels}</h1>
        <span class="view-head-space" />
        <FilterField value={filter} onFilter={setFilter} />
        {mayCreateAny() && (
          <a class="button button-main" href="#channels/new">
            {t.channels.create}
          </a>
        )}
      </header>
      <div class="view-scroll">
        <div class="view-inner channels">
          <nav class="settings-tabs" aria-label={s.channels.which}>
            {WHICH.map((one) => (
              <a key={one} href={`#channels/${one}`} aria-current={one === which ? 'page' : undefined}>
                {s.channels.lists[one]}
              </a>
            ))}
          </nav>
          {shown.length === 0 && <Empty title={words === '' ? s.channels.nothing[which] : t.inbox.noMatch} />}
          <ul class="items">
            {shown.map((channel) => (
              <ChannelItem key={channel.stream_id} channel={channel} />
            ))}
          </ul>
        </div>
      </div>
    </>
  )
}

function belongs({ is_archived, subscription }: Channel, which: (typeof WHICH)[number]): boolean {
  if (which === 'archived') return is_archived
  if (is_archived) return false
  return which === 'all' || (which === 'subscribed') === (subscription !== undefined)
}

function ChannelItem({ channel }: { readonly channel: Channel }) {
  const { stream_id, name, description, subscription, subscriber_count } = channel
  return (
    <li class="item channel-row">
      <a class="item-main channel-link" href={hrefOf(channelNarrow(stream_id))}>
        <span class="channel-edge" style={{ background: subscription?.color ?? '' }} />
        <span class="view-head-channel soft">
          <ChannelIcon channel={channel} />
        </span>
        <span class="channel-words">
          <span class="one-line" dir="auto">
            {name}
          </span>
          {/* In the direction of the description, so that its end is cut off. */}
          <span class="small soft one-line" dir="auto">
            <bdi>{t.channels.subscribers(subscriber_count)}</bdi>
            {description && ` · ${description}`}
          </span>
        </span>
      </a>
      <span class="item-end">
        {(subscription || maySubscribe(state, channel)) && (
          <ActButton
            label={`${subscription ? t.channels.leave : t.channels.join}: ${name}`}
            question={subscription && leaveQuestion(channel)}
            onAct={() => refusalOf(subscription ? leave(channel) : subscribe(name))}
          >
            {subscription ? t.channels.leave : t.channels.join}
          </ActButton>
        )}
        <a
          class="icon-button"
          href={`#channels/${stream_id}`}
          aria-label={s.channels.settingsOf(`#${name}`)}
          {...tip(s.channels.settingsOf(`#${name}`))}
        >
          <Icon name="gear" />
        </a>
      </span>
    </li>
  )
}
