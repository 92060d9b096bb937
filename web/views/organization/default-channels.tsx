import { addDefaultChannel, removeDefaultChannel } from '../../actions/organization.ts'
import { state, watch } from '../../chat.ts'
import { s } from '../../texts/settings.ts'
import { Part } from '../../ui/setting-row.tsx'
import { ActButton, ActForm } from '../../ui/use-action.tsx'
import { ChannelIcon } from '../channel-icon.tsx'
import { refusalOf, undoable } from '../settings/fetched.tsx'
import { channelName } from '../words.ts'
import { ChannelGroups } from './channel-groups.tsx'

/** Channels that new members join. */
export function DefaultChannelsSection() {
  watch('organization', 'channel')
  const others = [...state.channels.values()]
    .filter(({ is_archived, invite_only }) => !is_archived && !invite_only)
    .filter(({ stream_id }) => !state.defaultChannels.includes(stream_id))
    .sort((a, b) => a.name.localeCompare(b.name))
  const defaults = state.defaultChannels.toSorted((a, b) => channelName(a).localeCompare(channelName(b)))
  return (
    <>
      <Part hint={s.organization.defaultHint}>
        {others.length > 0 && (
          <ActForm
            line
            button={s.add}
            onAct={(form) => refusalOf(addDefaultChannel(Number(form.get('channel'))))}
          >
            <label class="labelled">
              <span>{s.organization.channel}</span>
              <select class="field" name="channel">
                {others.map(({ stream_id, name }) => (
                  <option key={stream_id} value={stream_id} dir="auto">
                    #{name}
                  </option>
                ))}
              </select>
            </label>
          </ActForm>
        )}
        {state.defaultChannels.length === 0 ? (
          <p class="setting-nothing">{s.organization.noDefaults}</p>
        ) : (
          <ul class="items spaced">
            {defaults.map((id) => (
              <li key={id} class="item">
                <span class="item-main">
                  <ChannelIcon channel={state.channels.get(id)} /> <bdi>{channelName(id)}</bdi>
                </span>
                <ActButton
                  label={s.remove(channelName(id))}
                  onAct={() =>
                    undoable(removeDefaultChannel(id), s.removed(`#${channelName(id)}`), () =>
                      addDefaultChannel(id),
                    )
                  }
                >
                  {s.removeShort}
                </ActButton>
              </li>
            ))}
          </ul>
        )}
      </Part>
      <ChannelGroups />
    </>
  )
}
