import { useState } from 'preact/hooks'
import { call, failureOf } from '../../actions/call.ts'
import { subscribe, unsubscribe } from '../../actions/personal.ts'
import { state, watch } from '../../chat.ts'
import { hrefOf } from '../../navigation.ts'
import { channelNarrow } from '../../state/narrow.ts'
import { mayCreateChannel } from '../../state/permissions.ts'
import { t } from '../../texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Icon } from '../../ui/icon.tsx'
import { attempt } from '../notice.tsx'

/** All channels that one may see: to look into, to join, to leave. */
export function ChannelsView() {
  watch('channel', 'me', 'organization')
  const [filter, setFilter] = useState('')
  const [isCreating, setCreating] = useState(false)
  const words = filter.trim().toLowerCase()
  const shown = [...state.channels.values()]
    .filter(({ is_archived }) => !is_archived)
    .filter(({ name, description }) => `${name} ${description}`.toLowerCase().includes(words))
    .sort((a, b) => a.name.localeCompare(b.name))
  const mayCreate = mayCreateChannel(state, 'public') || mayCreateChannel(state, 'private')
  return (
    <>
      <header class="view-head">
        <Icon name="hash" />
        <h1>{t.sidebar.channels}</h1>
        <span class="view-head-space" />
        <input
          class="field view-filter"
          type="search"
          placeholder={t.inbox.filter}
          aria-label={t.inbox.filter}
          value={filter}
          onInput={(event) => setFilter(event.currentTarget.value)}
        />
        {mayCreate && (
          <Button kind="main" onClick={() => setCreating(true)}>
            {t.channels.create}
          </Button>
        )}
      </header>
      {shown.length === 0 && <Empty title={t.inbox.noMatch} />}
      <div class="view-scroll">
        <ul class="view-inner inbox">
          {shown.map((channel) => (
            <li key={channel.stream_id} class="inbox-row channel-row">
              <a class="inbox-link draft-link" href={hrefOf(channelNarrow(channel.stream_id))}>
                <span class="view-head-channel" style={{ color: channel.subscription?.color ?? '' }}>
                  <Icon name={channel.invite_only ? 'lock' : channel.is_web_public ? 'globe' : 'hash'} />
                </span>
                <span class="draft-text">
                  <span class="one-line">{channel.name}</span>
                  <span class="small soft one-line">
                    {t.channels.subscribers(channel.subscriber_count)}
                    {channel.description && ` · ${channel.description}`}
                  </span>
                </span>
              </a>
              <Button
                onClick={() =>
                  attempt(channel.subscription ? unsubscribe(channel.name) : subscribe(channel.name))
                }
              >
                {channel.subscription ? t.channels.leave : t.channels.join}
              </Button>
            </li>
          ))}
        </ul>
      </div>
      {isCreating && <CreateChannel onClose={() => setCreating(false)} />}
    </>
  )
}

function CreateChannel({ onClose }: { readonly onClose: () => void }) {
  const [failure, setFailure] = useState('')
  const [isPrivate, setPrivate] = useState(!mayCreateChannel(state, 'public'))
  const create = async (event: SubmitEvent) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget as HTMLFormElement)
    try {
      const name = String(form.get('name')).trim()
      await call('POST', '/users/me/subscriptions', {
        subscriptions: [{ name, description: String(form.get('description')) }],
        invite_only: isPrivate,
      })
      onClose()
    } catch (error) {
      setFailure(failureOf(error).text || t.noConnection)
    }
  }
  return (
    <Dialog title={t.channels.create} onClose={onClose}>
      <form onSubmit={create}>
        {failure && (
          <p class="refusal" role="alert">
            {failure}
          </p>
        )}
        <label class="labelled">
          <span>{t.channels.name}</span>
          <input class="field" name="name" required maxLength={state.server.max_stream_name_length} />
        </label>
        <label class="labelled">
          <span>{t.channels.description}</span>
          <input class="field" name="description" maxLength={state.server.max_stream_description_length} />
        </label>
        <label class="check">
          <input
            type="checkbox"
            checked={isPrivate}
            disabled={!mayCreateChannel(state, 'private') || !mayCreateChannel(state, 'public')}
            onChange={(event) => setPrivate(event.currentTarget.checked)}
          />
          {t.channels.private}
        </label>
        <div class="dialog-buttons">
          <Button onClick={onClose}>{t.cancel}</Button>
          <Button type="submit" kind="main">
            {t.channels.create}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
