import { useState } from 'preact/hooks'
import { createChannel } from '../../actions/channel-settings.ts'
import { state, watch } from '../../chat.ts'
import { go, visit } from '../../navigation.ts'
import { mayCreateChannel } from '../../state/channel-permissions.ts'
import { foldersInOrder } from '../../state/channels.ts'
import { channelNarrow } from '../../state/narrow.ts'
import { s } from '../../texts/settings.ts'
import { t } from '../../texts/texts.ts'
import { Icon } from '../../ui/icon.tsx'
import { takeFocus } from '../../ui/take-focus.ts'
import { ActForm } from '../../ui/use-action.tsx'
import { refusalOf } from '../settings/fetched.tsx'
import { groupChoices } from '../settings/group-setting-row.tsx'
import { PickPerson, Picks } from '../settings/people-row.tsx'

export const KINDS = ['public', 'private', 'protected', 'web-public'] as const
export type ChannelKind = (typeof KINDS)[number]

/** Goes back to the view from which the form was opened. */
function leave(): void {
  if (visit.value > 0) history.back()
  else go({ view: 'channels', path: [] })
}

/** A form for a new channel with the user in it, which then opens. */
export function CreateChannel() {
  watch('group', 'folder', 'me', 'organization')
  const offered = KINDS.filter((kind) => mayCreateChannel(state, kind === 'protected' ? 'private' : kind))
  const [kind, setKind] = useState<ChannelKind>(offered[0]!)
  const [people, setPeople] = useState<readonly number[]>([])
  const [created, setCreated] = useState(0)
  const folders = foldersInOrder(state)
  const posters = groupChoices('stream', 'can_send_message_group')
  return (
    <>
      <header class="view-head">
        <Icon name="hash" />
        <h1>{t.channels.create}</h1>
      </header>
      <div class="view-scroll">
        <div class="channel-settings">
          <ActForm
            kind="main"
            button={s.channels.create}
            onAct={async (form) => {
              const poster = posters[Number(form.get('posters'))]
              const folder = String(form.get('folder') ?? '')
              let id = 0
              const refusal = await refusalOf(
                createChannel({
                  name: String(form.get('name')).trim(),
                  description: String(form.get('description')).trim(),
                  isPrivate: kind === 'private' || kind === 'protected',
                  isWebPublic: kind === 'web-public',
                  isHistoryShared: kind !== 'protected',
                  whoMayPost: poster?.[0],
                  folderId: folder === '' ? null : Number(folder),
                  userIds: [state.me, ...people],
                }).then((made) => {
                  id = made
                }),
              )
              if (refusal === undefined) setCreated(id)
              return refusal
            }}
            onCancel={leave}
          >
            <label class="labelled">
              <span>{t.channels.name}</span>
              <input
                ref={takeFocus}
                class="field"
                name="name"
                required
                maxLength={state.server.max_stream_name_length}
                autocomplete="off"
              />
            </label>
            <label class="labelled">
              <span>{t.optional(t.channels.description)}</span>
              <input
                class="field"
                name="description"
                maxLength={state.server.max_stream_description_length}
                autocomplete="off"
              />
            </label>
            <fieldset class="choices">
              <legend class="small soft">{s.channels.privacy}</legend>
              {offered.map((one) => (
                <label key={one} class="check">
                  <input type="radio" name="kind" checked={one === kind} onChange={() => setKind(one)} />
                  {s.channels.kinds[one]}
                </label>
              ))}
            </fieldset>
            <label class="labelled">
              <span>{s.channels.permissions.can_send_message_group}</span>
              <select class="field" name="posters">
                {posters.map(([value, name], index) => (
                  <option key={String(value)} value={index} dir="auto">
                    {name}
                  </option>
                ))}
              </select>
            </label>
            {folders.length > 0 && (
              <label class="labelled">
                <span>{s.channels.folder}</span>
                <select class="field" name="folder">
                  <option value="">{s.channels.noFolder}</option>
                  {folders.map(({ id, name }) => (
                    <option key={id} value={id} dir="auto">
                      {name}
                    </option>
                  ))}
                </select>
              </label>
            )}
            <PickPerson
              label={s.channels.alsoAdd}
              button={s.add}
              isLeftOut={({ user_id }) => user_id === state.me || people.includes(user_id)}
              onPick={(id) => setPeople([...people, id])}
            />
            <Picks ids={people} onRemove={(id) => setPeople(people.filter((one) => one !== id))} />
          </ActForm>
          {created > 0 && <GoThere channelId={created} />}
        </div>
      </div>
    </>
  )
}

/** Opens the new channel once its event has come. */
function GoThere({ channelId }: { readonly channelId: number }) {
  watch(`channel ${channelId}`)
  if (state.channels.get(channelId)?.subscription) {
    queueMicrotask(() => go({ view: 'narrow', narrow: channelNarrow(channelId) }))
  }
  return <p role="status">{s.channels.created}</p>
}
