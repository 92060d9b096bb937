import {
  changeDefaultGroup,
  changeDefaultGroupChannels,
  createDefaultGroup,
  deleteDefaultGroup,
} from '../../actions/organization.ts'
import { state, watch } from '../../chat.ts'
import type { DefaultChannelGroup } from '../../state/wire.ts'
import { s } from '../../texts/settings.ts'
import { t } from '../../texts/texts.ts'
import { Part, TextRow } from '../../ui/setting-row.tsx'
import { ActButton, ActForm } from '../../ui/use-action.tsx'
import { ChannelIcon } from '../channel-icon.tsx'
import { refusalOf, undoable } from '../settings/fetched.tsx'
import { channelName } from '../words.ts'

const MAX_NAME = 60
const MAX_DESCRIPTION = 1_024

/** Channels that may be in a group: new members do not get the default ones twice. */
function offered(isIn: (id: number) => boolean): readonly string[] {
  return [...state.channels.values()]
    .filter(({ stream_id, is_archived, invite_only }) => !is_archived && !invite_only && !isIn(stream_id))
    .filter(({ stream_id }) => !state.defaultChannels.includes(stream_id))
    .map(({ name }) => name)
    .sort((a, b) => a.localeCompare(b))
}

/** Groups of channels that new members choose at sign-up. */
export function ChannelGroups() {
  watch('organization', 'channel')
  return (
    <Part title={s.channelGroups.title} hint={s.channelGroups.hint}>
      {state.defaultGroups.length === 0 && <p class="setting-nothing">{s.channelGroups.nothing}</p>}
      {state.defaultGroups.map((group) => (
        <Group key={group.id} group={group} />
      ))}
      <details class="settings-details">
        <summary>{s.channelGroups.create}</summary>
        <ActForm
          button={s.create}
          onAct={(form) =>
            refusalOf(
              createDefaultGroup(
                String(form.get('name')).trim(),
                String(form.get('description')).trim(),
                form.getAll('channel').map(String),
              ),
            )
          }
        >
          <label class="labelled">
            <span>{s.profile.name}</span>
            <input class="field" name="name" required maxLength={MAX_NAME} autocomplete="off" />
          </label>
          <label class="labelled">
            <span>{s.organization.description}</span>
            <input class="field" name="description" required maxLength={MAX_DESCRIPTION} autocomplete="off" />
          </label>
          <fieldset class="channel-picks">
            <legend>{s.invitations.channels}</legend>
            {offered(() => false).map((name) => (
              <label key={name} class="check">
                <input type="checkbox" name="channel" value={name} />
                <bdi>#{name}</bdi>
              </label>
            ))}
          </fieldset>
        </ActForm>
      </details>
    </Part>
  )
}

function Group({ group }: { readonly group: DefaultChannelGroup }) {
  const { id, name, description, streams } = group
  const others = offered((channelId) => streams.includes(channelId))
  return (
    <details class="settings-group">
      <summary>
        {name} <span class="small soft">{streams.map((one) => `#${channelName(one)}`).join(', ')}</span>
      </summary>
      <TextRow
        label={s.profile.name}
        value={name}
        required
        maxLength={MAX_NAME}
        onSave={(wanted) => refusalOf(changeDefaultGroup(id, { new_group_name: wanted.trim() }))}
      />
      <TextRow
        label={s.organization.description}
        value={description}
        required
        maxLength={MAX_DESCRIPTION}
        onSave={(wanted) => refusalOf(changeDefaultGroup(id, { new_description: wanted.trim() }))}
      />
      <ul class="items">
        {streams.map((one) => (
          <li key={one} class="item">
            <span class="item-main">
              <ChannelIcon channel={state.channels.get(one)} /> <bdi>{channelName(one)}</bdi>
            </span>
            <ActButton
              label={s.remove(channelName(one))}
              onAct={() =>
                undoable(
                  changeDefaultGroupChannels(id, 'remove', [channelName(one)]),
                  s.removed(`#${channelName(one)}`),
                  () => changeDefaultGroupChannels(id, 'add', [channelName(one)]),
                )
              }
            >
              {s.removeShort}
            </ActButton>
          </li>
        ))}
      </ul>
      {others.length > 0 && (
        <ActForm
          line
          button={s.add}
          onAct={(form) => refusalOf(changeDefaultGroupChannels(id, 'add', [String(form.get('channel'))]))}
        >
          <label class="labelled">
            <span>{s.organization.channel}</span>
            <select class="field" name="channel">
              {others.map((one) => (
                <option key={one} value={one} dir="auto">
                  #{one}
                </option>
              ))}
            </select>
          </label>
        </ActForm>
      )}
      <ActButton
        kind="danger"
        label={`${t.message.delete}: ${name}`}
        question={{ title: s.channelGroups.question(name), text: s.channelGroups.questionHint }}
        onAct={() => refusalOf(deleteDefaultGroup(id))}
      >
        {t.message.delete}
      </ActButton>
    </details>
  )
}
