import { useState } from 'preact/hooks'
import { fetchChannelAddress } from '../../actions/channel-settings.ts'
import { state } from '../../chat.ts'
import { mayPost } from '../../state/channel-permissions.ts'
import { s } from '../../texts/settings.ts'
import { Part } from '../../ui/setting-row.tsx'
import { ActForm } from '../../ui/use-action.tsx'
import { refusalOf } from '../settings/fetched.tsx'
import { ShownKey } from '../settings/shown-key.tsx'

/**
 * The address at which the channel takes mail, fetched on demand, since everyone who has it may write to it.
 */
export function ChannelAddress({ channelId }: { readonly channelId: number }) {
  const [address, setAddress] = useState<string>()
  const channel = state.channels.get(channelId)
  if (!channel || !mayPost(state, channel)) return null
  const ownBots = [...state.users.values()].filter(
    (user) => user.is_bot && user.is_active && user.bot_owner_id === state.me,
  )
  const show = (form: FormData) => {
    const sender = Number(form.get('sender'))
    return refusalOf(fetchChannelAddress(channelId, sender === 0 ? undefined : sender).then(setAddress))
  }
  return (
    <Part title={s.channels.mail} hint={s.channels.mailHint}>
      {address === '' ? (
        <p role="status">{s.channels.noMail}</p>
      ) : (
        <>
          <ActForm line button={s.channels.showAddress} onAct={show}>
            <label class="labelled">
              <span>{s.channels.postedBy}</span>
              <select class="field" name="sender" onChange={() => setAddress(undefined)}>
                <option value="0">{s.channels.gateway}</option>
                <option value={state.me}>{s.channels.oneself}</option>
                {ownBots.map(({ user_id, full_name }) => (
                  <option key={user_id} value={user_id} dir="auto">
                    {full_name}
                  </option>
                ))}
              </select>
            </label>
          </ActForm>
          {address !== undefined && <ShownKey value={address} />}
        </>
      )}
    </Part>
  )
}
